package evidence

import (
	"strings"
	"sync"
)

// neutral are words that say nothing about one session: of grammar, of time
// and degree, and such as every session may use. They count neither for a
// text nor against it.
var neutral = [...]string{
	// English.
	`a an the and or but nor not no so yet if as at by for from in into of off on onto out over to up down with without within about after again against all also although always
	am any are aren as because been before being below between both can cannot could couldn did didn do does doesn doing don done during each either else even ever every few further
	get gets getting got had hadn has hasn have haven having he her here hers him his how i into is isn it its itself just ll least less let like ll many may me might more most much must
	my need needs neither never now of once one only onto other others our out own per perhaps re rather s same shall she should shouldn since some still such t than that the their them then
	there these they this those though through thus too under until upon us ve very via was wasn we well were weren what when where whether which while who whom whose why will won would
	wouldn you your yours yet instead already currently previously earlier later today newly along around across toward towards besides otherwise however therefore two first second last next
	new old different another whole entire way ways kind sort bit lot set made make makes making use uses used using come comes came become becomes became go goes went take takes took
	give gives gave keep keeps kept put puts remain remains remained stay stays stayed seem seems begin begins began start starts started stop stops stopped happen happens happened
	within separately back alone going end ends ended too early late unit integration e2e include includes including based due order able longer ready both ahead behind together apart`,
	// Russian, Ukrainian.
	`это вот и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня еще ещё нет о из ему теперь когда даже ну вдруг ли если уже или ни
	быть был была были него до вас нибудь опять уж вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем сам чтоб без будто чего раз тоже себе под будет будут
	ж тогда кто этот эта эти этого этой этом этому этим того потому какой какая какие совсем ним здесь один одна одно почти мой тем чтобы нее сейчас куда зачем всех никогда можно при
	наконец два две другой другая другие хоть после над больше меньше тот та те через эту нас про всего них много разве три моя свою своей своих этой перед иногда лучше чуть том такой такая
	такие им более всегда конечно всю между поэтому пока также который которая которое которые которых которой которого которому которым которыми ранее раньше прежнему
	й з що як та й але або чи це цей ця ці цього цієї тепер після перед вже ще які який яка яке якого якої був була були буде будуть для від до із зі щоб коли де там тут також`,
	// Spanish, Portuguese, Italian.
	`el la los las un una unos unas y e o u de del al a en con sin por para que qué se su sus lo le les me te nos no ni si sí ya más menos muy es son era eran fue fueron ser sido está están
	estaba estar ha han había haber hay he hemos como cómo cuando cuándo donde dónde porque pero sino aunque mientras entre sobre bajo desde hasta hacia según durante antes después ahora
	aún todavía también tan tanto este esta esto estos estas ese esa eso esos esas aquel otra otro otras otros mismo misma cada todo toda todos todas algo nada alguno alguna ningún ninguna
	quien cual cuales cuyo así solo sólo nuevo nueva nuevos nuevas primero primera dos tres vez veces mi tu debe deben puede pueden va van queda quedan quedó hace hacer hizo tiene tienen
	o os as um uma uns umas do da dos das no na nos nas ao aos à às em com sem e ou mas não é são era eram foi foram ser sendo está estão estava há tem têm tinha que quem qual quais quando
	onde como por pelo pela pelos pelas para se seu sua seus suas ele ela eles elas isso isto este esta esse essa aquele ainda já também muito mais menos só apenas agora depois antes
	até entre sobre sob desde novo nova novos novas outro outra outros outras mesmo cada todo toda fica ficou ficam
	il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in nel nello nella nei nelle su sul sulla con per tra fra ed ma non è sono era
	erano essere stato stata stati state ha hanno ho aveva che chi cui quale quali quando dove come perché senza se anche ancora già ora solo più meno molto questo questa questi queste quello
	quella suo sua suoi loro ogni altro altra altri ne si ci c l d dell nell all dall sull un quell`,
	// German, Dutch.
	`der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren sein wird werden wurde wurden worden hat haben hatte hatten kann können könnte soll sollen
	sollte muss müssen darf ich du er sie es wir ihr mich dich uns euch mir dir ihm ihnen mein dein sein seine seinen seiner ihre ihren ihrer unser dieser diese dieses diesen diesem jeder jede
	jedes jeden alle alles allen welche welcher welches wer was wann wo warum wie zu zum zur von vom in im ins an am auf aus bei beim für mit ohne nach vor über unter zwischen durch während bis
	seit gegen um als wenn weil dass damit ob denn dann noch schon nur auch sehr mehr weniger so hier da dort jetzt nun man kein keine keinen keiner keinem nichts etwas immer nie wieder bereits
	sowie sondern jedoch statt beide beiden beides erste ersten letzte nächste neue neuen neuer neues neuem alte alten alter altes daher deshalb dabei dafür davon darin daran damit dazu dadurch
	solange einzige einziger einziges einzelne einzeln gerade sobald damals sich selbst weiter weiterhin zwei drei einmal bleibt blieb bleiben gibt gab macht machen gemacht worin wobei erst zuerst zunächst danach
	de het een en of maar niet is zijn was waren wordt worden werd werden heeft hebben had kan kunnen moet moeten zal ik je jij hij zij ze wij we u dit die dat deze wat wie welke wanneer waar
	waarom hoe naar van voor met zonder in op aan uit bij door over onder tussen tegen tot na als omdat zodat dan nog al ook alleen zeer meer minder hier daar er nu geen niets iets weer alle elke
	andere zelf eerst nieuwe oude twee drie keer doordat`,
	// French.
	`le la les l un une des du de d et ou mais ne pas n est sont était étaient être été a ont avait avoir sera seront peut peuvent doit doivent faut je j tu il elle on nous vous ils elles me te
	se m t s mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces c qui que qu quoi dont où quand comment pourquoi quel quelle quels quelles à au aux en dans sur
	sous par pour avec sans chez vers entre depuis pendant avant après contre jusqu si car donc comme alors plus moins très trop aussi encore déjà toujours jamais rien tout tous toute toutes
	autre autres même mêmes chaque plusieurs ici là maintenant puis ensuite afin lorsque nouveau nouvelle nouveaux nouvelles ancien ancienne premier première deux trois fois désormais reste
	restent resté fait faite faire y lui eux ainsi seul seule seulement parce puisque quelque quelques`,
	// Polish, Turkish.
	`i w we z ze na do od po za o u przez dla przy bez pod nad między nie tak jest są był była było były być będzie będą ma mają może mogą się to ten ta te tego tej tych tym co kto jak kiedy
	gdzie dlaczego że żeby aby jeśli gdy bo ale lub albo oraz a więc czy już jeszcze teraz tylko też także bardzo bardziej mniej każdy każda każde wszystko wszystkie który która które których
	jego jej ich swój nowy nowa nowe dwa trzy raz tutaj tam potem
	ve veya ama fakat bir bu şu o da de ki mi mı mu mü ile için gibi kadar daha çok az en her hiç tüm bütün ne neden nasıl nerede kim hangi şimdi artık sonra önce ise değil var yok olan olarak
	oldu olduğu olacak yeni eski iki üç`,
	// Vietnamese, Czech, Swedish and their like: the shortest words are
	// neutral anyway.
	`và của là có không được cho với trong các một những này đó đã đang sẽ nên vì để khi thì mà cũng a i že se na je jsou byl byla bylo jsem které který protože och att det som en ett är inte för
	med och på av den de jag til og er ikke med`,
}

