package reply

import (
	"regexp"

	recap "github.com/sessionrecap/recap"
)

// The words of notices and refusals, lower case, as providers and models write
// them in English, German, French, Spanish, Portuguese, Italian, Russian,
// Chinese, Japanese and Korean. As of 2026-11-30.

// limitSure speaks to the person: no recap does.
func limitSure() []string {
	return []string{
		`(?:you've|you have|you) (?:\w+ )?(?:hit|reached|exceeded|used up|used all|exhausted|run out of)(?: of)? (?:your|the|all|our) [\w -]{0,40}?(?:limit|quota|credits?|usage|messages|requests|allowance|tokens)`,
		`you(?:'re| are) (?:out of|over your|being rate[ -]limited|rate[ -]limited|sending (?:messages|requests) too)`,
		`your [\w -]{0,30}(?:limit|quota|credits?|credit balance)[\w ]{0,20} (?:is|was|has been|have been|are) (?:\w+ )?(?:reached|exceeded|exhausted|too low|used up|empty|depleted|insufficient)`,
		`(?:you've|you have) used (?:\d+ ?%|all|up)[\w %]* of your`, `your (?:organi[sz]ation|account|team|workspace|plan|project|key) (?:has|is) (?:\w+ )?(?:exceeded|reached|hit|out of|over|been rate|rate)`,
		`claude (?:ai |code )?usage limit reached`, `(?:the |your )?request (?:was |has been )?(?:rejected|denied|refused|throttled|rate[ -]limited)(?: \w+){0,3}[,.:;]`,
		`(?:ihr|dein|votre|ton|tu|su|il tuo|seu|ваш)[\wäöüßéèêáíóúа-яё -]{0,30}(?:limit|kontingent|guthaben|quota|limite|crédits?|límite|cuota|saldo|лимит|баланс|кредит)[\wäöüßéèêáíóúа-яё ]{0,30}(?:erschöpft|aufgebraucht|überschritten|erreicht|épuisé|atteint|dépassé|agotad|superad|alcanzad|esaurit|superat|esgotad|исчерпан|превышен|закончил)`,
		`(?:sie haben|du hast) (?:ihr|dein|das|alle)[\wäöüß -]{0,50}(?:limit|kontingent|guthaben|grenze|anfragen)[\wäöüß ]{0,20}(?:erreicht|überschritten|aufgebraucht|ausgeschöpft|verbraucht)`,
		`(?:vous avez|tu as) (?:atteint|dépassé|épuisé|utilisé)[\w 'éàèê-]{0,50}(?:limite|quota|crédits?|requêtes)`,
		`(?:usted )?(?:has|ha) (?:alcanzado|superado|agotado|excedido)[\w áéíóúñ]{0,50}(?:límite|cuota|créditos?|mensajes)`,
		`você (?:já )?(?:atingiu|excedeu|esgotou|ultrapassou)[\w áâãéêíóôõúç]{0,50}(?:limite|cota|créditos?)`,
		`hai (?:raggiunto|superato|esaurito)[\w 'àèéìòù]{0,50}(?:limite|quota|crediti)`,
		`(?:вы|ты) (?:уже )?(?:достигли|достиг|исчерпали|исчерпал|превысили|превысил|израсходовали)[а-яё -]{0,50}(?:лимит|квот|ограничен|предел)`,
		`(?:您|你)(?:的[^。]{0,15}?)?(?:今日|本月|当前)?(?:已经|已|的)?[^。]{0,6}(?:达到|超出|超过|用完|用尽|耗尽)[^。]{0,20}(?:限制|上限|配额|额度|次数)`,
		`(?:您|你)的[^。]{0,15}(?:配额|额度|余额|次数)(?:已|已经)?(?:用完|用尽|耗尽|不足|达到上限)`,
	}
}

