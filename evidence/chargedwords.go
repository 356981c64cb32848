package evidence

// Charges: what a word claims beside what it talks about. Each stands for
// words of one meaning in all languages.
const (
	chRecent mark = 1 << iota // recently, just now
	chYesterday
	chToday
	chTomorrow
	chLast    // last week, days ago
	chEarlier // previously
	chSoFar
	chLater
	chSoon
	chAlready
	chStill
	chAgain
	chAlways
	chNever
	chOften
	chSometimes
	chRarely
	chUsually
	chFirst
	chFinally
	chAtOnce // immediately
	chForNow
	chForGood
	chSuddenly
	chMeanwhile
	chOnly
	chAll
	chWholly // completely
	chPartly
	chMostly
	chAlmost
	chExactly
	chMuch // significantly, very
	chSlightly
	chMany
	chSurely
	chPerhaps // probably, perhaps, apparently
	chItself  // automatically
	chByHand
	chWell   // correctly, smoothly
	chPublic // users, customers
	chRemote // remote, origin, a server
	chTrunk
	chRelease
	chChecked // measured, confirmed, reviewed
	chGreen
	chMerge
	chNew
	chSelf // I: the agent's own voice, which only a quotation has
	chRepo
	chPR
	chFault // error, complaint: where the part denies it
)

// chPlaces name whom or what the work reached: any word of the session that is
// the same bears them out, those of paths and commands too.
const chPlaces = chPublic | chRemote | chTrunk | chRelease | chMerge | chRepo | chPR

// charged is the table: phrases as in the lexicon, by language. Without a
// language the phrase counts in each; with "+" it bears a charge out in a
// session and is none in a text.
type charged struct {
	means   mark
	lang    string
	phrases string
}

