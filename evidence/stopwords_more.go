package evidence

// moreNeutral are words of grammar, of place and of limits, by which a recap
// says how far something goes.
var moreNeutral = [...]string{
	// English.
	`whereas aside partly partially partial remaining rest outstanding place possible alone solely merely current future far previous former hence thereby beyond below above lower whichever latter former respective
	respectively likewise lives live resides belongs sits sit lies lie stands stand rests holds held local locally lags lagging existing present`,
	// German.
	`allerdings zwar teilweise teils lediglich bloß übrig übrigen übrige übriges restlichen restliche restlicher rest bislang vorerst derzeit aktuell aktuelle aktuellen jeweils jeweilige sonst ansonsten außer außerdem zudem
	hingegen dagegen obwohl bevor ehe indem falls sofern wem wessen deren dessen denen davor dahinter darunter darüber darauf hierfür hierzu wofür woran woher möglich mögliche möglichen eigene eigenen eigentlich
	lassen gelassen belassen ließ lässt beginnt beginnen begann gewesen würde würden hätte hätten wäre wären wollen will müsste dürfen dürfte liegt liegen lag lagen lokal vorher nachher vorhanden`,
	// French.
	`toutefois cependant tandis pourtant lequel laquelle lesquels lesquelles celui celle ceux celles parmi hors sauf partiellement partie actuel actuelle actuels actuelles possible possibles restant restante restants
	restantes quant ceci cela ça tel telle tels telles aucun aucune ailleurs autant devait devra serait seraient aurait pourrait pourraient viennent vient venait venir ensemble localement dedans dehors dessous dessus`,
	// Spanish.
	`restante restantes parcial parcialmente parte salvo excepto aparte actual actuales posible posibles propio propia propios propias dentro fuera localmente local ambas ambos mediante cuya cuyos cuyas aquello ello dicho dicha
	sigue siguen seguía seguían mantiene mantienen mantenía ver sería serían habría podría podrían tal tales demás resta restan pasa pasan quedaba quedaban quedaron causaba causaban`,
	// Portuguese.
	`restante restantes parcial parcialmente parte salvo exceto fora dentro atual atuais possível possíveis próprio própria próprios próprias ambos ambas tal tais demais porém contudo embora enquanto mantém mantêm continua
	continuam ficaram ficava estavam seria seriam haveria poderia poderiam pouco cabe cabem abaixo acima segue seguem permanece permanecem localmente`,
	// Italian.
	`tuttavia però sebbene parzialmente parziale parte salvo tranne eccetto oltre rimanente rimanenti restante restanti attuale attuali possibile possibili proprio propria propri proprie dentro fuori entrambi entrambe sarebbe
	sarebbero potrebbe potrebbero resta restano rimane rimangono rimasto rimasta rimasti rimaste viene vengono stesso stessa stessi stesse localmente negli com nello sugli dagli cogli allo`,
	// Russian.
	`однако хотя зато остальные остальное остальных остальной остальном остаток остатка частично отчасти лишь кроме помимо текущий текущая текущее текущие возможный возможная возможное возможные собственный собственного
	сама само сами самого самой самому поскольку ибо неизвестно внутри снаружи вместо около примерно остаётся остается остались остаются оба обе обоих обеих намеренно прежний прежняя прежние прежнего находится находятся
	лежит лежат вообще имеется имеются нужен нужна нужны своя своё свое свои собственная своего каждый каждая каждое каждого каждую локально отдельно отдельный отдельную отдельном отдельным отдельных`,
}