func limitBegins() []string {
	return []string{
		`(?:the )?(?:your )?(?:[\w.-]+ ){0,4}(?:limit|quota|credits?|allowance|budget|cap)(?: for this \w+)?(?: is| was| has been| have been)? (?:reached|exceeded|exhausted|hit|used up|depleted)`, `se ha (?:alcanzado|superado|excedido|agotado) (?:el|la|su|tu) (?:límite|cuota)[\w áéíóúñ]{0,30}`,
		`(?:the )?(?:[\w.-]+ ){0,3}(?:rate|usage|request|token|message|session|daily|weekly|monthly|hourly|5-hour|spending|plan|api)[ -]?(?:usage |rate |request )?(?:limit|quota)(?:s)?(?: error)?(?: (?:is|was|has been|have been))?(?: (?:reached|exceeded|hit|error|exhausted))`,
		`rate[ _-]?limit(?:ed)?(?:_(?:error|exceeded))?(?: error)?`, `too many (?:requests|concurrent requests|tokens)(?: per \w+)?`, `no (?:\w+ )?(?:credits|requests|messages|tokens) (?:left|remaining)(?: (?:on|for|in) (?:this|your) \w+)?`, `(?:quota|limit) (?:has been )?(?:exceeded|reached|exhausted)`, `insufficient[_ ](?:quota|credits?|balance|funds)`,
		`resource[_ ]?(?:has been )?exhausted`, `credit balance is too low`, `out of credits`, `billing hard limit has been reached`, `request was throttled`, `throttl(?:ed|ing)(?:exception)?`,
		`zu viele anfragen`, `(?:das |die )?(?:nutzungs|anfrage|raten?|tages|nachrichten|api)[- ]?(?:limit|grenze|begrenzung|kontingent)(?: (?:wurde|ist))? (?:erreicht|überschritten)`, `(?:das )?kontingent (?:ist |wurde )?(?:erschöpft|aufgebraucht|überschritten)`,
		`trop de requêtes`, `(?:la |votre )?(?:limite|quota)[\w 'éàè-]{0,30}(?:atteinte?|dépassée?)`,
		`demasiadas (?:solicitudes|peticiones)`, `(?:se ha (?:alcanzado|superado) )?(?:el |la )?(?:límite|cuota)[\w áéíóúñ]{0,30}(?:alcanzad[oa]|superad[oa]|excedid[oa]|agotad[oa])`, `muitas (?:solicitações|requisições)`, `(?:o )?(?:limite|cota)[\w ãçéíõ]{0,30}(?:atingid[oa]|excedid[oa])`,
		`troppe richieste`, `(?:il )?limite[\w ']{0,30}(?:raggiunto|superato)`,
		`слишком много запросов`, `(?:превышен|исчерпан|достигнут)[а-яё]*[а-яё ]{0,30} (?:лимит|квота|ограничение|предел)[а-яё]*(?: (?:запросов|использования|сообщений|токенов))?`, `(?:лимит|квота)[а-яё ]{0,30} (?:исчерпана?|превышена?|достигнута?)`,
		`请求(?:过于频繁|过多|太频繁|次数过多|频率过高)`, `(?:当前|今日)?(?:配额|额度|余额|使用量)(?:已)?(?:用尽|用完|不足|超限)`, `(?:已)?(?:达到|超出|超过)(?:了)?(?:速率|频率|请求|使用|用量|api)[^。，]{0,8}(?:限制|上限)`, `(?:速率|频率)(?:限制|受限)`,
		`(?:ご?利用|使用|リクエスト|レート|api)[^。、]{0,14}(?:上限|制限|リミット)(?:に|を)(?:達しました|達しています|達したため|超えました|超過しました)`, `リクエスト(?:数)?が多すぎます`, `(?:クォータ|割り当て)[をが]?(?:超過|超え|不足)[しま]*(?:した)?`,
		`(?:사용|요청|api|호출)[^.,]{0,12}(?:한도|제한)[를에을가이]? ?(?:초과|도달)[^.,]{0,8}`, `요청이 너무 많습니다`,
	}
}