// chargedTime are words of time and order.
var chargedTime = [...]charged{
	{chRecent, "en", "recently|lately|just now|just then|a moment ago|moments ago|minutes ago|a while ago|not long ago|of late|newly|freshly|latterly|the other day"},
	{chRecent | chOnly, "en", "just"},
	{chRecent, "de", "kürzlich|neulich|soeben|gerade eben|eben erst|eben noch|vor kurzem|unlängst|jüngst|in letzter zeit|frisch|vor einer weile"},
	{chRecent, "fr", "récemment|dernièrement|à l'instant|tout juste|il y a peu|vient d'être|viennent d'être|fraîchement|ces derniers temps|ces jours-ci"},
	{chRecent, "es", "recientemente|hace poco|últimamente|acaba de|acaban de|recién|hace un momento|hace un rato"},
	{chRecent, "pt", "recentemente|há pouco|agora mesmo|acabou de|acabaram de|ultimamente|recém|faz pouco"},
	{chRecent, "it", "recentemente|di recente|poco fa|ultimamente|or ora|da poco"},
	{chRecent, "ru", "недавно|только что|на днях|в последнее время|давеча|минуту назад|только-только"},
	{chRecent, "uk", "нещодавно|щойно|днями|останнім часом"},
	{chRecent, "zh", "最近|刚刚|剛剛|刚才|剛才|刚|剛|近来|近來|近期|近日|新近|方才|前不久|不久前|最近一次"},
	{chRecent, "ja", "最近|先ほど|さきほど|さっき|たった今|近頃|このほど|直近|このごろ|今しがた|ついこの"},
	{chRecent, "ko", "최근|방금|요즘|조금 전|얼마 전|갓"},
	{chRecent, "nl", "onlangs|zojuist|zonet|recent|kort geleden|laatst|net nog"},
	{chRecent, "pl", "niedawno|właśnie|ostatnio|przed chwilą|dopiero co"},
	{chRecent, "tr", "geçenlerde|az önce|yakın zamanda|son zamanlarda|yeni yeni|demin"},

	{chYesterday, "en", "yesterday|last night|the day before|the other night"},
	{chYesterday, "de", "gestern|vorgestern|gestrig*|letzte nacht|am vortag"},
	{chYesterday, "fr", "hier|avant-hier|la veille"},
	{chYesterday, "es", "ayer|anteayer|anoche|el día anterior"},
	{chYesterday, "pt", "ontem|anteontem|na véspera"},
	{chYesterday, "it", "ieri|l'altro ieri|ieri sera"},
	{chYesterday, "ru", "вчера|позавчера|вчерашн*|накануне"},
	{chYesterday, "uk", "вчора|учора|позавчора"},
	{chYesterday, "zh", "昨天|昨日|昨晚|昨夜|前天|前一天"},
	{chYesterday, "ja", "昨日|きのう|昨夜|昨晩|一昨日|おととい|前日"},
	{chYesterday, "ko", "어제|그제|어젯밤|그저께|전날"},
	{chYesterday, "nl", "gisteren|eergisteren|gisteravond"},
	{chYesterday, "pl", "wczoraj|przedwczoraj"},
	{chYesterday, "tr", "dün|dünkü|evvelsi gün"},

	{chToday, "en", "today|today's|tonight|this morning|this afternoon|this evening|this week|this month|this year|earlier today"},
	{chToday, "de", "heute|heutig*|diese woche|diesen monat|dieses jahr"},
	{chToday, "fr", "aujourd'hui|ce matin|cet après-midi|ce soir|cette semaine|ce mois-ci|cette année"},
	{chToday, "es", "hoy|esta mañana|esta tarde|esta noche|esta semana|este mes|este año"},
	{chToday, "pt", "hoje|esta manhã|esta tarde|esta noite|esta semana|este mês"},
	{chToday, "it", "oggi|stamattina|stamani|stasera|stanotte|questa settimana|questo mese"},
	{chToday, "ru", "сегодня|сегодняшн*|утром|вечером|на этой неделе|в этом месяце"},
	{chToday, "uk", "сьогодні|вранці|увечері|цього тижня"},
	{chToday, "zh", "今天|今日|今晚|今早|今晨|本周|这周|本月|这个月|今年|当天"},
	{chToday, "ja", "今日|きょう|今朝|今夜|今晩|今週|今月|本日|今年|当日"},
	{chToday, "ko", "오늘|이번 주|이번 달|올해|금일"},
	{chToday, "nl", "vandaag|vanmorgen|vanmiddag|vanavond|deze week"},
	{chToday, "pl", "dzisiaj|dziś|dzisiejsz*|w tym tygodniu"},
	{chToday, "tr", "bugün|bu sabah|bu akşam|bu hafta"},

	{chTomorrow, "en", "tomorrow|next week|next month|next year|the day after tomorrow"},
	{chTomorrow, "de", "morgen früh|bis morgen|morgen|übermorgen|nächste woche|nächsten monat|nächstes jahr"},
	{chTomorrow, "fr", "demain|après-demain|la semaine prochaine|le mois prochain|l'année prochaine"},
	{chTomorrow, "es", "mañana|pasado mañana|la próxima semana|la semana que viene|el próximo mes"},
	{chTomorrow, "pt", "amanhã|depois de amanhã|na próxima semana|semana que vem|próximo mês"},
	{chTomorrow, "it", "domani|dopodomani|la prossima settimana|la settimana prossima|il mese prossimo"},
	{chTomorrow, "ru", "завтра|послезавтра|завтрашн*|на следующей неделе|в следующем месяце"},
	{chTomorrow, "uk", "завтра|післязавтра|наступного тижня"},
	{chTomorrow, "zh", "明天|明日|后天|下周|下星期|下个月|明年|次日"},
	{chTomorrow, "ja", "明日|あした|明後日|あさって|来週|来月|来年|翌日"},
	{chTomorrow, "ko", "내일|모레|다음 주|다음 달|내년|다음날"},
	{chTomorrow, "nl", "morgen|overmorgen|volgende week"},
	{chTomorrow, "pl", "jutro|pojutrze|w przyszłym tygodniu"},
	{chTomorrow, "tr", "yarın|öbür gün|gelecek hafta|önümüzdeki hafta"},

	{chLast, "en", "last week|last month|last year|last time|last monday|last friday|days ago|weeks ago|months ago|hours ago|years ago|long ago|last session|for weeks|for months|for years|for days"},
	{chLast, "de", "letzte woche|letzten monat|letztes jahr|letztes mal|beim letzten mal|vorige woche|vergangene woche|vor tagen|vor wochen|vor stunden|vor jahren|seit langem|seit wochen|seit tagen"},
	{chLast, "fr", "la semaine dernière|le mois dernier|l'an dernier|l'année dernière|la dernière fois|il y a longtemps|depuis longtemps|depuis des semaines"},
	{chLast, "es", "la semana pasada|el mes pasado|el año pasado|la última vez|la vez pasada|hace días|hace semanas|hace meses|hace tiempo|desde hace"},
	{chLast, "pt", "semana passada|mês passado|ano passado|da última vez|há dias|há semanas|há muito"},
	{chLast, "it", "settimana scorsa|scorsa settimana|mese scorso|anno scorso|l'ultima volta|giorni fa|settimane fa|da tempo"},
	{chLast, "ru", "на прошлой неделе|в прошлом месяце|в прошлом году|в прошлый раз|дней назад|недель назад|часов назад|давно|неделю назад|месяц назад|год назад|час назад"},
	{chLast, "uk", "минулого тижня|минулого місяця|минулого року|минулого разу|давно"},
	{chLast, "zh", "上周|上星期|上个月|去年|上次|上一次|前几天|几天前|几周前|几个月前|很久以前|早就|前些日子"},
	{chLast, "ja", "先週|先月|去年|昨年|前回|数日前|数週間前|以前から|ずっと前|先日|この間"},
	{chLast, "ko", "지난주|지난달|작년|지난번|며칠 전|몇 주 전|오래전|지난해"},
	{chLast, "nl", "vorige week|vorige maand|vorig jaar|dagen geleden|weken geleden"},
	{chLast, "pl", "w zeszłym tygodniu|w zeszłym miesiącu|w zeszłym roku|ostatnim razem|dni temu|dawno"},
	{chLast, "tr", "geçen hafta|geçen ay|geçen yıl|geçen sefer|günlerdir|haftalardır"},

	{chEarlier, "en", "earlier|previously|formerly|beforehand|in the past|back then|prior|previous|former|long since"},
	{chSoFar, "en", "hitherto|until now|up to now|so far|to date"},
	{chEarlier, "de", "vorher|zuvor|früher|früheren|früherer|frühere|ehemals|damals|im vorfeld|vorherig*|bisherig*|zuletzt"},
	{chSoFar, "de", "bisher|bislang"},
	{chEarlier, "fr", "auparavant|précédemment|avant cela|autrefois|antérieurement|jadis|précédent*"},
	{chSoFar, "fr", "jusqu'ici|jusqu'à présent|jusque-là"},
	{0, "es", "antes de|antes que"},
	{chEarlier, "es", "anteriormente|previamente|antes|en el pasado|antaño"},
	{chSoFar, "es", "hasta ahora|hasta la fecha|hasta entonces"},
	{0, "pt", "antes de|antes que"},
	{chEarlier, "pt", "anteriormente|previamente|antes|no passado|outrora"},
	{chSoFar, "pt", "até agora|até então"},
	{0, "it", "prima di|prima che|prima del|prima della|prima dei"},
	{chEarlier, "it", "precedentemente|in precedenza|prima|in passato|un tempo"},
	{chSoFar, "it", "finora|fino ad ora"},
	{chEarlier, "ru", "раньше|ранее|прежде|до этого|в прошлом|прежн*|когда-то"},
	{chSoFar, "ru", "до сих пор|доныне"},
	{0, "ru", "прежде чем|прежде всего"},
	{chEarlier, "uk", "раніше|до цього|колись"},
	{chSoFar, "uk", "досі"},
	{chEarlier, "zh", "之前|以前|先前|此前|从前|從前|过去|過去|早先|曾经|曾"},
	{chSoFar, "zh", "迄今|到目前为止|一直以来|至今"},
	{chEarlier, "ja", "以前|従来|かつて|前から|元は"},
	{chSoFar, "ja", "これまで|それまで|今まで"},
	{0, "ko", "에이전트"},
	{chEarlier, "ko", "이전|예전|전에는|과거|기존"},
	{chSoFar, "ko", "지금까지|그동안"},
	{chEarlier, "nl", "eerder|voorheen|vroeger"},
	{chSoFar, "nl", "tot nu toe|tot dusver"},
	{chEarlier, "pl", "wcześniej|uprzednio|poprzednio|dawniej"},
	{chSoFar, "pl", "dotychczas|dotąd"},
	{chEarlier, "tr", "daha önce|önceden|eskiden"},
	{chSoFar, "tr", "şimdiye kadar"},

	{chLater, "en", "later|later on|afterwards|afterward|subsequently|thereafter|ultimately"},
	{chLater, "de", "später|hinterher|anschließend|im anschluss|nachträglich"},
	{chLater, "fr", "plus tard|par la suite|ultérieurement|après coup"},
	{chLater, "es", "más tarde|posteriormente|más adelante"},
	{chLater, "pt", "mais tarde|posteriormente|mais adiante"},
	{chLater, "it", "più tardi|successivamente|in seguito|più avanti"},
	{chLater, "ru", "позже|позднее|впоследствии|задним числом"},
	{chLater, "uk", "пізніше|згодом"},
	{chLater, "zh", "后来|後來|稍后|随后|日后|事后|以后"},
	{chLater, "ja", "後で|あとで|後ほど|のちに|後日|その後"},
	{chLater, "ko", "나중|이후|그 후|추후|훗날"},
	{chLater, "nl", "later|naderhand|achteraf"},
	{chLater, "pl", "później|następnie"},
	{chLater, "tr", "daha sonra|sonradan"},
	{chLater, "+", "then|after|next|once|dann|danach|nachdem|sobald|ensuite|puis|après|luego|después|tras|depois|em seguida|dopo|poi|затем|потом|после|然后|之后|接着|それから|あと|다음|뒤"},

	{chSoon, "en", "soon|shortly|before long|any moment|any minute|imminently|momentarily"},
	{chSoon, "de", "bald|demnächst|in kürze|baldig*|in bälde"},
	{chSoon, "fr", "bientôt|sous peu|prochainement|d'ici peu"},
	{chSoon, "es", "pronto|en breve|próximamente|dentro de poco"},
	{chSoon, "pt", "em breve|logo mais|brevemente|dentro em pouco"},
	{chSoon, "it", "presto|a breve|tra poco|prossimamente"},
	{chSoon, "ru", "скоро|вскоре|в ближайшее время|вот-вот"},
	{chSoon, "uk", "скоро|незабаром|невдовзі"},
	{chSoon, "zh", "即将|即將|很快|不久|将要|快要"},
	{chSoon, "ja", "まもなく|間もなく|近いうち|もうすぐ|じきに|近々|近日中"},
	{chSoon, "ko", "곧|조만간|머지않아"},
	{chSoon, "nl", "binnenkort|spoedig|weldra"},
	{chSoon, "pl", "wkrótce|niebawem|niedługo"},
	{chSoon, "tr", "yakında|birazdan|az sonra"},

	{chAlready, "en", "already|by now"},
	{chAlready, "de", "schon|bereits|längst"},
	{chAlready, "fr", "déjà|d'ores et déjà"},
	{chAlready, "it", "già|ormai"},
	{0, "es", "ya no|ya que"},
	{0, "pt", "já não|já que"},
	{chAlready, "ru", "уже"},
	{0, "ru", "уже не|больше уже"},
	{chAlready, "uk", "вже|уже"},
	{chAlready, "zh", "早已|早就|业已"},
	{chAlready, "ja", "すでに|既に|とっくに"},
	{chAlready, "ko", "이미|벌써"},
	{chAlready, "nl", "reeds|allang"},
	{chAlready, "tr", "zaten|çoktan"},
	{chAlready, "+", "ya|já|al|już|已经|已經|もう"},

	{chStill, "en", "still|as before|as ever"},
	{0, "en", "still not|not yet"},
	{chStill, "de", "nach wie vor|weiterhin|noch immer|immer noch"},
	{chStill, "fr", "toujours pas|encore et toujours"},
	{chStill, "es", "todavía|aún"},
	{chStill, "pt", "ainda"},
	{chStill | chAgain, "it", "ancora"},
	{chStill, "ru", "всё ещё|все ещё|всё еще|все еще|по-прежнему|до сих пор"},
	{chStill, "uk", "досі|все ще|все ж"},
	{chStill, "zh", "仍|仍然|仍旧|依然|依旧|照旧|还是老"},
	{chStill, "ja", "依然|いまだ|未だ|相変わらず|引き続き"},
	{chStill, "ko", "여전히|계속"},
	{chStill, "nl", "nog steeds"},
	{chStill, "pl", "wciąż|nadal"},
	{chStill, "tr", "hâlâ|hala"},
	{chStill, "+", "yet|remain*|left|keeps|kept|continue*|unchanged|noch|bleib*|encore|toujours|reste*|sigue*|queda*|continua*|fica|resta*|ещё|еще|остаё*|остал*|остаются|还|還|まだ|残|아직|남"},

	{chAgain, "en", "again|once more|anew|afresh|yet again|another time"},
	{chAgain, "de", "wieder|erneut|nochmals|noch einmal|abermals|wiederum"},
	{chAgain, "fr", "de nouveau|à nouveau|encore une fois|une fois de plus"},
	{chAgain, "es", "de nuevo|otra vez|nuevamente|una vez más"},
	{chAgain, "pt", "de novo|novamente|outra vez|mais uma vez"},
	{chAgain, "it", "di nuovo|nuovamente|ancora una volta|un'altra volta"},
	{chAgain, "ru", "снова|опять|вновь|ещё раз|еще раз"},
	{chAgain, "uk", "знову|ще раз|вкотре"},
	{chAgain, "zh", "再次|再度|又一次|再一次|重新"},
	{chAgain, "ja", "再び|もう一度|再度|改めて|ふたたび|またも"},
	{chAgain, "ko", "다시|또다시|재차|또 한 번"},
	{chAgain, "nl", "opnieuw|weer|nogmaals"},
	{chAgain, "pl", "znowu|znów|ponownie|jeszcze raz"},
	{chAgain, "tr", "tekrar|yeniden|bir daha|yine"},
	{chAgain, "+", "fix*|repair*|broken|broke|behoben|repar*|beheb*|corrig*|répar*|arregl*|исправ*|почин*|修|直し|고쳐|고쳤|consert*|back|restore*|repeat*|retr*|rerun|re-run|rewrote|rewrit*|rebuil*|redo|zurück|wiederh*|wiederher*|revenir|refait|vuelve*|volver|volv*|rehecho|reescri*|reinici*|riscri*|torna*|volta*|reescrev*|переписа*|перезапус*|вернул*|заново|повтор*|重写|重新|重做|重启|又|再|書き直|やり直|再"},

	{chAlways, "en", "always|all the time|at all times|constantly|continually|continuously|perpetually|every time|whenever|forever|invariably|each time"},
	{chAlways, "de", "immer|stets|ständig|jederzeit|jedes mal|dauernd|fortwährend"},
	{0, "de", "immer wenn|noch immer|immer noch"},
	{chAlways, "fr", "en permanence|constamment|à chaque fois|sans cesse|systématiquement"},
	{chAlways | chStill, "fr", "toujours"},
	{chAlways, "es", "siempre|constantemente|cada vez|continuamente|en todo momento"},
	{chAlways, "pt", "sempre|constantemente|toda vez|continuamente"},
	{chAlways, "it", "sempre|costantemente|ogni volta|continuamente"},
	{chAlways, "ru", "всегда|постоянно|каждый раз|всякий раз|неизменно|вечно"},
	{chAlways, "uk", "завжди|постійно|щоразу"},
	{chAlways, "zh", "总是|總是|一直|始终|始終|每次|每当|时刻|永远|老是"},
	{chAlways, "ja", "いつも|常に|毎回|つねに|絶えず|ずっと"},
	{chAlways, "ko", "항상|늘|언제나|매번|끊임없이"},
	{chAlways, "nl", "altijd|steeds|telkens|voortdurend"},
	{chAlways, "pl", "zawsze|stale|za każdym razem|ciągle"},
	{chAlways, "tr", "her zaman|daima|sürekli|hep|her seferinde"},
	{chAlways, "+", "every|each|any|all|jede*|alle|chaque|tout|tous|cada|todo|todos|ogni|tutti|каждый|каждая|каждое|каждом|при каждом|все|每|都|すべて|全て|たび|毎|모든|마다|each time"},

	{chNever, "en", "never|ever"},
	{chNever, "de", "nie|niemals|nie wieder|zu keiner zeit|keinesfalls"},
	{chNever, "fr", "jamais|en aucun cas|à aucun moment"},
	{chNever, "es", "nunca|jamás|en ningún momento|en ningún caso"},
	{chNever, "pt", "nunca|jamais|em nenhum momento"},
	{chNever, "it", "mai|giammai|in nessun caso"},
	{chNever, "ru", "никогда|ни разу|ни при каких"},
	{chNever, "uk", "ніколи|жодного разу"},
	{chNever, "zh", "从不|从未|從未|从来没|从来不|永不|绝不|決不|决不|再也不|从没"},
	{chNever, "ja", "決して|一度も|二度と|絶対に"},
	{chNever, "ko", "결코|절대|한 번도|전혀"},
	{chNever, "nl", "nooit"},
	{chNever, "pl", "nigdy|ani razu"},
	{chNever, "tr", "asla|hiçbir zaman|hiç"},
	{chNever, "+", "none|nobody|no one|nothing|no|cannot|at all|not once|without|kein*|niemand|nichts|ohne|aucun*|personne|rien|sans|ningun*|ningún|ningun|nadie|nada|sin|nenhum*|ninguém|sem|nessun*|nulla|niente|senza|никто|ничего|ни один|ни одн*|без|не|没|不|なかった|ない|ません|않|없"},

	{chOften, "en", "often|frequently|commonly|regularly|repeatedly|oftentimes|time and again|over and over"},
	{chOften, "de", "oft|häufig|regelmäßig|immer wieder|oftmals|vielfach|mehrfach"},
	{chOften, "fr", "souvent|fréquemment|régulièrement|à plusieurs reprises|maintes fois"},
	{chOften, "es", "a menudo|frecuentemente|con frecuencia|muchas veces|repetidamente|regularmente"},
	{chOften, "pt", "frequentemente|com frequência|muitas vezes|repetidamente|regularmente"},
	{chOften, "it", "spesso|frequentemente|regolarmente|più volte|ripetutamente"},
	{chOften, "ru", "часто|регулярно|нередко|многократно|неоднократно|то и дело"},
	{chOften, "uk", "часто|регулярно|неодноразово"},
	{chOften, "zh", "经常|經常|常常|频繁|时常|屡次|反复|多次|屡屡"},
	{chOften, "ja", "頻繁|しばしば|たびたび|何度も|繰り返し|度々"},
	{chOften, "ko", "자주|종종|빈번|여러 번|반복"},
	{chOften, "nl", "vaak|regelmatig|dikwijls"},
	{chOften, "pl", "często|regularnie|wielokrotnie"},
	{chOften, "tr", "sık sık|sıkça|düzenli olarak"},
	{chOften, "+", "every|always|whenever|each|all the time|jede*|immer|ständig|alle paar|chaque|toutes les|cada|siempre|sempre|каждый|каждые|всегда|每|总是|毎|たびに|마다|several times|many times"},

	{chSometimes, "en", "sometimes|occasionally|now and then|at times|from time to time|intermittently|every so often|once in a while|sporadically"},
	{chSometimes, "de", "manchmal|gelegentlich|ab und zu|bisweilen|hin und wieder|zuweilen|sporadisch"},
	{chSometimes, "fr", "parfois|occasionnellement|de temps en temps|quelquefois|par moments"},
	{chSometimes, "es", "a veces|ocasionalmente|de vez en cuando|en ocasiones|algunas veces"},
	{chSometimes, "pt", "às vezes|ocasionalmente|de vez em quando|por vezes"},
	{chSometimes, "it", "a volte|talvolta|occasionalmente|ogni tanto|qualche volta"},
	{chSometimes, "ru", "иногда|изредка|временами|порой|порою|время от времени"},
	{chSometimes, "uk", "іноді|інколи|часом|зрідка"},
	{chSometimes, "zh", "有时|有時|偶尔|偶爾|时而|间或|时不时"},
	{chSometimes, "ja", "時々|ときどき|たまに|場合によって|時折|ときおり"},
	{chSometimes, "ko", "가끔|때때로|이따금|간혹"},
	{chSometimes, "nl", "soms|af en toe"},
	{chSometimes, "pl", "czasem|czasami|niekiedy|od czasu do czasu"},
	{chSometimes, "tr", "bazen|ara sıra|zaman zaman"},
	{chSometimes, "+", "flaky|flakes|random*|sporad*|some|unregelmäßig|aléatoire*|aleator*|случайн*|不时|随机|偶发|不定|ランダム|무작위"},

	{chRarely, "en", "rarely|seldom|hardly ever|infrequently|almost never"},
	{chRarely, "de", "selten|kaum je|kaum jemals"},
	{chRarely, "fr", "rarement|guère"},
	{chRarely, "es", "raramente|rara vez|pocas veces"},
	{chRarely, "pt", "raramente|poucas vezes"},
	{chRarely, "it", "raramente|di rado|rare volte"},
	{chRarely, "ru", "редко|нечасто"},
	{chRarely, "uk", "рідко|нечасто"},
	{chRarely, "zh", "很少|极少|难得|罕见|少有"},
	{chRarely, "ja", "めったに|滅多に|まれに|稀に"},
	{chRarely, "ko", "드물게|좀처럼"},
	{chRarely, "nl", "zelden"},
	{chRarely, "pl", "rzadko"},
	{chRarely, "tr", "nadiren|seyrek"},

	{chUsually, "en", "usually|normally|typically|generally|as a rule|ordinarily|in general"},
	{chUsually, "de", "normalerweise|üblicherweise|in der regel|meist|meistens|gewöhnlich|für gewöhnlich|im allgemeinen"},
	{chUsually, "fr", "généralement|d'habitude|normalement|habituellement|en général|d'ordinaire"},
	{chUsually, "es", "normalmente|generalmente|por lo general|habitualmente|en general"},
	{chUsually, "pt", "normalmente|geralmente|habitualmente|em geral"},
	{chUsually, "it", "di solito|normalmente|generalmente|in genere|abitualmente"},
	{chUsually, "ru", "обычно|как правило|в общем|в целом"},
	{chUsually, "uk", "зазвичай|як правило|загалом"},
	{chUsually, "zh", "通常|往往|平时|一般来说|一般情况|平常"},
	{chUsually, "ja", "通常|普段|たいてい|一般に|ふだん|基本的に"},
	{chUsually, "ko", "보통|대개|일반적으로|평소"},
	{chUsually, "nl", "meestal|gewoonlijk|doorgaans"},
	{chUsually, "pl", "zwykle|zazwyczaj|na ogół"},
	{chUsually, "tr", "genellikle|normalde|çoğunlukla"},

	{chFirst, "en", "first|firstly|at first|initially|originally|to begin with|in the first place|at the outset"},
	{chFirst, "de", "zuerst|zunächst|anfangs|ursprünglich|erst einmal|erstmals|zum ersten mal|anfänglich"},
	{chFirst, "fr", "d'abord|premièrement|initialement|au départ|à l'origine|au début|pour la première fois"},
	{chFirst, "es", "primero|primera vez|en primer lugar|inicialmente|al principio|originalmente|de entrada"},
	{chFirst, "pt", "primeiro|primeira vez|inicialmente|no início|a princípio|originalmente"},
	{chFirst, "it", "dapprima|inizialmente|all'inizio|per la prima volta|in origine|anzitutto"},
	{chFirst, "ru", "сначала|сперва|изначально|первоначально|впервые|вначале|поначалу"},
	{chFirst, "uk", "спочатку|спершу|вперше|первісно"},
	{chFirst, "zh", "首先|最初|起初|一开始|一開始|首次|第一次|当初|原本|原先"},
	{chFirst, "ja", "最初|まず|当初|初めて|はじめに|もともと|元々"},
	{chFirst, "ko", "먼저|처음|우선|원래|최초|당초"},
	{chFirst, "nl", "eerst|aanvankelijk|oorspronkelijk|in het begin"},
	{chFirst, "pl", "najpierw|początkowo|pierwotnie|po raz pierwszy"},
	{chFirst, "tr", "ilk önce|başlangıçta|ilk kez|ilkin"},
	{chFirst, "+", "before|then|start*|begin*|began|1st|original|initial|erste*|anfang*|bevor|dann|avant|puis|ensuite|premier*|première|début|primer*|empez*|comenz*|luego|antes|depois|comec*|começ*|prima|inizi*|poi|перв*|начал*|затем|потом|до|先|开始|开头|原来|第一|始|初|先に|前に|前|첫|시작|전에"},

	{chFinally, "en", "finally|at last|eventually|in the end|lastly|at long last"},
	{chFinally, "de", "endlich|schließlich|letztlich|zum schluss|am ende|letzten endes|zu guter letzt"},
	{chFinally, "fr", "enfin|finalement|à la fin|en fin de compte|au final"},
	{chFinally, "es", "por fin|finalmente|al final|por último|al fin"},
	{chFinally, "pt", "finalmente|por fim|no final|enfim|no fim"},
	{chFinally, "it", "finalmente|infine|alla fine|da ultimo"},
	{chFinally, "ru", "наконец|наконец-то|в итоге|в конце концов|в конечном счёте|напоследок"},
	{chFinally, "uk", "нарешті|зрештою|врешті"},
	{chFinally, "zh", "终于|終於|最终|最後|最后|到头来|总算"},
	{chFinally, "ja", "ついに|ようやく|最終的|やっと|結局|とうとう|最後に"},
	{chFinally, "ko", "마침내|드디어|결국|끝내|마지막으로"},
	{chFinally, "nl", "eindelijk|uiteindelijk|ten slotte"},
	{chFinally, "pl", "wreszcie|w końcu|ostatecznie"},
	{chFinally, "tr", "nihayet|sonunda|en sonunda"},
	{chFinally, "+", "last|ends up|end up|letzte*|dernier*|último|última|ultim*|последн*|末|最后|最終|마지막"},

	{chAtOnce, "en", "immediately|instantly|right away|straight away|promptly|on the spot|in no time|instantaneously"},
	{chAtOnce, "de", "sofort|unverzüglich|umgehend|augenblicklich|auf der stelle|schlagartig"},
	{chAtOnce, "fr", "immédiatement|aussitôt|tout de suite|instantanément|sur-le-champ|sans délai"},
	{chAtOnce, "es", "inmediatamente|de inmediato|enseguida|al instante|en el acto|instantáneamente"},
	{chAtOnce, "pt", "imediatamente|de imediato|na hora|instantaneamente|logo em seguida"},
	{chAtOnce, "it", "immediatamente|subito|all'istante|istantaneamente|seduta stante"},
	{chAtOnce, "ru", "немедленно|мгновенно|тут же|моментально|тотчас"},
	{chAtOnce, "uk", "негайно|миттєво|одразу"},
	{chAtOnce, "zh", "立即|立刻|马上|馬上|当即|瞬间|立马"},
	{chAtOnce, "ja", "すぐに|即座|直ちに|ただちに|即時|瞬時"},
	{chAtOnce, "ko", "즉시|곧바로|바로|당장"},
	{chAtOnce, "nl", "onmiddellijk|meteen|direct"},
	{chAtOnce, "pl", "natychmiast|od razu|niezwłocznie"},
	{chAtOnce, "tr", "hemen|derhal|anında"},
	{chAtOnce, "+", "at once|gleich|сразу|directly|direkt|すぐ|directement|directamente"},

	{chForNow, "en", "temporarily|for now|for the time being|for the moment|provisionally|in the interim"},
	{chForNow, "de", "vorübergehend|vorerst|einstweilen|vorläufig|fürs erste|zeitweise|bis auf weiteres"},
	{chForNow, "fr", "temporairement|provisoirement|pour l'instant|pour le moment"},
	{chForNow, "es", "temporalmente|provisionalmente|por ahora|de momento|por el momento"},
	{chForNow, "pt", "temporariamente|provisoriamente|por enquanto|por ora"},
	{chForNow, "it", "temporaneamente|provvisoriamente|per ora|per il momento|per adesso"},
	{chForNow, "ru", "временно|на время|на данный момент"},
	{chForNow, "uk", "тимчасово|наразі"},
	{chForNow, "zh", "暂时|暫時|临时|臨時"},
	{chForNow, "ja", "一時的|とりあえず|当面|暫定|さしあたり"},
	{chForNow, "ko", "일시적|당분간|임시|잠시|우선은"},
	{chForNow, "nl", "tijdelijk|voorlopig|vooralsnog"},
	{chForNow, "pl", "tymczasowo|na razie|chwilowo"},
	{chForNow, "tr", "geçici|şimdilik"},

	{chForGood, "en", "permanently|forever|for good|once and for all|for ever|irrevocably|definitively"},
	{chForGood, "de", "dauerhaft|für immer|endgültig|ein für alle mal|unwiderruflich"},
	{chForGood, "fr", "définitivement|pour toujours|une fois pour toutes|durablement|pour de bon"},
	{chForGood, "es", "permanentemente|para siempre|definitivamente|de una vez por todas"},
	{chForGood, "pt", "permanentemente|para sempre|definitivamente|de uma vez por todas"},
	{chForGood, "it", "permanentemente|per sempre|definitivamente|una volta per tutte"},
	{chForGood, "ru", "навсегда|окончательно|раз и навсегда|насовсем"},
	{chForGood, "uk", "назавжди|остаточно"},
	{chForGood, "zh", "永久|永远|永遠|一劳永逸|从此"},
	{chForGood, "ja", "永久|恒久|永続|二度と"},
	{chForGood, "ko", "영구|영원히"},
	{chForGood, "nl", "permanent|voorgoed|definitief"},
	{chForGood, "pl", "na stałe|na zawsze|definitywnie"},
	{chForGood, "tr", "kalıcı|sonsuza"},

	{chSuddenly, "en", "suddenly|all of a sudden|unexpectedly|out of nowhere|surprisingly"},
	{chSuddenly, "de", "plötzlich|unerwartet|überraschend|aus heiterem himmel"},
	{chSuddenly, "fr", "soudain|soudainement|tout à coup|subitement|de façon inattendue"},
	{chSuddenly, "es", "de repente|súbitamente|de pronto|inesperadamente"},
	{chSuddenly, "pt", "de repente|subitamente|inesperadamente"},
	{chSuddenly, "it", "improvvisamente|all'improvviso|di colpo|inaspettatamente"},
	{chSuddenly, "ru", "внезапно|вдруг|неожиданно"},
	{chSuddenly, "uk", "раптом|несподівано|раптово"},
	{chSuddenly, "zh", "突然|忽然|意外地|出乎意料"},
	{chSuddenly, "ja", "突然|急に|不意に|いきなり|意外"},
	{chSuddenly, "ko", "갑자기|돌연|뜻밖"},
	{chSuddenly, "nl", "plotseling|opeens|onverwacht"},
	{chSuddenly, "pl", "nagle|niespodziewanie"},
	{chSuddenly, "tr", "aniden|birdenbire|beklenmedik"},

	{chMeanwhile, "en", "meanwhile|in the meantime|at the same time|simultaneously|concurrently"},
	{chMeanwhile, "de", "inzwischen|mittlerweile|unterdessen|gleichzeitig|zeitgleich"},
	{chMeanwhile, "fr", "entre-temps|pendant ce temps|en même temps|simultanément"},
	{chMeanwhile, "es", "mientras tanto|al mismo tiempo|entretanto|simultáneamente"},
	{chMeanwhile, "pt", "enquanto isso|ao mesmo tempo|entretanto|simultaneamente"},
	{chMeanwhile, "it", "nel frattempo|contemporaneamente|allo stesso tempo|intanto"},
	{chMeanwhile, "ru", "тем временем|одновременно|между тем"},
	{chMeanwhile, "uk", "тим часом|одночасно|водночас"},
	{chMeanwhile, "zh", "与此同时|其间|期间"},
	{chMeanwhile, "ja", "同時に|その間"},
	{chMeanwhile, "ko", "동시에|한편|그사이"},
	{chMeanwhile, "nl", "ondertussen|tegelijkertijd|inmiddels"},
	{chMeanwhile, "pl", "tymczasem|jednocześnie"},
	{chMeanwhile, "tr", "bu arada|aynı anda"},
	{chMeanwhile, "+", "while|during|parallel*|concurren*|während|pendant|mientras|durante|mentre|enquanto|пока|параллельн*|同时|同時|並行|동시"},
}