// moreSessionWords are the words by which a recap tells what an agent did with
// words alone: explained, compared, advised; and of what was left as it was.
var moreSessionWords = [...]string{
	`compare compared compares comparing comparison laid outlined outlines describe described describes identified identifies diagnosed investigated analysed analyzed analyses assessed examined studied summarised summarized summarises
	located traced attributed pointed flagged noted mentioned stated recommended recommends recommending recommendation suggests suggesting advised advises advising advice propose proposes proposing offering offered drafted
	sketched clarified concluded reckoned estimated estimate estimates counted calculated computed gathered collected picked chosen chose weighed judged ranked named listed remedy remedies option options alternative
	alternatives variant variants approach approaches solution solutions requested desired altered touched modification modifications correction corrections adjustment adjustments defined written fault faults reason reasons
	cause causes clear dropped aside`,
	`erläutert erläuterte erklärte verglich verglichen vergleicht vergleich beschrieben beschreibt beschrieb genannt nannte nennt aufgezeigt dargelegt skizziert untersucht untersuchte untersuchung ermittelt ermittelte geklärt klärte
	klären klärt empfohlen empfiehlt empfahl empfehlung rät riet geraten begründet begründete führt geführt zurückgeführt zurück geschätzt schätzt schätzung berechnet berechnung durchgesehen gesichtet gezählt gesammelt
	zusammengefasst zusammengestellt vorgelegt vorliegt umgesetzt umsetzung umbau umstellung umstieg wechsel korrektur behebung anpassung anpassungen bearbeitung verändert angefasst angerührt unberührt überarbeitet ursache
	ursachen grund gründe lösung lösungen weg wege möglichkeit möglichkeiten variante varianten option optionen fassung entwurf sorgt gesorgt bittet bat gebeten meldet meldete hinweis hinweise auftrag gewünscht gewünschte
	stelle stellen beschreibung rückfrage behält behalten beibehalten falsch falsche falschen falscher falsches klar beiseite fragt unverändert unveränderte`,
	`explique explication comparé comparée comparées comparés compare comparaison décrit décrite listé listée énuméré signalé signalée signalés signalées signale relevé relevée repéré repérée identifié identifiée analysé analysée étudié
	étudiée examiné examinée recommandé recommandée recommande conseillé conseille conseil suggéré suggère avancé estimé estimée estime calculé calculée compté résumé rédigé rédigée exposé exposée présenté présentée
	justifié souhaité souhaitée attendu remède remèdes solution solutions piste pistes option options variante variantes cause causes raison raisons correctif correctifs correction corrections retouche relecture relu relue relus relues relire toucher
	touché touchée inchangé inchangée inchangés inchangées trouvée trouvés description lu lue lus lues laissé laissée laissés laissées laisse côté clair claire faux fausse garde gardé gardée`,
	`explicó explica comparó comparado comparada comparadas compara comparación describió descrito enumeró señaló señalado señalada señala detectó detectado detectada identificó identificado identificada analizó analizado analizada
	estudió examinó investigó investigado recomendó recomendado recomienda recomendación aconsejó aconseja consejo sugerencia estimó estimado estimada calculó calculado calculada contó resumió resumido redactó redactado
	expuso presentó presentado justificó pidió pedido solicitó solicitado solicitada indicó indicado aclaró solución soluciones opción opciones variante variantes alternativa alternativas causa causas motivo motivos razón
	razones corrección correcciones ajuste ajustes aceptan aceptar tocar tocado tocó intacto intacta intactos intactas dejó dejado dejada lado clara resolvió corrigió inició empezó incorrecto incorrecta erróneo errónea`,
	`explicou explicado explicada comparou comparado comparada comparadas descreveu descrito listou apontou apontado apontada apontadas identificou identificado identificada analisou analisada estudou examinou investigou recomendou
	recomendado recomendada recomenda recomendação aconselhou aconselha conselho sugeriu estimou estimado estimada calculou calculado calculada contou resumiu redigiu apresentou apresentado justificou pediu solicitou solicitada
	indicou esclareceu solução soluções opção opções variante variantes alternativa alternativas causa causas motivo motivos razão correção correções ajuste ajustes precisam aceitam mexer mexeu mexido tocado intacto intacta
	intactos resolveu corrigiu manda deixou deixado deixada clara iniciou errado errada incorreto incorreta`,
	`spiega spiegata confrontato confrontata confrontate confronto descritto descritta elencato segnalato segnalata segnalati individuato individuata analizzato analizzata esaminato esaminata studiato raccomandato raccomandata
	raccomanda consigliato consigliata consiglia consiglio stimato stimata calcolato calcolata contato redatto redatta presentato motivato chiesto chiede richiesto indicato chiarito soluzione soluzioni opzione opzioni
	variante varianti alternativa alternative causa cause motivo motivi ragione correzione correzioni intervento ritocco toccato toccata toccare intatto intatta intatti invariato invariata invariati invariate agente assistente
	decisione scelta decide decidere scegliere persona ricevuto serve servono trovato trovata trovati ricerca causa manca mancano pronto pronta spazio accettano accetta file sbagliato sbagliata lasciato lasciata lasciando chiara errato errata mantenuto`,
	`объяснил объяснила объясняет объяснена объяснены разобрал разобрана разобраны разобрано описал описан описана описаны описание сравнил сравнила сравнены сравнена сравнение перечислил перечислены указал указан указана указаны
	указано отметил отмечено выявил выявлена выявлено выявлены изучил изучен изучена исследовал исследована рассмотрел рассмотрены рекомендовал рекомендован рекомендована рекомендовано рекомендованы рекомендует рекомендация
	советует посоветовал совет предлагает предложил оценил оценка оценён подсчитал посчитал посчитаны рассчитал рассчитан рассчитана обосновал собран собрана собраны собрано собрал подготовил подготовлен подготовлена
	подготовлены вариант варианта варианты вариантов причина причины причину решение способ способы правок правку правкой правке правками исправление исправления исправлений доработка доработки затронут затронута затронуты
	трогал трогали трогались трогаются тронут тронуты нетронут файлов файлам неверный неверная неверное неверного неверной оставил оставлен оставлена оставлены ясна ясно понятна сохранил сохранён сохранена коде кодом устройство устройства`,
	`uzasadnił uzasadniono uzasadnienie zaproponował zaproponowano porównał porównano wyjaśnił wyjaśniono opisał opisano zalecił zalecono polecił przeanalizował przeanalizowano zbadał propozycja zmian vergeleek vergeleken beschreef
	beschreven onderzocht aanbevolen adviseert raadt advies uitgelegd voorgesteld`,
	`准备 已经 尚未 查出 找出 挑出 指出 列出 给出 说明 解释 比较 对比 梳理 通读 读了 推荐 估计 估算 汇总 整理 起草 提议 方案 理由 选项 办法 方法 方式 动手 处理 智能体 等候 有待 仍待 进行 动过 改过 触碰 保持 原样 不变 本身 其余 剩余 剩下 部分 两种 三种 几种 代码里
	比較 指摘 提示 推奨 助言 見積 計算 集計 整理 調べ 特定 理由 選択肢 方法 方式 対策 言って 言い 述べ 伝え 知らせ 勧め 挙げ 示し 求め 尋ね 聞い 頼ん 触れ 変わ 残って 残り 残る 残っ 現状 時点 今回 一部 途中`,
	`설명했습니다 설명했으며 비교했습니다 비교했고 제시했습니다 제안했습니다 제안했고 추천했습니다 추천합니다 권했습니다 분석했습니다 조사했습니다 파악했습니다 에이전트는 에이전트가 이유 이유는 방법 방법은 방안 방안을 선택지 요청했습니다 물었습니다 기다립니다 기다리고 남아 남았습니다 그대로 일부 나머지 수정 수정은`,
}
