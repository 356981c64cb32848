package evidence

// proposalWords tell how something is said: that it is proposed or planned, not
// so yet, no longer so, or new.
var proposalWords = [...]entry{
	// Words by which an agent proposes.
	{wordProposes, "would|could|should|shall|suggest*|propos*|recommend*|advis*|my advice|i can|we can|i'll|i will|we'll|let me know|tell me|if you like|if you want|alternatively|might"},
	{wordProposes, "würde|würden|wären|könnte|könnten|sollte|sollten|wäre|ließe|vorschlag*|vorschläge|vorgeschlag*|schlage|schlagen wir|schlägt vor|vorzuschlagen|empfehl*|empfiehl*|empfohl*|soll ich|sollen wir|sag bescheid|kann ich|können wir|rate ich|rät"},
	{wordProposes, "propos*|suggèr*|suggér*|recommand*|conseill*|pourrai*|dois-je|faut-il|il faudrait|dites-moi|dis-moi|je peux|nous pouvons"},
	{wordProposes, "propongo|propone|proponemos|propondr*|propuso|propuest*|propon*|suger*|sugier*|recomend*|recomiend*|aconsej*|podría|podríamos|debería|dime|puedo|podemos|convendría"},
	{wordProposes, "proponho|propõe|propus*|propôs|propost*|sugir*|sugest*|poderia|poderíamos|deveria|diga-me|posso|podemos|devo|juntaria|faria|usaria|aconselh*"},
	{wordProposes, "propong*|propon*|propost*|sugger*|consigli*|raccomand*|potrei|potremmo|dovrei|dimmi|potrebbe|dovrebbe"},
	{wordProposes, "бы|предлаг*|предлож*|совету*|посовет*|рекоменд*|можно|могу|могли бы|скажите|скажи|стоит"},
	{wordProposes, "建议|提议|推荐|可以|不如|要我|要不要|请告诉我"},
	{wordProposes, "提案|おすすめ|お勧め|勧め|推奨|ましょうか|とよい|といい|たらよい|ればよい|べき|教えてください|よいですか"},
	{wordProposes, "제안|추천|권장|할까요|하면 좋|좋겠|수 있습니다"},
	// And plainly so: "I would".
	{wordOffers, "i would|i'd|i suggest|i propose|i recommend|i could|i would also suggest|my suggestion|my recommendation|ich würde|ich schlage|ich empfehle|ich könnte|mein vorschlag|je propose|je suggère|je recommande|je pourrais|propongo|sugiero|recomiendo|proponho|sugiro|recomendo|consiglio|предлагаю|советую|рекомендую|я бы|我建议|建议|提案します|おすすめします"},
	// What the lexicon takes for such a word and is none.
	{0, "可以正常|就可以|已可以|it should|they should|as expected"},
	// Words of plans, which an answer has in other places too.
	{wordPlans, "can|can be|kann|können|peut|peuvent|puede|pueden|pode|podem|può|possono|может|могут|できます|できる|plan|plans|planned|planning|option|options|idea|ideas|possible|possibly|consider*|if|whether|unless|next step|decid*|decision|approv*|confirm*|pick|choose|wants|want|needs|need|waits|waiting|awaits|awaiting|question|offer|offers|offered|asks whether|asked whether|asks if|will|going to|in question|design|sketch*|outlin*"},
	{wordPlans, "plan|geplant*|option|optionen|idee|möglich*|wenn|falls|ob|soll|sollen|entscheid*|entschied*|freigabe|bestätig*|wartet|warten|nächster schritt|angebot|angeboten|bietet|denkbar|frage|steht aus|will|wollen"},
	{wordPlans, "plan|prévu*|option|options|idée|possib*|si|attend*|décid*|décision|prochaine étape|envisag*|faut|question|offre|doit|à faire|choix|choisir"},
	{wordPlans, "plan|opción|opciones|idea|posib*|si|espera|esperando|decid*|decisión|siguiente paso|pendiente*|pregunta|ofrec*|hay que|elegir"},
	{wordPlans, "plano|opção|opções|ideia|possív*|caso|espera|aguard*|decid*|decisão|próximo passo|pendente*|pergunta|oferec*|escolh*"},
	{wordPlans, "piano|opzion*|idea|possibil*|attend*|decid*|decision*|prossimo passo|domanda|offr*|scegli*|scelta"},
	{wordPlans, "план*|вариант*|иде*|возможн*|если|ли|решить|решения|решение за|ждёт|ждет|ожида*|следующий шаг|вопрос*|нужно|надо|следует|намер*|собира*|будет|будут|выбрать|выбор"},
	{wordPlans, "方案|打算|计划|如果|是否|等你|考虑|等待|决定|待|需要|下一步|想要|选择|设想|思路|讨论"},
	{wordPlans, "なら|れば|案|予定|検討|待ち|判断|決め|かどうか|次は|次の|方針|質問|承認|選択"},
	{wordPlans, "계획|예정|여부|결정|대기|검토|방안|다음"},

	// What is not so yet.
	{wordPends, "still|yet|not yet|remain*|missing|unsolved|unresolved|unfixed|open|to do|todo|outstanding|red|not solved|not fixed|not done|left to|is left|are left"},
	{wordPends, "noch|steht aus|stehen aus|ausstehend*|weiterhin|nach wie vor|fehlt|fehlen|offen|ungelöst|rot|bleib*|übrig|stehen aus|steht aus|stehen noch aus|steht noch aus|schlägt fehl|schlägt weiter fehl|schlagen fehl"},
	{wordPends, "encore|toujours pas|est toujours|sont toujours|échou*|échec|rouge|manqu*|reste à|restent|pas résolu|pas encore"},
	{wordPends, "todavía|aún|sigue|siguen|falta|faltan|queda por|quedan por|quedan|pendiente*|en rojo|sin resolver|fallando"},
	{wordPends, "ainda|falta|faltam|pendente*|continua|continuam|vermelho|resta|restam|falha|falham"},
	{wordPends, "ancora|manca|mancano|resta|restano|rimang*|fallisc*|rosso|rossa"},
	{wordPends, "пока|впереди|ещё не|еще не|всё ещё|все ещё|всё еще|все еще|ещё на|еще на|до сих пор|по-прежнему|остал*|остаё*|остае*|красный|красная|красные|не решен*|не решён*|падает|падают"},
	{wordPends, "还没|还是|还未|还在|仍|仍然|尚未|尚|未完成|没解决|待办"},
	{wordPends, "まだ|未解決|未対応|残りは|これから|依然|のまま"},
	{wordPends, "아직|여전히|남아|미완|실패"},
	{0, "noch ein|noch eine|noch einen|encore un|encore une|nur noch|noch einmal|noch mehr|sowohl noch|encore une fois|encore plus|ещё раз|еще раз|still works|still passes|still pass|left join|open the|ancora una volta|aún más"},

	{wordContrasts | wordPends, "aside|not counting|not included|ausgenommen|nicht mitgerechnet|mis à part|mise à part|non compris|non comprise|sin contar|sem contar|esclus*|не считая|不含|不包括|除外|except|except that|apart from|bis auf|außer|sauf|hormis|excepto|salvo|exceto|tranne|eccetto|кроме|除了|を除"},
	{wordContrasts, "but|however|although|though|yet only|while|aber|jedoch|doch|während|mais|cependant|tandis que|pero|aunque|mientras que|mas|porém|enquanto|ma|però|mentre|но|однако|а|хотя|但|但是|不过|ただし|しかし|ましたが|ますが|ですが|하지만|지만|그러나"},

	// What was so and is not.
	{wordEnds, "no longer|no more|any more|anymore|not any longer|nicht mehr|kein mehr|keine mehr|nicht länger|plus aucun|plus aucune|n'a plus|n'est plus|n'échoue plus|ne plus|ya no|não há mais|não mais|já não|non più|non è più|più nessun|più nessuna|больше нет|больше не|более не|уже не|не осталось|不再|没有再|再也没|なくなりました|なくなって|なくなった|더 이상"},
	{wordChanges, "already|bereits|schon|wurde|déjà|ya|já|già|уже|已|已经|了|もう|이미"},
	{wordTurns, "now|became|got|стал|стала|стало|стали|なりました|なった|went down|went up|dropped from|dropped to|fell from|fell to|was reduced|were reduced|down from|jetzt|nun|sank von|nunmehr|maintenant|désormais|à présent|ahora|agora|ora|adesso|теперь|现在|变成|改为|ようになりました|ようになった|今は|이제"},
	{0, "not now|for now|right now|until now|bis jetzt|por ahora|por agora|per ora"},

	{wordUnchanged, "no changes|no change|nothing was changed|nothing changed|nichts geändert|geändert ist nichts|rien n'est modifié|rien n'a changé|nada cambi*|没有改动|没有修改|未改动|没有变更|変更していません|変更はありません|ничего не менял*|ничего не измен*|nessuna modifica|nenhuma mudança"},
	{wordServer, "server|servers|servidor|serveur|сервер*|サーバー|サーバ|服务器|서버|upstream|remote|origin|github|gitlab|customers|clients|users|kunden|clientes|клиент*|客户|お客様"},

	// What was so before and is so still; and what others are to do.
	{wordStays, "keeps|kept|keep|stays|stayed|stay|continues|lags|lagging|unchanged|untouched|unaltered|as before|as it was|as they were|as is|as they are|left alone|the old|behält|behalten|bleibt|bleiben|blieb|blieben|beibehalten|unverändert*|unberührt*|wie bisher|wie zuvor|wie vorher|wie es war|wie sie waren|stehen lassen|stehen gelassen"},
	{wordStays, "garde|gardent|conserve|conservent|demeure|demeurent|inchangé|inchangée|inchangés|inchangées|intact|intacte|intacts|intactes|comme avant|tel quel|telle quelle|tels quels|telles quelles|en l'état|mantiene|mantienen|conserva|conservan|permanece|permanecen|intacto|intacta|intactos|intactas|como antes|como estaba|como estaban|tal cual|sin cambios|mantém|mantêm|como estavam|sem alterações|mantiene|mantengono|conserva|conservano|rimane|rimangono|invariato|invariata|invariati|invariate|come prima|com'era|com'erano"},
	{wordStays, "ещё|еще|还要|还需|还得|还差|сохраняет|сохраняют|прежний|прежняя|прежнее|прежние|без изменений|нетронут*|как раньше|как прежде|как было|как были|保持不变|保持原样|维持原样|维持不变|不变|原样|照旧|依旧|依然|変わらず|そのまま|従来どおり|従来通り|据え置き|그대로|변함없"},
	{0, "deixou de|deixa de|dejó de|deja de"},
	{wordPlans, "deixou|deixa|deixada para|deixado para|dejó|deja|dejado para|dejada para|laisse|lascia|lasciato|lasciata|up to you|left to|left for|falls to|is for|liegt bei|obliegt|überlassen|überlässt|revient à|incombe à|laisse à|laissé à|laissée à|corresponde a|toca a|queda en manos|a cargo de|cabe a|cabe à|cabe ao|fica com|fica a cargo|spetta a|tocca a|lasciato a|lasciata a|остаётся за|остается за|за вами|предстоит|交由|留给|留待|由你|由用户|任せ|委ね|맡기|맡겼"},

	// What a part opens with that tells more of the one before.
	{wordGoesOn, "with|because|since|as|where|which|that|mit|weil|da|wobei|der|die|das|avec|car|parce|où|qui|con|porque|ya que|com|pois|perché|che|dove|с|потому|так как|который|которая|因为|而不是"},
}
