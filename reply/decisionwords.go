package reply

import (
	"slices"
	"strings"
	"sync"
)

// verbRule finds a command by its verb.
type verbRule struct {
	why string
	// verbs stand at the beginning of a clause, infinitives at its end too.
	verbs, infinitives []string
	// objects, where there are any, are what the verb must be about.
	objects []string
	// prefix, where there is one, opens an object: "TestLogin".
	prefix string
	// both: the infinitives need an object too; last: it is the last word.
	both, last bool
}

// about reports whether the verb is about one of the objects, or about what
// was said before.
func (r *verbRule) about(rest []string) bool {
	if len(r.objects) == 0 || len(rest) == 0 && !r.both && !r.last {
		return true
	}
	if r.last && len(rest) > 1 {
		rest = rest[len(rest)-1:]
	}
	return slices.ContainsFunc(rest, func(w string) bool {
		w = w[strings.LastIndexByte(w, '\'')+1:] // l'équipe
		return r.prefix != "" && strings.HasPrefix(w, r.prefix) || slices.ContainsFunc(r.objects, func(o string) bool { return w == o || w == o+"s" || strings.HasSuffix(w, "-"+o) })
	})
}

func words(s string) []string { return strings.Fields(s) }

// The lists, made when they are first asked for.
var (
	verbRules     = sync.OnceValue(listVerbRules)
	joiners       = sync.OnceValue(listJoiners)
	fillers       = sync.OnceValue(listFillers)
	toWords       = sync.OnceValue(listToWords)
	answerWords   = sync.OnceValue(listAnswerWords)
	strongAnswers = sync.OnceValue(listStrongAnswers)
	phraseRules   = sync.OnceValue(listPhraseRules)
	denseRules    = sync.OnceValue(listDenseRules)
	picks         = sync.OnceValue(listPicks)
	doIts         = sync.OnceValue(listDoIts)
	emptyWords    = sync.OnceValue(listEmptyWords)
)

// data are things that are gone when they are removed.
const data = `file directory folder branch database db table column row record data backup bucket volume container image cluster namespace server instance account user users customer repository repo
	stash tag release history index schema collection deployment log cache everything all secret key
	datei dateien ordner verzeichnis zweig datenbank tabelle spalte daten backup konto benutzer alles
	fichier fichiers dossier répertoire branche base table données compte utilisateur sauvegarde tout
	archivo archivos fichero carpeta directorio rama base tabla datos cuenta usuario copia todo
	arquivo pasta ramo banco tabela dados conta usuário tudo file cartella ramo tabella dati account utente tutto
	файл файлы папку каталог ветку базу таблицу данные аккаунт пользователя бэкап все`