func loginSure() []string {
	return []string{
		`please (?:run )?/login`, `(?:please )?run [\w -]{1,20} (?:auth )?login\b`, `you (?:are not|aren't|'re not|need to be|must be|must) (?:\w+ )?(?:logged|signed|log|sign|authenticat)`, `you're not (?:logged|signed)`,
		`your (?:session|login|token|access token|api key|credentials?)(?: (?:for|to|at|on|with) [\w .'-]{1,40}?)?(?: has| have| is| are)? (?:expired|invalid|not valid|incorrect|been revoked|missing)`, `you didn't provide an api key`, `incorrect api key provided`,
		`(?:bitte )?(?:melden sie sich|melde dich)(?: erneut| wieder| zuerst)? an`, `sie sind nicht angemeldet`, `du bist nicht angemeldet`, `ihre (?:sitzung|anmeldung) ist abgelaufen`,
		`connectez-vous pour continuer`, `(?:necesitas|debe) iniciar sesión(?:$|[.,!])`,
		`veuillez (?:vous )?(?:re)?connecter`, `vous n'êtes pas connecté`, `votre session a expiré`,
		`(?:por favor,? )?(?:inicia|inicie) sesión`, `no has iniciado sesión`, `(?:tu|su) sesión ha (?:caducado|expirado)`, `debes? iniciar sesión`, `(?:por favor,? )?faça login`, `sua sessão expirou`, `effettua (?:il login|l'accesso)`, `la tua sessione è scaduta`,
		`(?:пожалуйста, )?(?:войдите|авторизуйтесь)(?: в| снова| заново|,|\.|$)`, `вы не (?:авторизованы|вошли)`, `ваша сессия истекла`,
		`请(?:先|您先|重新)?登[录錄](?:后|以|$|[。，！])`, `您(?:尚未|还没有|未)登录`, `(?:もう一度|再度)?ログインしてください(?:$|[。！])`, `로그인(?:해 주세요|해주세요|하세요)`,
	}
}

func loginBegins() []string {
	return []string{
		`(?:the |your )?(?:login|session|(?:access |oauth |auth )?token|credentials?|api key) (?:has |have |is |are )?(?:expired|invalid|revoked|missing)`,
		`(?:please )?(?:log|sign)[ -]?(?:in|on)(?: again| first| required)?(?: to (?:continue|use|your|proceed|claude|chatgpt|openai|gemini)[\w ]{0,20})?`, `not (?:logged|signed) in`, `(?:login|authentication|authorization|sign-in|auth) (?:is )?(?:required|failed|error|expired)`, `authentication_error`,
		`(?:unauthori[sz]ed|not authori[sz]ed)`, `please authenticate(?: first| again)?`, `missing credentials(?: for [\w -]{1,30})?`, `the api key (?:you )?(?:provided )?is (?:invalid|not valid|incorrect)`, `доступ запрещ[её]н`, `forbidden`, `(?:the )?(?:invalid|incorrect|missing|no|expired) (?:api[ -]?key|x-api-key|access token|auth(?:entication)? token|credentials?|bearer token)(?: (?:provided|found|supplied|configured|set))?`,
		`(?:the )?api[ -]?key (?:is )?(?:not valid|invalid|missing|expired|required|not found|not set)`, `oauth token (?:has )?(?:expired|been revoked|revoked)`, `permission denied`, `session expired`, `access denied`,
		`nicht angemeldet`, `(?:ungültiger|falscher|fehlender|kein) api[- ]?(?:schlüssel|key)`, `(?:anmeldung|authentifizierung) (?:ist )?(?:erforderlich|fehlgeschlagen|abgelaufen)`, `clé (?:d')?api (?:invalide|non valide|incorrecte|manquante)`, `authentification (?:requise|échouée)`, `connexion requise`,
		`(?:la )?clave (?:de )?api (?:no (?:es )?válida|inválida|incorrecta)`, `autenticación (?:requerida|fallida)`, `chave (?:de )?api (?:inválida|incorreta)`, `autenticação (?:necessária|falhou)`, `chiave api non valida`, `autenticazione (?:richiesta|non riuscita)`,
		`(?:неверный|недействительный|отсутствует) (?:api[- ]?ключ|ключ api)`, `требуется (?:авторизация|вход|аутентификация)`, `ошибка (?:аутентификации|авторизации)`, `не авторизован[оа]?`, `сессия истекла`,
		`(?:未登录|尚未登录|需要登录)`, `(?:无效的|错误的) ?api ?(?:密钥|key)`, `api ?(?:密钥|key) ?(?:无效|错误|不正确|已过期)`, `(?:身份)?(?:验证|认证)失败`, `登录(?:已)?(?:过期|失效)`,
		`ログイン(?:していません|が必要です)`, `api ?キーが(?:無効です|正しくありません)`, `認証(?:に失敗しました|エラー)`, `セッションの有効期限が切れ(?:ました|ています)`, `api 키가 (?:유효하지|올바르지) 않습니다`, `로그인이 필요합니다`, `인증(?:에 실패했습니다| 실패| 오류)`,
	}
}