// sessionWords are words about sessions as such: who asked, what an answer is. A
// text of nothing else says nothing.
var sessionWords = [...]string{
	`awaits awaiting await pending undecided unclear underway interrupted aborted cut short midway progress case cases fits waits says asks while user users person people agent assistant model human session conversation chat transcript request requests requested message messages question questions asked asks ask asking answer answers
	answered answering reply replies replied respond responds responded response responses discuss discussed discussion talk talked task tasks work works worked working job thing things something
	anything everything nothing code program project file files change changes changed update updates updated fix fixes fixed issue issues problem problems bug bugs help helped helps provide
	provides provided information detail details content text instruction instructions want wants wanted know say says said tell tells told state status result results step steps action actions
	note notes recap summary suggestion away digest evidence mark marks explanation explanations analysis proposal proposals suggested proposed decision approval confirmation confirm point
	explained explain explains reviewed review reviews discussion plan plans planned diagnosis interrupted interruption broke unfinished pending open decide decided decides pick choice choose
	total about around only most least entries entry elements items item number numbers count settings configuration behaviour behavior name names named called calls
	to-do to-dos todo todos dos clean gone tried try untouched unchanged remaining replaces replaced renamed split moved added removed supported shows shown reads comments investigation approve approves wait waits waiting
	found find finds exist exists accept accepts accepted require requires required rely relies expect expects expected receive receives contain contains list lists miss misses missing
	cover covers covered coverage depend depends cause caused causes appear appears lead leads mean means follow follows apply applies turn turned turns before mistake session-wide begun created made sent saved kept left introduced reported report reports
	part parts piece case cases example value values following good great right wrong correct correctly successfully success happy sure okay yes thanks please commented remark hello`,
	`ждёт ждет ожидает какой случай ваш ответа решения впереди прервано прерван прервана прервалась остановлена посреди середине пользователь пользователя пользователю человек человека агент агента агенту ассистент ассистента модель сессия сессии разговор запрос запроса вопрос вопроса вопросы ответ ответа ответил
	спросил просит задача задачи задачу работа работы работу дело код кода проект файл файлы файла изменение изменения изменений правка правки проблема проблемы ошибка ошибки помощь информация результат
	нашёл нашел найдены найдена находит принимает требует зависит содержит получает означает приводит из-за отсутствия проверялось проверялись выполнена выкатка
	весь набор начат начата начато спрашивает спросил обсуждалась обсуждался обсуждалось предложено прервана прерван прервано менялся менялась менялось изменён изменен изменился файле сначала затем создан
	создано отправлен отправлено осталось появилась появился появилось добавлен добавлена добавлено выбрать выбор решить планируется предложен предложена предложены число числом числа ветка ветку речь шла разбор объяснено налаштувати змінено зміни змінений поки файлі
	весь набір результаты шаг шаги действие решение заметка итог сводка предложение анализ объяснение хорошо спасибо пожалуйста правильно успешно користувач користувача запит питання відповідь зміни змін код файл`,
	`mientras interrumpió interrumpido espera esperando falta faltan decir diga digas cuál caso decidir responder usuario usuarios persona agente asistente modelo sesión conversación solicitud petición mensaje pregunta preguntas preguntó respuesta respuestas respondió tarea tareas trabajo código proyecto archivo
	archivos fichero ficheros cambio cambios problema problemas error errores ayuda información resultado paso pasos acción nota resumen sugerencia análisis explicación propuesta bien gracias
	encontró encontrado existe acepta requiere depende contiene recibe significa debido sesión interrumpió ejecutarlo aconteceu existe aceita depende contém recebe significa trova accetta dipende
	diagnóstico revisión explicó explicado elementos máximo comportamiento cambiar cambió cambiado cambios pendiente queda quedaron creó creado separados interrumpido interrumpida pregunta decisión
	confirmar confirmado ninguno ningún solamente propuso propone sugiere sugirió acuerdo correcto mudança segue alterado alterada nada ainda apenas diagnóstico interrompido interrompida analisado sugere
	suggerimento suggerisce proposto proposta spiegato fatta fatto creato creata modificato cambiato repository interrotto interrotta analisi usuário usuários pessoa assistente sessão conversa pedido mensagem pergunta resposta respondeu tarefa trabalho arquivos arquivo mudança mudanças alterações problema erro ajuda
	informação passo ação resumo sugestão explicação proposta obrigado utente richiesta domanda risposta compito lavoro codice progetto modifica modifiche problema errore aiuto riassunto`,
	`fall fälle trifft zutrifft welcher angabe klärung entscheiden unterbrechung wartet warten steht stehen aus benutzer nutzer person mensch agent assistent modell sitzung gespräch unterhaltung anfrage nachricht frage fragen fragte antwort antworten antwortete aufgabe aufgaben arbeit arbeiten code
	projekt datei dateien änderung änderungen problem probleme fehler hilfe information informationen ergebnis schritt schritte aktion notiz zusammenfassung vorschlag analyse erklärung gut danke
	gefunden findet nimmt verlangt braucht hängt enthält erhält bedeutet liegt gelesen liest insgesamt bisher offen geändert sitzung unterbrochen abgebrochen entschieden entscheidung ging frage besprochen vorgeschlagen analysiert erklärt ablauf eingetragen ergänzt verhalten einstellung
	einstellungen name namen anzahl etwa mindestens höchstens begonnen angefangen bisherige ausgerollt bleef uitleg uitgelegd voorgesteld onderbroken richtig gebruiker verzoek vraag antwoord taak werk bestand wijziging probleem fout samenvatting`,
	`reste dire préciser cas attend attente décider interruption pendant choisir répondre utilisateur utilisatrice personne agent assistant modèle session conversation demande requête message question questions demandé réponse réponses répondu tâche tâches travail code projet
	fichier fichiers changement changements modification modifications problème problèmes erreur erreurs aide information résultat étape étapes action note résumé suggestion analyse explication
	trouvé accepte exige dépend contient reçoit signifie lit mise diagnostic expliqué proposé proposée propose discuté interrompu interrompue modifié modifiée changé rien lieu production ouvert ouverte ouvertes décision choix choisir seulement éléments total
	nombre comportement nom noms commencé commencée créé créée poussé poussée proposition bien merci correct użytkownik agent asystent pytanie odpowiedź zadanie praca kod plik pliki zmiana zmiany problem błąd`,
	`现在 如今 当时 等你 请你 哪种 情况 哪个 受影响 影响 涉及 相关 尚待 待定 正在 途中 用户 用戶 助手 代理 会话 对话 對話 请求 請求 消息 问题 問題 提问 回答 回复 任务 任務 工作 代码 代碼 项目 文件 修改 更改 改动 变更 帮助 信息 结果 步骤 操作 说明 总结 摘要 建议 分析 解释 解釋 谢谢 内容 目前 任何 东西 行为 总共 找到 原因 询问 决定 确认 配置 对应 中断 讨论 提出 选择 打算 计划 其他 仍然 需要 等待 暂时 分支 文档 说明 主分支 版本 只是 检查
	場合 これから 待ち 待って 途中 最中 影響 該当 返答 ユーザー アシスタント エージェント 会話 セッション 依頼 質問 回答 返事 作業 タスク コード ファイル 変更 問題 助け 情報 結果 手順 要約 提案 分析 説明 内容 対応 調査 中断 途中 段階 返事 案 議論 選択 予定 予定 確認 原因 件 現在 必要 削除 追加 停止 保留 未定`,
	`사용자 사용자가 사용자는 어시스턴트 에이전트 에이전트가 세션 대화 요청 질문 질문을 답변 답변을 답 작업 작업을 코드 파일 변경 문제 도움 정보 결과 단계 요약 제안 분석 설명 내용 하고 하지 그다음 것은 설명했고 없습니다 있 있습니다 있어서 사항은 사항 않았습니다 않았고 아직 중단 중단되었습니다 대기 조사 조사만 논의 선택 결정 원인 원인은 현재`,
}

// stopRunes are characters of scripts without spaces that carry grammar.
const stopRunes = "的了在是和与與或就都也还還已被把将將从從到对對于於为為以及并並且但而因所这這那个個有没沒不无無未能可会會要使让讓给給向由其之此该該每各再又更最很太只仅僅才刚剛正着過过地得吗嗎呢吧啊么麼中后後前时時上下里裡内外间間些等来來去做用一二三两兩件次"

var neutralWords = sync.OnceValue(func() map[string]bool { return wordsIn(neutral[:], moreNeutral[:]) })

var sessionTalk = sync.OnceValue(func() map[string]bool { return wordsIn(sessionWords[:], moreSessionWords[:]) })

var stopRune = sync.OnceValue(func() map[rune]bool {
	m := make(map[rune]bool, 128)
	for _, r := range stopRunes {
		m[r] = true
	}
	return m
})

func wordsIn(lists ...[]string) map[string]bool {
	m := make(map[string]bool, 4096)
	for _, list := range lists {
		for _, l := range list {
			for w := range strings.FieldsSeq(l) {
				m[w] = true
			}
		}
	}
	return m
}