// listVerbRules are for languages with blanks between words.
func listVerbRules() []verbRule {
	return []verbRule{
		{
			why: DecidesApproval, verbs: words(`approve approved authorize authorise lgtm genehmige genehmigt freigeben approuve approuvez j'approuve autorisez aprueba apruebo aprobar confirmo acepto autorizo
			aprova aprove aprovo aceito approva approvo confermo одобри одобряю одобрить подтверждаю разрешаю принимаю утверди утверждаю согласен согласна`), infinitives: words(`genehmigen freigeben approuver aprobar aprovar approvare`),
		},
		{
			why: DecidesApproval, verbs: words(`allow accept permit grant confirm erlaube akzeptiere bestätige autorise accepte acceptez confirme confirmez acepta confirma permite autoriza aceita accetta conferma autorizza подтверди подтвердить подтвердите разреши разрешить разрешите прими`), objects: words(`it this that them plan command request change edit permission access call tool proposal offer operation action deployment
				es das befehl änderung änderungen vorschlag aktion plan zugriff ausführung cela ça commande demande modification proposition opération accès eso esto comando solicitud cambio propuesta operación acceso
				isso alteração mudança questo modifica comando это план команду запрос изменения изменение операцию действие предложение доступ запуск выполнение`),
		},
		{
			why: DecidesMerge, verbs: words(`merge rebase-merge squash-merge
			merge mergen zusammenführen fusionne fusionnez fusionner fusiona fusionar mergea mergear mescla mesclar faça-merge unisci unire fondi
			слей слить смержи смерджи смержить смерджить влей влить замержи замержить объедини-ветки мержи мерджи`), infinitives: words(`mergen zusammenführen fusionner fusionar mergear mesclar слить смержить`),
		},
		{
			why: DecidesDelete, verbs: words(`delete destroy wipe purge erase revert rollback undo nuke rm rmdir shred unpublish overwrite discard obliterate force-push hard-reset
			lösche lösch vernichte überschreibe verwerfe verwirf wirf leere
			supprime supprimez supprimer efface effacez effacer détruis détruisez détruire écrase annule annulez
			elimina eliminar borra borrar destruye destruir vacía sobrescribe descarta revierte deshaz
			exclua excluir apague apagar delete deletar elimine apaga cancella cancellare distruggi svuota sovrascrivi
			удали удалить удалите сотри стереть снеси снести уничтожь уничтожить очисти очистить перезапиши отбрось откати откатить отмени отменить`), infinitives: words(`löschen leeren rückgängig vernichten überschreiben verwerfen wegwerfen supprimer effacer détruire eliminar borrar excluir apagar cancellare удалить стереть`),
		},
		{
			why: DecidesDelete, verbs: words(`remove drop truncate clear reset clean prune uninstall
			entferne entfern entfernen setze zurücksetzen retire retirez enlève enlevez retirer enlever quita quitar remueve remover remove remova rimuovi rimuovere убери убрать сбрось сбросить`), objects: words(data),
		},
		{
			why: DecidesDelete, verbs: words(`truncate empty drop clear leere kürze vide tronque vacía trunca esvazie trunque svuota tronca очисти опустоши`),
			objects: words(`list order customer entry entries item product invoice liste listen bestellung bestellungen kunden commande client lista pedido cliente ordini clienti список списка заказы`), last: true,
		},
		{
			why: DecidesTest, verbs: words(`remove delete drop disable skip comment mute ignore deactivate exclude quarantine silence bypass turn switch mark relax loosen weaken xfail
				entferne entfern lösche streiche deaktiviere überspringe überspring kommentiere kommentier ignoriere schalte nimm markiere lockere
				supprime supprimez retire retirez désactive désactivez ignore ignorez saute sautez commente commentez enlève enlevez neutralise marque
				elimina borra quita desactiva deshabilita omite salta ignora comenta excluye marca remova exclua desative desabilite pule ignore comente retire marque rimuovi elimina disattiva disabilita salta commenta togli
				удали удалите отключи отключите пропусти пропустите закомментируй закомментируйте убери уберите игнорируй выключи выключите исключи исключите пометь`),
			infinitives: words(`entfernen löschen deaktivieren überspringen auskommentieren abschalten ausschalten ignorieren supprimer désactiver ignorer commenter desactivar omitir comentar desativar ignorar удалить отключить пропустить закомментировать`),
			objects:     words(`test spec testcase assertion suite check testfall tests prüfung essai prueba prova teste тест тесты теста тестов проверку`), prefix: "test", both: true,
		},
		{
			why: DecidesContact, verbs: words(`ask tell inform notify email e-mail mail message ping contact announce forward
				frage frag informiere benachrichtige maile kontaktiere bitte demande demandez préviens prévenez informe informez contacte contactez avertis
				pregunta pregúntale avisa informa notifica contacta pergunte avise informe notifique contate chiedi chiedere avvisa informa notifica contatta
				спроси спросите сообщи сообщите уведоми уведомите предупреди предупредите свяжись свяжитесь`),
			infinitives: words(`fragen informieren benachrichtigen kontaktieren anschreiben prévenir informer contacter preguntar avisar informar contactar avvisare contattare спросить сообщить уведомить`),
			objects: words(`team customer client user boss manager colleague coworker reviewer maintainer support stakeholder everyone somebody someone people vendor accounting marketing
				kunden kunde nutzer benutzer kollegen kollegin kollege chef chefin mannschaft équipe clients client utilisateurs collègue collègues responsable
				equipo clientes cliente usuarios jefe compañeros equipe time usuários chefe colegas squadra clienti utenti capo colleghi
				команду команде команды клиента клиентов клиентам пользователей пользователям коллег коллегам начальника менеджера`), both: true,
		},
		{
			why: DecidesContact, verbs: words(`send write schreibe schreib sende schicke schick verschicke envoie envoyez écris écrivez envía envíe manda escribe envie mande escreva invia manda scrivi отправь отправьте напиши напишите разошли`),
			infinitives: words(`schreiben senden schicken verschicken envoyer écrire enviar escribir escrever inviare scrivere отправить написать разослать`),
			objects:     words(`mail email e-mail newsletter sms courriel correo письмо письма рассылку slack rundmail`), both: true,
		},
		{
			why: DecidesPayment, verbs: words(`pay buy purchase top-up recharge upgrade-plan
			bezahle zahle kaufe bezahlen kaufen abonniere paie paye payez payer achète achetez acheter abonne
			paga pagar compra comprar suscribe pague pagar compre assine acquista acquistare compra paghi
			оплати оплатить оплатите заплати заплатить купи купить купите пополни пополнить подпишись`), infinitives: words(`bezahlen kaufen abonnieren aufladen payer acheter pagar comprar acquistare оплатить купить`),
		},
		{why: DecidesPayment, verbs: words(`upgrade subscribe add increase raise top`), objects: words(`plan subscription credit billing quota tier balance budget`)},
	}
}