func contextSure() []string { return []string{`this model's maximum context length is \d`} }

func contextBegins() []string {
	return []string{`(?:this model's )?maximum context length`, `(?:the )?(?:prompt|input|request|message) is too (?:long|large)`, `context[_ ](?:length|window)[_ ]exceeded`, `the (?:context|conversation) is too long`, `(?:输入|上下文)(?:过长|超出长度)`, `der (?:prompt|kontext) ist zu lang`, `контекст слишком длинный`}
}

func modelBegins() []string {
	return []string{`(?:the )?model:? ['"]?[\w./:-]+['"]?,? (?:was |is )?(?:not found|does not exist|doesn't exist|not supported|not available|unknown)`, `(?:unknown|invalid|unsupported) model`, `model[_ ]not[_ ]found`, `no such model`}
}

func unavailableBegins() []string {
	return []string{`(?:the )?(?:model|engine|server|service|system)(?: ['"]?[\w./:-]+['"]?)? is (?:currently |temporarily |still )?(?:overloaded|loading|unavailable|busy|at capacity|starting)`, `loading model`, `overloaded(?:_error)?`, `(?:the )?service (?:is )?(?:temporarily )?unavailable`, `服务(?:暂时)?不可用`, `模型(?:正在)?加载中`}
}

func timeoutBegins() []string {
	return []string{`(?:the )?(?:request|connection|operation|gateway|upstream)?[ -]?tim(?:ed?[ -]?out)`, `deadline exceeded`, `gateway time-?out`, `请求超时`, `превышено время ожидания`, `zeitüberschreitung`}
}

