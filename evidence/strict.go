package evidence

// strictLexicon are words that the free recap lets stand and a guard does
// not: it reads them against the state of the session.
var strictLexicon = [...]entry{
	// Work that is over, or works.
	{mDone, "done|finished|complete|completed|completes|works|working|resolved|solved|ready|successfully|succeeded|functional|wrapped up|good to go"},
	{mDone, "готово|готов|готова|готовы|завершен*|завершён*|завершил*|закончен*|закончил*|работает|работают|решен*|решён*|успешно|доделан*|доделал*|заработал*|завершено|працює|закінчив*"},
	{mDone, "完成|完毕|搞定|解决|成功|可以正常|正常工作|就绪|可用"},
	{mDone, "listo|lista|terminado|terminada|terminé|completado|completada|completé|funciona|funcionan|resuelto|resuelta|finalizado|finalizada|éxito"},
	{mDone, "fertig|fertiggestellt|abgeschlossen|erledigt|funktioniert|funktionieren|gelöst|behoben|erfolgreich|vollständig"},
	{mDone, "terminé|terminée|terminés|fini|finie|achevé|achevée|fonctionne|fonctionnent|résolu|résolue|prêt|prête|succès|réussi"},
	{mDone, "all done|all set|完了しました|完了です|できました|終わりました|已完成|完成了|完成啦|搞定了|完成しました|完了いたしました|완료했습니다|완료되었습니다|всё готово|все готово"},
	{mDone, "完了|終わりました|終了しました|解決|動くように|動作しま|動いています|できました|成功"},
	{mDone, "pronto|pronta|concluído|concluída|concluí|terminei|finalizado|finalizada|funciona|funcionando|resolvido|resolvida|sucesso"},
	{mDone, "finito|finita|completato|completata|concluso|conclusa|funziona|funzionano|risolto|risolta|pronto|pronta|successo"},
	{mDone, "완료|끝났|마쳤|해결|작동합니다|동작합니다|성공"},
	{mDone, "klaar|afgerond|voltooid|werkt|opgelost|gotowe|gotowy|zakończone|zakończono|działa|rozwiązan*|tamamlandı|bitti|çalışıyor|çözüldü|hazır"},

	{mVerified, "survived|doğrulanmış"},
	{mPushed, "inviato al ramo|inviato al repository|inviato al remoto|inviato su|inviati al ramo|inviata al ramo|caricato su main|enviado para o|enviado ao|enviado a main|enviados a|enviados para|enviei para|envoyé sur|envoyés sur|envoyé au dépôt|sent to origin|uploaded to github|is on github|on github now|отправлен в|отправлены в|отправлено в|отправил в|відправлено в|liegt auf main|auf github|auf dem remote"},

	// Ways to write anew.
	{mEdited, "rewritten|edited|revised|shortened|restructured|reorganized|reorganised|reformatted|rephrased|reworded|tightened"},
	{mEdited, "überarbeitet|umformuliert|gekürzt|verkürzt|umstrukturiert|übersetzt|neu geschrieben|neu verfasst"},
	{mEdited, "réécrite|réécrits|réécrites|reformulé|reformulée|reformulés|raccourci|raccourcie|remanié|remaniée|retravaillé|retravaillée|traduit|traduite|restructuré|restructurée|supprimés|supprimées|remplacés|remplacées|modifiés|modifiées|ajoutées|corrigées|résolue|retirée|adaptée"},
	{mEdited, "reescrita|reescritos|reescritas|reformulado|reformulada|acortado|acortada|traducido|traducida|reestructurado|reestructurada|eliminados|eliminadas|actualizada|cambiada|modificada|sustituida|movida|renombrada"},
	{mEdited, "reescrito|reescrita|reformulado|reformulada|encurtado|encurtada|traduzido|traduzida|reestruturado|reestruturada|atualizada|alterada|removida|renomeada|implementado|implementada"},
	{mEdited, "riscritta|riformulato|riformulata|accorciato|accorciata|tradotto|tradotta|aggiornata|modificata|rimossa|sostituita|spostata"},
	{mEdited, "переформулирован*|переформулировал*|сокращен*|сокращён*|сократил*|переведен*|переведён*|перевел*|перевёл*|переработан*|переработал*"},
	{mEdited, "改写了|重写了|已改写|已重写|被改写|被重写|缩短了|翻译了|精简了|書き直しま|書き直され|書き換えま|書き換えられ|短くしま|訳しました|訳され|다시 썼|고쳐 썼|번역했|번역됐|줄였"},

	// Tests that say so, and ways to pass, fail and land.
	{mPass, "confirm|confirms|confirmed|prove|proves|proven|подтверждают|подтверждает|подтвердили|успешен|успешна|успешны|удачно|bestätigen|bestätigt|confirment|confirme|confirman|confirma|confirmam|confermano|证实|证明|確認でき|확인되"},
	{mFail, "fehl|fehlgeschlagen|scheitert|scheitern"},
	{mFail | mNeg, "n'échoue|n'échouent"},
	{mFail, "まだ失敗|まだ落ち|いまだに失敗|아직 실패|아직도 실패|여전히 실패|仍失败|仍然失败|还是失败"},
	{mCommitted, "checked in"},
	{mPRWhat, "pull request|pull-request|pr|merge request|mr|пулл-реквест*|пул-реквест*|pull requests|合并请求|拉取请求|プルリクエスト|プルリク"},
	{mMade, "opened|submitted|raised|executed|ran|открыт*|открыл*|выполнен*|abierto|abierta|abrí|abrió|ejecutado|ejecutada|geöffnet|eröffnet|ausgeführt|ouvert|ouverte|exécuté|exécutée|aperto|aperta|eseguita|aberto|aberta|executado"},

	{mPass, "fine now|no problems|no issues|no errors|without errors|without problems|without issues|no complaints|went through|go through|goes through|went well|smoothly|flawlessly|all right|без ошибок|без проблем|без замечаний|отработали|отработал|в порядке|без помилок|没有问题|没有报错|无异常|没有错误|無事|問題はありませんでした|問題はありません|問題ありません|問題ありませんでした|salieron bien|salió bien|sin problemas|sin errores|passé|passée|passés|passées|sans problème|sans erreur|ohne fehler|ohne probleme|fehlerfrei|problemlos|senza problemi|senza errori|sem problemas|sem erros|문제없이|문제가 없습니다|이상 없습니다"},
	{mMerged, "landed in the main|landed in the|landed in|is in main|слит|слита|слиты|влит|влита|合入|并入主|取り込まれ|取り込みま"},
	{mCommitted, "入库|已签入|eingecheckt|in git now|is in git"},
	{mPushed, "git push|on main|en main|sur main|auf main|su main|em main|в main|в мастере|推到远程|推到了|推上去|リモートに反映|リモートへ反映"},
	{mDeployed, "shipped|en ligne|en línea|online gestellt|prod runs|production runs|runs in production|runs in prod|is out|are out|out now|released to|релиз вышел|релиз вышла|в продакшн|выпущен*|发版|已发版|公開され"},
	{mEdited, "saved|speichert|сохранен*|сохранён*"},
	{mProd, "production|prod|прод|продакшен*|продакшн*|producción|produção|produzione|produktion|生产环境|线上环境|本番環境|本番|프로덕션"},
	{mApproved, "go-ahead|gave the go|said yes|green light|user accepted|user confirmed|person accepted|person confirmed|you accepted|you confirmed|дал добро|дала добро|разрешил*|放行|luz verde|grünes licht|feu vert|via libera|許可を得"},

	// Odd ways to be done, to work, and to be where others see it.
	{mDone, "nothing left to do|nothing is left to do|nothing is left|nothing remains|nothing more to do|is behind us|behind us|off the list|can be closed|is closed|closed now|sorted out|taken care of|ничего не осталось|больше ничего не осталось|закрыта|закрыт|закрыто|没有任何遗留|没有遗留|到此为止|可以关闭|可以结案|no queda nada|nada por hacer|queda nada|il ne reste rien|ne reste rien|reste rien à faire|nichts zu tun|bleibt nichts|não sobrou nada|não falta nada|nada a fazer|non resta nulla|niente da fare|残作業はない|残作業はありません|仕上が|一件落着|片付|남은 일은 없|남은 일이 없|할 일이 없|마무리"},
	{mVerified, "gives the right|gave the right|right result|right results|correct result|correct results|correct output|comes out right|come out right|comes out correctly|no trouble|no problem with|holds up|behaves|behaves itself|behaves as it should|ведёт себя|ведет себя|как положено|核对无误|核实|表现完美|符合预期|ningún problema|da ningún problema|no da problemas|se comporta|aguanta|verhält sich|bewährt|se comporte|tient la route|nenhum problema|não dá problema|si comporta|安定して|思ったとおり|思い通り|期待どおり|안정적|기대한 대로|기대대로"},
	{mPass, "happy with|no complaints about|pleased with|satisfied with|доволен|довольна|довольны|没挂|没报红|都没挂|luz verde|da luz verde|contento con|zufrieden|content de|content|落ちていない|落ちない|グリーン|만족"},
	{mCommitted, "recorded on the|recorded in the|working copy is clean|left in the working copy|in the history|in the repository now|has a hash|own revision|записано в ветку|в истории|进了版本库|进版本库|存进了历史|工作区里不再|registrado en la rama|en el historial|in der historie|dans l'historique|consigné sur|registrado na branch|no histórico|履歴に残|リポジトリに収|に記録され|기록되었|기록됐|이력에 남|저장소에 들어"},
	{mPushed, "its way upstream|went upstream|is upstream|are upstream|landed upstream|the remote has|remote has|origin has|origin now has|github has|github shows|ушёл в origin|ушел в origin|到了服务器上|上了github"},
	{mMerged, "trunk contains|trunk has|main contains|main has|main now has|master has|master contains|went into main|went into master|went into trunk|into the main branch|went in|it went in|вошла в мастер|вошла в main|вошёл в main|в основной ветке|进了主干|进主干|进了主分支|并进去|并进了|entró en main|entró en la rama|ging in main|rejoint main|rejoint la branche|entrou na main|entrou no main|entrou na master|本流に入|合流|합류"},
	{mDeployed, "customers are on|customers have|users are on|users have|users get|everyone is on|clients are on|clients have|real traffic|live traffic|in the wild|боевой трафик|дошёл до пользователей|用户手里|用户手中|可以下载|可下载|已可用|tráfico real|echten verkehr|trafic réel|tráfego real|ユーザーの手|世に出|ダウンロードできる|사용자에게 전달|세상에 나|내려받을 수"},

	// What is not there is no claim of it.
	// Work that was done, as others than its doer tell it.
	{mEdited, "inserted|pulled out|put in|eingefügt|fügte|inséré|insérée|intégré|intégrée|insertado|insertó|incorporó|incluyó|incluido|inseriu|inserido|incluiu|incluído|colocou|inserito|inserita|inseriti|aggiunti|messo a punto|вставил*|вставлен*|включил*|altered|modified|extended|expanded|rewired|raised|lowered|tightened|loosened|widened|relaxed|swapped|adapted|tweaked|verändert|erhöht|angehoben|gesenkt|reduziert|ausgetauscht|überarbeitet|erweitert|änderte|behob|ersetzte|entfernte|ergänzte|erstellte|korrigierte"},
	{mEdited, "augmenté|augmentée|réduit|réduite|élargi|élargie|modifiés|modifiées|changée|changés|ajoutées|adaptée|adaptés|relevé à|abaissé|añadió|agregó|cambió|corrigió|arregló|eliminó|quitó|creó|escribió|reescribió|reemplazó|movió|implementó|actualizó|renombró|modificó|ajustó|ajustado|ajustada|amplió|ampliado|ampliada|redujo|reducido|aumentó|aumentado|aumentada|resolvió|sustituyó|configuró|migró|cambiada|modificada|actualizada"},
	{mEdited, "adicionou|alterou|alterada|corrigiu|removeu|removida|criou|escreveu|reescreveu|substituiu|moveu|implementou|implementada|atualizou|atualizada|renomeou|modificou|modificada|mudou|mudada|ajustou|ajustado|ajustada|aumentou|aumentei|aumentado|aumentada|reduziu|reduzido|trocou|troquei|trocado|resolveu|migrou|migrado|configurou|consertou|aumentato|aumentata|ridotto|ridotta|ampliato|modificata|cambiata|aggiornata|corretta|rimossa|spostata|sistemata"},
	{mEdited, "увеличил*|увеличен*|уменьшил*|уменьшен*|снизил*|снижен*|повысил*|повышен*|расширил*|расширен*|скорректировал*|скорректирован*|доработал*|доработан*"},
	{mEditWeak, "引き上げ|引き下げ|増やし|減らし|変え|延ばし|差し替え|调高|调低|调大|调小|늘렸|줄였"},

	{mEditWeak, "altering|changing|touching|modifying|editing|ändern|verändern|anfassen|anrühren|angefasst|angerührt|modifier|changer|toucher|touché|touchée|modificar|cambiar|tocar|tocado|alterar|mudar|mexer|mexido|modificare|cambiare|toccare|toccato|менять|изменять|трогать|тронут*|правок|правки|动过|改动|触れ|手を付け|手をつけ"},
	{mFail, "упавш*|падающ*|fehlgeschlagene*|fehlschlagende*|fallidos|fallidas|fallido|fallida|falhados|falhos|falliti|fallite|échoués|échouées|en échec|en fallo|en error|con error|com falha|com erro|in errore|im fehlerzustand"},

	// What is still to come.
	{mNeg | mNegAdj, "left to|is left to|is up to|überlassen|laissé à|laissée à|queda en manos|cabe a|cabe ao|fica com|spetta a|lasciato a|за пользователем|交由|留给|任せ|to come|still to come|yet to come|to follow|still due|remains open|remains outstanding|left undone|steht noch aus|stehen noch aus|steht aus|stehen aus|noch offen|bleibt offen|bleiben offen|folgt noch|kommt noch|reste à faire|restent à faire|reste à venir|à venir|en suspens|encore à faire|por hacer|queda por hacer|quedan por hacer|queda pendiente|quedan pendientes|por venir|por fazer|fica por fazer|ficam por fazer|pendente|pendentes|em aberto|da fare|resta da fare|restano da fare|in sospeso|впереди|предстоит|仍待|有待|尚待|还差|これから|未着手|남아|남았"},
	{mNeg | mNegAdj, "missing|still missing|is missing|lacking|lacks|absent|outstanding|still open|left open|fehlt|fehlen|fehlt noch|manque|manquent|manquant|falta|faltan|faltam|manca|mancano|отсутствует|отсутствуют|не хватает|缺少|缺|还没写|还没有写|没有写|足りない|未作成|빠져 있|없다|없음|없어"},

	// A list is not ready, and what is proposed is no claim.
	{0, "so far|de subida|la subida|una subida|subida de|subidas de|测试环境|测试服|测试服务器|测试数据|测试库|测试机|la lista|una lista|lista de|listas de|a lista|as listas|uma lista|les listes|las listas|esta lista|nova lista|nueva lista"},
	{mFuture, "proposé|proposée|proposés|proposées|suggéré|suggérée|suggérés|suggérées|recommandé|recommandée|propuesto|propuesta|propuestos|propuestas|sugerido|sugerida|proponen|recomendó|recomendado|vorgeschlagen|empfohlen|proposto|proposta|propostos|propostas|proposti|proposte|sugerida|recomendado|предложены|предложена|предложен|рекомендовано|recommended|proposed"},
	{mDone, "au point"},

	// After a commit of a transaction.
	{0, "커밋 뒤에|커밋 후에|커밋 뒤|커밋 이후"},

	// No claims: words about commits in general.
	{mHedge, "how to|hacer|faire|fare|fazer|wie man"},
	{0, "test helper|test helpers|test data|test fixture|test fixtures|test setup|test environment|test server|test database|push notification|push notifications|commit message|commit messages|commit hook|commit hooks|commit history|commit hash"},

	// No claims: what stood in the repository before.
	{0, "last committed|previously committed|already committed|committed state|committed version|last commit|previous commit|letzten commit|letzter commit|último commit|dernier commit|последнего коммита|последний коммит"},

	// The person's yes.
	{mApproved, "approved|signed off|greenlit|green-lit|authorized|authorised"},
	{mApproved, "одобрил*|одобрен*|согласовал*|согласован*|утвердил*|утвержден*|утверждён*|подтвердил*|схвалив|схвалено"},
	{mApproved, "批准|已同意|同意了|已授权|核准"},
	{mApproved, "aprobó|aprobado|aprobada|autorizó|autorizado|autorizada|aprovou|aprovado|aprovada|autorizou"},
	{mApproved, "genehmigt|freigegeben|genehmigte|bewilligt|zugestimmt"},
	{mApproved, "approuvé|approuvée|approuvés|autorisé|autorisée|validé par|approvato|approvata|autorizzato"},
	{mApproved, "承認され|承認しま|承認済|許可され|승인했|승인됐|승인되|허가"},
	{mApproved, "goedgekeurd|zatwierdzon*|zatwierdził*|onaylandı|onayladı"},

	// What is still to come.
	{mFuture, "could be|can be|would be|might be|may be|to be|ready to|need to|needs to|will|will be|must be|has to|have to|waits to|waiting to|waiting for|waits for|awaits|awaiting|before being|going to|about to|wants to|asks to|asked to|asks whether|asks for|plans to|yet to|proposes|proposes to|suggests|suggested|would"},
	{mFuture, "нужно|надо|осталось|остаётся|остается|будет|будут|предстоит|ждёт|ждет|ожидает|собирается|предлагает|предложено|просит|следует|залишилось|треба|буде|чекає|пропонує"},
	{mFuture, "需要|将会|即将|将要|准备|等待|待|打算|请求|是否|还要|要不要|建议"},
	{mFuture, "falta|hay que|será|serán|debe|deben|espera|esperando|por hacer|pide|va a|queda|precisa|aguarda|aguardando|deve|será|propone|propõe|sugere"},
	{mFuture, "fehlt|fehlen|muss|müssen|soll|sollen|wird|werden|wartet|möchte|bittet|steht aus|stehen aus|noch zu|schlägt vor"},
	{mFuture, "manca|mancano|manque|manquent|doit|doivent|sera|seront|attend|reste à|faut|d'être|en attente|demande|veut|propose|deve|devono|sarà|attende|in attesa|resta da"},
	{mFuture, "必要|予定|待ち|待って|してよいか|するか|するかどうか|したい|これから|提案|예정|필요|기다리|대기|하기 전|제안"},
	{mFuture, "moet|moeten|zal|wacht|musi|czeka|czekają|zostanie|należy|gerekiyor|bekliyor|edilecek"},

	// Denials that stand at a noun.
	{mNegAdj, "skipped|skipping|pending|blocked|untested|unverified|uncommitted|unpushed|пропущен*|pendiente|pendientes|omitido|omitidas|übersprungen|ausstehend|ausgelassen|ignoré|ignorés|sauté|saltato|saltati|overgeslagen|跳过|跳過|スキップ|건너|대기"},
}