// listJoiners part two clauses.
func listJoiners() []string {
	return words(`and then & und dann anschließend danach sowie et puis ensuite y luego después entonces e então depois poi quindi и затем потом а после`)
}

// listFillers stand before the verb of a clause.
func listFillers() []string {
	return words(`please now also just kindly next first finally go ahead let's lets can could would will you i'd like want we i to for me us so ok okay sure yes great thanks now,
		bitte jetzt nun noch auch gleich mal kannst könntest würdest du den die das dann erst zuerst
		s'il te vous plaît svp maintenant aussi peux-tu pouvez-vous pourrais-tu tu peux vas-y d'abord je veux que
		por favor ahora también puedes podrías puede adelante primero quiero que você pode poderia agora também per favore ora adesso anche puoi potresti prima
		пожалуйста теперь сейчас также еще можешь можете давай сначала просто тогда`)
}

// listToWords stand before an infinitive inside a clause.
func listToWords() []string { return words(`to zu чтобы`) }

// listAnswerWords are a whole answer; listStrongAnswers are one whatever
// follows in their clause.
func listAnswerWords() []string {
	return append(listStrongAnswers(), words(`ok okay sure fine agreed correct right great perfect proceed approved confirmed accepted deal done continue both neither either
		gut einverstanden genau richtig passt klar beides mache
		d'accord parfait entendu exact volontiers
		vale bien correcto perfecto claro hecho certo perfeito combinado bene perfetto d'accordo
		хорошо ладно верно правильно согласен согласна конечно оба`)...)
}

func listStrongAnswers() []string {
	return words(`yes no yep yeah yup nope nah lgtm y n ja nein jawohl nö doch oui non ouais sí si-claro não sim да нет ага неа угу sì`)
}

type phraseRule struct {
	why     string
	phrases []string
}