// refusalSure is a model that speaks of itself.
func refusalSure() []string {
	return []string{
		`(?:(?:i'm|i am) (?:really |very |so |truly )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|regrettably)[,.!]?(?: for [\w ]{1,40}[,.])?(?: but)?,? (?:as an ai|i (?:can't|cannot|can not|could not|couldn't|won't|am unable|'m unable|am not able|do not|don't|didn't|must|have to))`,
		`(?:(?:i'm|i am) (?:really |very |so |truly )?sorry)[,.!]? but`, `i(?:'m| am) (?:really |very )?sorry[,.! ]*$`,
		`i (?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to|must decline to) (?:be able to )?(?:help|assist|comply|fulfil|summari[sz]e|recap|engage|provide|generate|discuss|create (?:a|the|this|that|content)|continue with|do that|process this|respond to)`,
		`i'm (?:unable|not able) to (?:help|assist|comply|fulfil|summari[sz]e|recap|engage|provide|generate|discuss|continue|do that|process|respond)`,
		`i must (?:respectfully )?decline`, `i(?:'m| am) (?:really |very |so )?sorry[,.!]`, `that goes against my`, `there is no (?:conversation|transcript|session|text)[\w ]{0,12} to (?:summari[sz]e|recap)`, `i(?:'m| am) not sure (?:what|how) (?:you|i)`, `(?:das|dies) kann ich (?:leider )?nicht`, `lo lamento[,.]`, `(?:this|your|the) \w+ (?:may|might|could|appears to|seems to) violate`,
		`as an? (?:ai|artificial intelligence|large language model|language model|llm|assistant)\b`, `i(?:'m| am) (?:just |only )?an? (?:ai|language model|artificial intelligence|large language)`,
		`(?:this|your) (?:request|content|conversation|prompt|message|response) (?:has been |was |is )?(?:blocked|flagged|violates?|rejected|not allowed|filtered)`, `(?:blocked|flagged) by (?:our |the )?(?:content|safety)`,
		`i do(?:n't| not) (?:currently )?have (?:access|enough (?:information|context)|any (?:information|context|memory)|the (?:conversation|transcript|session|ability))`,
		`(?:it (?:looks|seems|appears) (?:like|that) )?(?:you|there) (?:haven't|have not|didn't|did not|is no|was no|hasn't been)[\w ]{0,12} (?:provide|share|include|paste|transcript|conversation provided)`,
		`(?:could you |can you |please )(?:please )?(?:provide|share|paste|send)(?: me)?(?: with)? (?:the|me|more|some|your) (?:\w+ )?(?:transcript|session|conversation|context|text|details|information)`,
		`(?:(?:hello|hi|hey|sure|of course|certainly|great)[,.!]+ )*(?:how|what) can i (?:help|assist|do for)`, `i(?:'d| would) be (?:happy|glad) to (?:help|assist|summari[sz]e)`, `(?:sure|of course|certainly|absolutely)[,.!]+ (?:i(?:'ll| will| can)|here(?:'s| is)|how|let me|what)`,
		`(?:es )?tut mir (?:sehr )?leid[,.!]`, `entschuldigung[,.!]`, `leider (?:kann|darf|bin) ich`, `ich kann (?:ihnen|dir|dabei|hierbei|diese|bei)[\wäöüß ]{0,40} nicht (?:weiter)?(?:helfen|beantworten|erfüllen|unterstützen)`, `als (?:eine? )?(?:ki\b|künstliche intelligenz|sprachmodell|ki-)`,
		`(?:je suis (?:vraiment )?désolée?|désolée?|je m'excuse|je regrette|malheureusement)[,.!]?(?: mais)?,? je ne `, `je ne (?:peux|puis) pas (?:vous |t')?(?:aider|répondre|fournir|assister)`, `en tant qu(?:'ia|'intelligence artificielle|'assistant|e modèle)`, `je suis (?:vraiment )?désolée?[,.!]`,
		`(?:lo siento|disculpa|perdón|lamentablemente|desafortunadamente)[,.!]?(?: pero)?,? (?:no (?:puedo|soy|me es)|como)`, `no puedo (?:ayudar|asistir|proporcionar|cumplir|responder)`, `como (?:una? )?(?:ia\b|inteligencia artificial|modelo de lenguaje|asistente de ia)`,
		`(?:desculpe|sinto muito|lamento|infelizmente)[,.!]?(?: mas)?,? (?:eu )?não (?:posso|consigo)`, `não posso (?:ajudar|fornecer|atender)`, `como (?:uma? )?(?:ia\b|modelo de linguagem|inteligência artificial)`,
		`(?:mi dispiace|spiacente|purtroppo)[,.!]?(?: ma)?,? non posso`, `non posso (?:aiutar|fornire|assister)`, `(?:come|in quanto) (?:un'?|una )?(?:ia\b|intelligenza artificiale|modello linguistico)`,
		`(?:извините|простите|к сожалению|прошу прощения|приношу извинения)[,.!]?(?: но)?,? я не `, `я не (?:могу|смогу) (?:вам |тебе )?(?:помочь|выполнить|предоставить|ответить|обсуждать|продолжить)`, `как (?:ии\b|ии[ -]|искусственный интеллект|языковая модель|ai[ -])`, `я (?:всего лишь )?(?:языковая модель|искусственный интеллект)`,
		`(?:很|非常|十分)?(?:抱歉|对不起)[，,。！]?[^。]{0,16}(?:无法|不能|没办法|没法|不便)`, `我(?:无法|不能)(?:协助|帮助|提供|满足|回答|完成(?:此|这|该)|处理(?:此|这|该))`, `作为(?:一个|一名|一款)?(?:ai|人工智能|大?(?:型)?语言模型)`, `我(?:只)?是(?:一个|一名|一款)?(?:ai|人工智能|大?(?:型)?语言模型)`,
		`(?:大変)?(?:申し訳(?:ありません|ございません|ないです)|すみません|ごめんなさい|恐れ入りますが)[^。]{0,40}(?:できません|いたしかね|できかね|出来ません|お手伝い|お答え)`, `(?:お手伝い|お答え|ご対応|お応え)(?:する)?(?:こと)?(?:は|が)?できません(?:$|。)`, `(?:その|この|ご)(?:内容|ご?質問|リクエスト|要望)[^。、]{0,8}(?:お答え|対応|お応え)[^。、]{0,4}できません(?:$|。)`, `(?:私は)?ai(?:アシスタント|言語モデル)?(?:として|なので|ですので|であるため)`,
		`(?:죄송합니다|죄송하지만|미안하지만|미안합니다)[^.]{0,6}[.,!]?[^.]{0,40}(?:없습니다|어렵습니다|불가능)`, `도와드릴 수 없`, `(?:저는 )?ai (?:언어 모델|어시스턴트)?(?:로서|이므로)`,
	}
}

func errorBegins() []string {
	return []string{
		`internal (?:server )?error`, `(?:bad|invalid) (?:gateway|request)`, `upstream (?:connect )?error`, `(?:an? )?(?:unknown |unexpected |internal )?error (?:has )?occurred(?: while [\w ]{1,40})?`, `the server had an error(?: while)?(?: processing your request)?`, `something went wrong`, `api[_ ]error`, `connection (?:refused|error|reset|aborted)`, `network error`, `fetch failed`,
		`(?:ein )?interner (?:server)?fehler`, `es ist ein fehler aufgetreten`, `une erreur (?:interne )?(?:s'est produite|est survenue)`, `erreur interne`, `(?:se )?ha ocurrido un error`, `error interno`, `ocorreu um erro`, `si è verificato un errore`,
		`внутренняя ошибка(?: сервера)?`, `произошла ошибка`, `(?:服务器)?内部错误`, `发生(?:了)?错误`, `(?:内部|サーバー)エラー`, `エラーが発生しました`, `오류가 발생했습니다`, `request failed`, `not found`, `method not allowed`,
	}
}

// restOfNotice is what follows in a notice: what to do, when, where.
func restOfNotice() *regexp.Regexp {
	return regexp.MustCompile(`^(?:please|try again|try later|retry (?:after|in|later)|resets?\b|waiting \d|upgrade|your |you |contact|visit|go to|see https?|check your|wait |in \d|until |again|for (?:gpt|o\d|claude|gemini|model|organization|requests|default|user|tokens|free|account|this (?:account|key|organization))|limit:|code:|request[ _]id|http|\d|/login\b|run |status \d|error\b|provided\b|come back|slow down|to (?:continue|increase)\b|sign in\b|log in\b|exceeded\b|reached\b|` +
		`bitte|versuche|später|in kürze|warten|veuillez|réessayez|merci de|por favor|inténtalo|inténtelo|intente|vuelve|espera|tente|aguarde|riprova|per favore|attendi|` +
		`пожалуйста|войдите|попробуйте|повторите|подождите|请|稍后|重试|无法|処理できません|ご?利用できません|しばらく|もう一度|後で|後ほど|再度|お待ち|時間をおいて|잠시|나중에|다시)`)
}