func phrases(s string) []string {
	var out []string
	for l := range strings.SplitSeq(s, "|") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// listPhraseRules find what is no matter of one verb.
func listPhraseRules() []phraseRule {
	return []phraseRule{
		{DecidesApproval, phrases(`^go ahead | ^go for it | that's fine | that is fine | fine by me | that works | works for me | ^sounds good | ^looks good | looks good to me | i approve | i accept | i confirm | i agree | i allow | you have my permission | permission granted | you may proceed | you can proceed | ^proceed with it | ^ship it | ^please proceed
			| ^mach weiter so | ^leg los | ^nur zu | ^klingt gut | ^sieht gut aus | ich genehmige | ich bestätige | ich stimme zu | ich bin einverstanden | einverstanden
			| ^vas-y | ^allez-y | ^ça marche | j'approuve | je confirme | j'accepte | je valide | je suis d'accord
			| ^adelante | ^de acuerdo | ^me parece bien | ^suena bien | lo apruebo | lo confirmo | estoy de acuerdo | ^pode fazer | ^vá em frente | ^procedi pure | ^va bene
			| ^действуй | ^согласен | ^согласна | я согласен | я одобряю | я подтверждаю | ^вперед | ^выполняй | ^продолжай, разрешаю
			| ^好的 | ^好， | ^可以， | ^可以的 | ^同意 | ^没问题 | ^就这么做 | ^就这样 | ^行， | ^确认 | ^批准 | 我同意 | 我批准 | 我确认
			| ^承認 | 承認します | 承認する | 許可します | ^それでお願い | ^それで進めて | ^問題ありません | ^了解 | ^わかりました | ^お願いします | ^進めてください
			| ^승인 | 승인합니다 | 승인해 | 허락 | ^진행해 | ^그렇게 해 | ^좋아`)},
		{DecidesAnswer, phrases(`^はい | ^いいえ | ^ええ、 | ^うん | ^是的 | ^是， | ^不是 | ^不， | ^不用 | ^不要 | ^对， | ^对的 | ^要， | ^예, | ^네 | ^아니요 | ^아니오 | ^the first | ^the second | ^the former | ^the latter | ^option | ^both of | ^neither of | ^i prefer | ^i'd prefer | ^i choose | ^let's go with | ^go with
			| ^yes | ^no, | ^ich bevorzuge | ^nimm die | ^nimm option | ^je préfère | ^prefiero | ^выбираю | ^предпочитаю | ^我选 | ^选择第 | ^我选择`)},
		{DecidesDelete, phrases(`reset --hard | push --force | push -f | force push | force-push | rm -rf | rm -r | git clean | drop table | drop database | drop the database | drop the table | drop schema | delete from | --force-with-lease | branch -d | throw away | get rid of the | start from scratch | git checkout -- | tear down | tear it down | spin down | shut down the | wirf weg | снеси | force pushe`)},
		{DecidesMerge, phrases(`merge the pr | merge the pull request | merge it | merge this | merge into main | merge into master | merge to main | merge the branch | gh pr merge | git merge | den pr mergen | die pr mergen | pull request mergen | merge la pr | fusionner la pr`)},
		{DecidesPayment, phrases(`place the order | check out the cart | enter your card | payment method | credit card`)},
		{DecidesReminder, phrases(`remember to | don't forget | do not forget | remind me | reminder: | make sure you | be sure to check | you should | you may want | you might want | you'll need to | you will need to | you need to | you have to | you must | you can now | you could now | your review | please review | please check | please verify | please confirm | please test | review the changes yourself | on your device | on your machine | manually test | test it manually | try it yourself | i'll | i will | i'm going to | i am going to | i need to | i should | let me know
			| denk daran | denken sie daran | vergiss nicht | vergessen sie nicht | nicht vergessen | erinnere mich | du solltest | sie sollten | du musst | sie müssen | ich werde | bitte überprüfen sie | bitte prüfen sie
			| n'oublie pas | n'oubliez pas | pense à | pensez à | souviens-toi | rappelle-moi | rappelez-vous | tu devrais | vous devriez | il faut que tu | vous devez | tu dois | je vais | veuillez vérifier
			| no olvides | no te olvides | no olvide | recuerda | recuerde | recuérdame | deberías | debería usted | tienes que | debes | voy a | por favor revisa | por favor, revisa | não esqueça | lembre-se | você deve | vou | non dimenticare | ricorda | ricordati | dovresti
			| не забудь | не забудьте | напомни | напоминание | тебе нужно | вам нужно | тебе стоит | вам стоит | ты должен | вы должны | вам следует | тебе следует | я буду | я сам | я проверю | пожалуйста, проверьте
			| 别忘了 | 别忘记 | 不要忘记 | 请记得 | 记得 | 提醒我 | 你需要 | 您需要 | 你应该 | 您应该 | 你可以 | 您可以 | 我会 | 我来 | 请您
			| 忘れずに | 忘れないで | 覚えておいて | リマインド | あなたは | ご確認ください | ご自身で | 私が | 必要があります | した方がいい | したほうがいい | するべきです
			| 잊지 마 | 기억하세요 | 확인해 보세요 | 당신은 | 제가`)},
		{DecidesVoice, phrases(`would you like | do you want | shall i | should i | may i | can i | want me to | if you want | if you'd like | let me | which one do you | what do you think | that's all | that is all
			| soll ich | möchtest du | möchten sie | willst du | wollen sie | wenn du willst | wenn du möchtest
			| dois-je | veux-tu que | voulez-vous | souhaitez-vous | souhaites-tu | si tu veux | si vous voulez
			| quieres que | desea que | te gustaría | le gustaría | debo | si quieres | você quer que | gostaria que | vuoi che | devo
			| хочешь, чтобы | хотите, чтобы | мне продолжить | мне сделать | следует ли мне | нужно ли мне | если хотите | если хочешь
			| 要我 | 需要我 | 您想 | 你想 | 您希望 | 你希望 | 是否需要 | 要不要 | しましょうか | いたしましょうか | ますか？ | ご希望 | 할까요 | 원하시`)},
	}
}

// denseRule finds a command in a script without blanks.
type denseRule struct {
	why string
	// with, where there are any, must stand in the clause too.
	with []string
	// starts and parts and ends are looked for in one clause.
	starts, parts, ends []string
}

func (d *denseRule) fits(clause string) bool {
	if len(d.with) > 0 && !slices.ContainsFunc(d.with, func(s string) bool { return strings.Contains(clause, s) }) {
		return false
	}
	for {
		rest := clause
		for _, f := range [...]string{"请", "现在", "然后", "接着", "再", "并且", "并", "就", "直接", "把它", "帮我", "先", "继续", "最后", "あと", "次に", "そして", "では", "まず"} {
			rest = strings.TrimPrefix(rest, f)
		}
		if rest == clause {
			break
		}
		clause = rest
	}
	return slices.ContainsFunc(d.starts, func(s string) bool { return strings.HasPrefix(clause, s) }) ||
		slices.ContainsFunc(d.parts, func(s string) bool { return strings.Contains(clause, s) }) ||
		slices.ContainsFunc(d.ends, func(s string) bool { return strings.HasSuffix(clause, s) })
}

func listDenseRules() []denseRule {
	return []denseRule{
		{why: DecidesTest, with: words(`测试 用例 テスト 테스트 test`), parts: words(`删除 删掉 移除 跳过 注释掉 禁用 忽略 关掉 关闭 屏蔽 削除 消し 消して スキップ コメントアウト 無効 無視 外して 삭제 지워 건너 주석 비활성 무시`)},
		{why: DecidesContact, with: words(`客户 团队 用户 同事 老板 邮件 お客様 顧客 チーム ユーザー 同僚 上司 メール 고객 팀 사용자 동료 메일`), parts: words(`发邮件 发一封 写邮件 发送邮件 通知 联系 询问 问一下 问问 告诉 告知 メールを送 メールし 送って 通知し 連絡し 聞いて 尋ね 知らせ 伝えて 보내 알려 물어 연락`)},
		{why: DecidesApproval, starts: words(`批准 同意 通过审批 确认执行 允许 授权`), parts: words(`承認して 承認を 許可して 승인해 승인하`), ends: words(`承認 承認お願いします`)},
		{why: DecidesMerge, starts: words(`合并 合入 合併 merge`), parts: words(`合并到 合并这个 合并pr 合并分支 合入主 分支合并 マージして マージを マージする 머지해 병합해 병합하`), ends: words(`合并 合并吧 マージ マージお願いします`)},
		{why: DecidesDelete, starts: words(`删除 刪除 删掉 清空 清除 抹掉 销毁 丢弃 强制推送 撤销 回滚 还原`), parts: words(`删掉 全部删除 一并删除 削除して 消して 破棄して 上書きして 初期化して 元に戻して 取り消して 削除お願い 삭제해 지워`), ends: words(`删除 删除吧 删了 清空 削除`)},
		{why: DecidesPayment, starts: words(`支付 付款 购买 充值 订阅 缴费`), parts: words(`支付费用 完成付款 支払って 支払いを 購入して 購読して 課金して 결제해 구매해`), ends: words(`付款 充值 支払い`)},
	}
}

// listPicks choose by place.
func listPicks() []string {
	return phrases(`option a | option b | option c | option 1 | option 2 | option 3 | first one | second one | the first | the second | the former | the latter | both | neither | whichever | either one | ^a | ^b | ^1 | ^2 | use the | let's use | ^use | keep it | ^keep | leave it
		| die erste | die zweite | den ersten | den zweiten | variante | beide | lass es | ^nimm | ^verwende | ^nutze | la première | le premier | la deuxième | le second | les deux | ^utilise | ^garde | la primera | el primero | la segunda | el segundo | ambos | ambas | ^usa | ^mantén
		| первый вариант | второй вариант | третий вариант | la première option | la deuxième option | la primera opción | la segunda opción | die erste variante | die zweite variante | первый | первую | второй | вторую | первое | второе | вариант | оба | ^используй | ^оставь | 第一个 | 第二个 | 第一种 | 第二种 | 方案 | 选项 | 两个都 | ^用 | ^使用 | ^选 | 最初の | 2番目 | １つ目 | 1つ目 | 2つ目 | 両方 | にして | を使って | でお願い`)
}

// listDoIts are clauses that say no more than: do it.
func listDoIts() []string {
	return phrases(`do it | do that | do so | mach das | mach es | mach das so | mach's | tu es | fais-le | faites-le | hazlo | fallo | давай | делай | сделай это | делай так`)
}

// listEmptyWords say nothing of what a text is about.
func listEmptyWords() []string {
	return words(`this that these those with from have what which when where would should could shall want like your you're they them there their then than into about also please need make does done will just more some such only very much want sure
		bitte soll sollen möchte möchtest noch auch oder eine einen einer eines diese dieser dieses wenn dann nicht wird werden kann kannst haben welche welcher welches
		dois vous voulez veux cette avec pour dans plus quel quelle quels faire être leur mais
		para como esta este esto quieres debo pero cuál cuáles hacer también puede todo
		хочешь хотите чтобы если нужно какой какая какие этот эта это мне тебе вам можно будет или`)
}