// advice tells the person what to do about a notice, wherever it stands.
func advice() *pattern {
	return newPattern(`[.,;:!·∙•|] ?retry (?:after|in) \d|(?:^|[.,;:!·∙•|(-] ?)(?:(?:please )?try again(?: in\b| later| at\b| tomorrow| after|[.!]?$)|please (?:upgrade|wait|retry|try again|re-?auth|run /|contact (?:us|support|your)|check your (?:plan|api|account|settings)|reduce)|resets? (?:at |in |on )?(?:\d|mon|tue|wed|thu|fri|sat|sun)|run /?login|waiting \d|upgrade (?:your plan|to (?:pro|plus|max|premium|team|a paid|continue))|` +
		`bitte (?:versuche|warte|melde|wende|später|erneut)|versuche(?:n sie)? es (?:später|erneut|noch)|(?:veuillez )?réessaye[rz]|veuillez (?:patienter|vous|passer)|(?:por favor,? )?(?:inténtalo|inténtelo|intente|vuelve a intentar|espera unos)|(?:por favor,? )?(?:tente|aguarde)|(?:per favore,? )?(?:riprova|attendi)|(?:пожалуйста, )?(?:попробуйте|повторите (?:попытку|позже|запрос)|подождите))|` +
		`稍后(?:再试|重试)|请(?:稍后|稍候|重试|充值|升级|联系)|お試しください|お待ちください|再度お試し|다시 시도해|기다려 주`)
}

// spoken finds what stands in quotes.
func spoken() *regexp.Regexp {
	return regexp.MustCompile(`"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」|『[^』]*』|'[^']{8,}'`)
}

// troubles are what a notice with advice is about.
func troubles() []codedWords {
	return []codedWords{
		{recap.CodeNoLogin, `log ?in\b|logged in|sign ?in\b|signed in|api[- _]?key|token (?:has )?expired|expired|authenti|credential|unauthori|/login|angemeldet|anmeld|authentif|connect(?:er|é)|sesión|sessão|авториз|войдите|登录|密钥|ログイン|認証|로그인`},
		{recap.CodeRateLimited, `limit|quota|credit|requests|throttl|429|kontingent|anfragen|guthaben|limite|requêtes|límite|cuota|solicitudes|cota|лимит|квот|запрос|限制|上限|额度|配额|频繁|制限|上限|リクエスト|한도|요청`},
		{recap.CodeProviderError, `error|fail|unavailable|overload|busy|wrong|fehler|abgelehnt|erreur|échou|fallo|falló|erro|errore|ошибк|недоступ|错误|失败|エラー|失敗|오류`},
	}
}

type codedWords struct {
	code  recap.Code
	words string
}

// objectWords tell the code of an error object or page, the first that fits.
func objectWords() []codedWords {
	return []codedWords{
		{recap.CodeContextTooSmall, `context[_ ]length|maximum context|prompt is too long|too many tokens in|context window`},
		{recap.CodeRateLimited, `\b429\b|rate[_ -]?limit|too many requests|quota|resource[_ ]?exhausted|credit balance|insufficient[_ ](?:credits|balance|funds)|usage limit|billing|throttl`},
		{recap.CodeNoLogin, `\b40[13]\b|unauthori[sz]ed|authenticat|api[_ -]?key|permission[_ ]denied|forbidden|log ?in\b|sign ?in\b|access denied|expired token|token expired`},
		{recap.CodeNoModel, `model[_ ]not[_ ]found|model [^,]{0,60}(?:not found|does not exist)|no such model|unknown model`},
		{recap.CodeTimeout, `\b504\b|time-?out|timed out|deadline`},
		{recap.CodeModelUnavailable, `\b(?:503|529)\b|overloaded|unavailable|loading|at capacity`},
	}
}
