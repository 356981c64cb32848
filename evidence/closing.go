package evidence

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// closingWords are what closing exchanges are made of: consent, thanks, go
// on, commit, push, and the small words around them. A message made of these
// alone asks for nothing new.
const closingWords = "" +
	// English
	"yes|yeah|yep|yup|ya|y|ye|sure|ok|okay|okey|k|kk|o.k|alright|right|correct|exactly|agreed|approved|approve|accept|accepted|confirm|confirmed|confirming|lgtm|sgtm|ship it|ship|sounds good|looks good|look good|looks great|looks fine|looks right|sounds great|good|great|perfect|awesome|nice|cool|excellent|fine|amazing|wonderful|fantastic|brilliant|super|neat|sweet|love it|works|it works|works for me|that works|works now|" +
	"thanks|thank|thx|ty|tysm|cheers|appreciated|appreciate it|much appreciated|good job|great job|well done|nice work|great work|good work|nice one|thank you|" +
	"go|go on|go ahead|go for it|continue|proceed|keep going|carry on|resume|do it|do that|do this|do so|make it so|let's go|lets go|let's do it|next|next step|next one|move on|please do|please|pls|plz|kindly|try again|again|retry|same|" +
	"commit|commit it|push|push it|merge|merge it|commit and push|amend|squash|pr|open pr|open a pr|create a pr|create pr|pull request|branch|main|master|origin|remote|upstream|changes|change|work|everything|all|result|results|a commit|make a commit|" +
	"this|that|it|these|those|them|now|then|and|&|so|also|the|a|an|to|for|with|of|on|in|too|just|your|our|my|you|i|we|me|us|can|could|would|will|let's|lets|very|much|so much|a lot|very much|man|mate|buddy|bro|claude|codex|gemini|qwen|agent|hi|hello|hey|bye|goodbye|see you|later|done|all done|that's all|that is all|that's it|nothing else|no|nope|nah|no thanks|not now|np|no problem|got it|i see|understood|makes sense|ah|oh|aha|hm|hmm|hmmm|mm|uh|um|well|is|are|was|be|have|has|as|is fine|all good|good to go|ready|stop|wait|cancel|option|first|second|third|one|two|both|either|up to you|your call|you decide|as you like|as you wish|as you suggested|as suggested|as proposed|as planned|the plan|plan|" +
	// Russian, Ukrainian
	"да|ага|угу|ок|окей|хорошо|ладно|давай|давайте|продолжай|продолжайте|продолжи|продолжить|дальше|далее|поехали|вперед|вперёд|погнали|делай|делайте|сделай|так|так и сделай|верно|правильно|согласен|согласна|подтверждаю|конечно|закоммить|закомить|закоммитить|закоммитьте|коммит|коммить|сделай коммит|коммить и пуш|запушь|запуш|запушить|пуш|пушь|пушни|мержи|смержи|мердж|спасибо|благодарю|отлично|супер|класс|круто|здорово|молодец|прекрасно|замечательно|пожалуйста|плиз|изменения|правки|это|эти|всё|все|его|их|и|а|теперь|тогда|в|на|мастер|ветку|репозиторий|большое|огромное|нет|не надо|готово|понял|поняла|понятно|ясно|пойдет|пойдёт|годится|принято|ещё раз|еще раз|ну|вот|можно|можешь|привет|пока|первый|второй|оба|" +
	"так|гаразд|добре|далі|продовжуй|продовжуйте|закоміть|закомить|зробі коміт|коміт|запуш|дякую|дуже|чудово|файно|зроби|зміни|це|і|й|та|тепер|ні|зрозуміло|згоден|згодна|звичайно|будь|ласка|" +
	// Spanish, Portuguese, Italian
	"sí|si|claro|vale|dale|bueno|bien|muy bien|de acuerdo|perfecto|genial|excelente|adelante|sigue|siga|continúa|continua|continúe|procede|hazlo|hágalo|haz|haz commit|haz el commit|haz push|commitea|comitea|confirma|confirmado|sube|súbelo|subelo|sube los cambios|los|las|el|la|lo|cambios|esto|eso|todo|y|ahora|por favor|gracias|muchas|mil|listo|entendido|correcto|exacto|no|luego|entonces|un|una|al|de|con|a|se ve bien|otra vez|de nuevo|puedes|hola|" +
	"sim|ótimo|otimo|certo|beleza|pode|pode continuar|prossiga|siga|continue|faça|faça o commit|faz|faz o commit|comita|commita|envie|envia|obrigado|obrigada|muito|valeu|isso|está|bom|tudo bem|ok|os|as|o|e|agora|mudanças|alterações|perfeito|não|" +
	"sì|va bene|bene|certo|perfetto|ottimo|continua|procedi|vai|vai avanti|avanti|fallo|fai|fai il commit|fai commit|fai push|pusha|committa|grazie|mille|molte|per favore|prego|questo|tutto|le|modifiche|il|ora|d'accordo|esatto|giusto|" +
	// German, Dutch
	"ja|jo|jep|jup|genau|klar|gut|sehr gut|super|prima|perfekt|toll|passt|in ordnung|einverstanden|richtig|stimmt|weiter|mach weiter|weitermachen|mach|mach das|tu das|los|leg los|fortfahren|fahre fort|fahr fort|committe|commite|commit das|committe das|pushe|pushen|bitte|danke|vielen|dank|dankeschön|schön|das|die|den|es|alles|und|jetzt|nun|dann|mal|auch|änderungen|ein|einen|nein|nö|fertig|verstanden|okay|noch|nochmal|noch mal|sieht gut aus|so|bestätigt|hallo|auf|in|" +
	"prima|goed|ga door|ga verder|doorgaan|verder|doe maar|doe het|dank je|dankjewel|bedankt|graag|dit|dat|en|nu|alsjeblieft|nee|" +
	// French
	"oui|ouais|d'accord|entendu|parfait|super|génial|excellent|très bien|bien|bien sûr|continue|continuez|vas-y|allez-y|allez|go|fais-le|faites-le|fais|fais ça|fais un commit|fais le commit|commite|committe|commit ça|commit les changements|pousse|push|merci|beaucoup|s'il te plaît|s'il vous plaît|stp|svp|ça|cela|tout|les|le|la|un|et|maintenant|puis|ensuite|changements|modifications|non|c'est bon|c'est parfait|c'est bien|ça marche|nickel|exact|exactement|compris|suivant|encore|bonjour|salut|des|sur|" +
	// Polish, Turkish, Vietnamese, Indonesian, Czech, Swedish
	"tak|dobrze|dobra|okej|kontynuuj|dalej|zrób to|zrób|zrób commit|zacommituj|scommituj|wypchnij|dzięki|dziękuję|dziekuje|bardzo|proszę|świetnie|super|idealnie|jasne|teraz|to|i|zmiany|nie|zgoda|zatwierdź|" +
	"evet|tamam|olur|peki|devam|devam et|devam edin|yap|commit et|commit at|commitle|pushla|push et|gönder|teşekkürler|teşekkür|ederim|çok|sağol|harika|mükemmel|güzel|lütfen|bunu|şimdi|ve|değişiklikleri|hayır|onaylıyorum|" +
	"có|vâng|được|đồng ý|tiếp tục|tiếp|làm đi|commit đi|đẩy lên|cảm ơn|cám ơn|tốt|tuyệt|tuyệt vời|hay lắm|nhé|đi|rồi|bạn|xong|" +
	"ya|iya|oke|baik|lanjut|lanjutkan|teruskan|kerjakan|commit saja|terima kasih|makasih|bagus|mantap|silakan|tolong|ini|itu|sekarang|" +
	"ano|jo|pokračuj|dobře|děkuji|díky|prosím|fortsätt|ja tack|tack|bra|kör|" +
	// Arabic, Hebrew, Persian, Hindi, Thai, Greek
	"نعم|أجل|حسنا|حسنًا|حسناً|تمام|موافق|استمر|تابع|واصل|أكمل|اكمل|نفذ|شكرا|شكرًا|شكراً|جزيلا|جزيلاً|ممتاز|رائع|جيد|من فضلك|ادفع|هذا|الآن|لا|التغييرات|" +
	"כן|בסדר|אוקיי|אוקי|המשך|תמשיך|תמשיכי|תודה|רבה|מעולה|מצוין|יופי|בבקשה|עכשיו|תעשה|את|זה|קומיט|דחוף|לא|" +
	"بله|آره|باشه|ادامه|بده|ممنون|متشکرم|مرسی|عالی|خوب|لطفا|لطفاً|این|را|کن|کامیت|" +
	"हाँ|हां|जी|ठीक|है|ठीक है|जारी|रखो|जारी रखो|जारी रखें|आगे|बढ़ो|करो|कर|दो|कमिट|पुश|धन्यवाद|शुक्रिया|बहुत|बढ़िया|अच्छा|कृपया|अब|इसे|यह|नहीं|और|" +
	"ใช่|โอเค|ตกลง|ทำต่อ|ต่อ|ต่อไป|ดำเนินการต่อ|ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ|ครับ|ค่ะ|ดี|ดีมาก|เยี่ยม|" +
	"ναι|εντάξει|οκ|συνέχισε|συνεχίστε|προχώρα|κάνε|ευχαριστώ|πολύ|τέλεια|ωραία|παρακαλώ|τώρα|το|όχι|καλά|" +
	// Chinese
	"是|是的|对|對|对的|好|好的|好吧|好啊|嗯|嗯嗯|行|可以|可以的|没问题|同意|确认|批准|继续|继续吧|繼續|接着|接着做|下一步|往下|开始|开始吧|做吧|去做|去吧|执行吧|就这样|这样|就|提交|提交吧|提交一下|提交代码|推送|推送吧|推|合并|并|并且|和|到|主分支|远程|代码|改动|更改|修改|请|请你|帮我|一下|吧|了|啊|呢|谢谢|謝謝|多谢|感谢|辛苦|辛苦了|你|您|很好|太好了|完美|不错|棒|真棒|太棒了|赞|厉害|明白|知道了|收到|懂了|不用|不用了|不|不是|然后|现在|再|这个|这些|那个|它|都|全部|把|" +
	// Japanese
	"はい|うん|ええ|そう|そうです|了解|了解です|了解しました|承知|承知しました|分かりました|わかりました|ok|いいね|いいよ|いいです|いいですね|よい|良い|続けて|続けてください|続き|続行|続行して|続行してください|進めて|進めてください|お願い|お願いします|お願いいたします|それで|それでお願いします|やって|やってください|実行して|コミット|コミットして|コミットしてください|コミットお願いします|プッシュ|プッシュして|プッシュしてください|マージして|して|ください|して下さい|を|も|と|に|の|で|これ|それ|これを|それを|この|その|変更|全部|ありがとう|ありがとうございます|ありがとうございました|どうも|完璧|完璧です|素晴らしい|最高|です|ね|よ|助かりました|次|次へ|いいえ|大丈夫|大丈夫です|問題ない|問題ありません|今|では|じゃあ|そして|" +
	// Korean
	"네|예|응|어|그래|그래요|좋아|좋아요|좋습니다|좋네요|맞아|맞아요|맞습니다|알겠습니다|알겠어|확인|계속|계속해|계속해줘|계속해주세요|계속해주세요|계속하세요|진행|진행해|진행해줘|진행해주세요|진행하세요|해|해줘|해주세요|그렇게|그렇게해줘|커밋|커밋해|커밋해줘|커밋해주세요|푸시|푸시해|푸시해줘|푸시해주세요|하고|고마워|고마워요|고맙습니다|감사|감사합니다|감사해요|완벽|완벽해|완벽합니다|훌륭해|잘했어|수고|수고했어|수고하셨습니다|이거|이것|그것|이걸|그걸|변경사항|변경|사항|을|를|도|다음|이제|지금|아니|아니요|괜찮아|괜찮아요|부탁|부탁해|부탁해요|부탁드립니다|제발|" +
	// Thanks and praise in more words, by language as above.
	"thanks a bunch|bunch|a million|million|heaps|tons|lot|helpful|that helps|that helped|helped|really|truly|appreciate|appreciate that|beautiful|lovely|solid|legend|star|you rock|the best|best|kudos|bravo|wow|your help|for your help|have a nice day|have a good one|have a great day|nice day|good day|weekend|take care|turned out great|turned out|came out|looks lovely|looks amazing|looks perfect|spot on|exactly what i wanted|what i needed|what i wanted|done here|for today|for now|i'm happy|happy with it|happy with that|that was it|work like a charm|works like a charm|works great|works perfectly|works well|much better|better|" +
	"спасибо тебе|тебе|вам|за помощь|помощь|то что нужно|то, что нужно|идеально|великолепно|шикарно|отличная|хорошая|работа|очень|помог|помогла|помогло|выручил|выручила|на сегодня|сегодня|хватит|достаточно|топ|огонь|благодарен|благодарна|ценю|работает|всё работает|все работает|теперь работает|получилось|вышло|отличный|результат|красота|красиво|спс|пасиб|щиро|вдячний|вдячна|працює|гарно|" +
	"quedó|quedo|ha quedado|funciona|funcionó|te lo agradezco|agradezco|gracias a ti|gracias a usted|a ti|por todo|por tu ayuda|por la ayuda|tu ayuda|increíble|fantástico|estupendo|muchísimas|infinitas|buen trabajo|gran trabajo|buenísimo|de nada|eso es todo|justo lo que quería|qué bien|muy amable|maravilloso|espectacular|" +
	"ficou|ficaram|show|maravilha|maravilhoso|lindo|incrível|massa|era isso|é isso|é isso aí|agradeço|agradecido|agradecida|funcionou|está ótimo|tá ótimo|está perfeito|top|legal|bem|melhor|exatamente|de nada|brigado|brigada|muitíssimo|demais|pela ajuda|por tudo|a você|te|bom trabalho|ótimo trabalho|ótima|boa|muito bom|" +
	"merci à toi|merci à vous|à toi|à vous|pour ton aide|pour votre aide|pour tout|c'est top|top|magnifique|impeccable|formidable|bravo|bien joué|ça fonctionne|fonctionne|ça roule|mille|mille fois|un grand|grand|c'est tout|bonne journée|beau travail|bon travail|extra|très|joli|trop bien|" +
	"grazie a te|a te|tante|funziona|ottimo lavoro|bel lavoro|fantastico|bravissimo|bravo|è perfetto|è|tutto ok|benissimo|ti ringrazio|ringrazio|per l'aiuto|buon lavoro|splendido|" +
	"danke dir|dir|ihnen|euch|danke schön|danke sehr|sehr|funktioniert|läuft|läuft jetzt|gute arbeit|tolle arbeit|gut gemacht|klasse|wunderbar|ausgezeichnet|hervorragend|spitze|sauber|tausend|herzlichen|besten|für deine hilfe|für die hilfe|das war's|das wars|das war alles|das ist alles|bin zufrieden|freut mich|einwandfrei|bestens|top|mega|lieben|ich|dir auch|ist super|ist gut|ist perfekt|geworden|" +
	"dank je wel|dank u|top|super|geweldig|mooi|werkt|heel|erg|hartelijk|goed gedaan|fijn|helemaal|" +
	"dzięki wielkie|wielkie|wielki|dobra robota|działa|świetna|robota|bardzo dziękuję|pięknie|ekstra|za pomoc|" +
	"çok teşekkürler|çok teşekkür|eline sağlık|elinize sağlık|eyvallah|çalışıyor|oldu|ellerine|sağlık|sağ ol|" +
	"tack så mycket|så|mycket|tak|mange|takk|tusen|kiitos|paljon|hienoa|toimii|tusind|jättebra|cảm ơn bạn|nhiều|rất|lắm|bạn nhiều|banyak|sekali|terima kasih banyak|" +
	"شكرا لك|لك|ممتاز جدا|جدا|جدًا|أحسنت|תודה לך|לך|כל|הכבוד|आपका|शानदार|बहुत अच्छा|ขอบคุณมาก|มาก|ευχαριστώ πολύ|μπράβο|" +
	"谢谢你|谢谢您|谢啦|谢了|非常感谢|多谢了|感谢你|感谢您|辛苦啦|辛苦您|干得好|做得好|做得不错|做得很好|没别的了|就到这里|先这样|先这样吧|挺好|挺好的|真好|非常|非常好|非常棒|好用|搞定了|搞定|很|很满意|满意|牛|牛逼|厉害|没有了|就好|就行|太|感激|帮大忙了|效果很好|效果不错|" +
	"ございます|ございました|どうもありがとう|ありがとうね|感謝します|感謝|感謝です|助かります|助かった|お疲れ様|お疲れ様です|お疲れ様でした|お疲れさまでした|おつかれさま|ばっちり|バッチリ|すごい|すごく|良さそう|良さそうです|よさそうです|いい感じ|いい感じです|とても|とても良い|良いです|よいです|本当に|ほんとに|大変|大変助かりました|以上です|以上|満足|うまくいきました|さすが|さすがです|動きました|直りました|嬉しい|嬉しいです|サンキュー|おかげさまで|" +
	"정말|정말로|너무|매우|대단히|최고|최고예요|최고입니다|멋져요|멋지네요|멋집니다|감사드립니다|감사드려요|고맙다|도움이|됐어요|됐습니다|되었습니다|많은|많이|수고하셨어요|수고했어요|끝|이상입니다|마음에|들어요|잘|됩니다|되네요|돼요|훌륭합니다|도와줘서|도와주셔서|대단해요|" +
	""

var closings = sync.OnceValue(func() *index {
	ix := newIndex(1024, 512)
	for p := range strings.SplitSeq(closingWords, "|") {
		ix.add(p, 1)
	}
	return ix
})

// isClosing: the message asks for nothing new. It is consent, thanks, "go
// on", "commit this", a number of an option, or a sign.
func isClosing(text string, sp *scratchpad) bool {
	if utf8.RuneCountInString(text) > 100 {
		return false
	}
	sp.toks = tokenize(text, sp.toks[:0])
	ix := closings()
	for i := 0; i < len(sp.toks); {
		t := &sp.toks[i]
		switch {
		case t.sign != 0:
			i++
		case t.run:
			if !ix.covers(t.text) {
				return false
			}
			i++
		case isOption(t.text):
			i++
		default:
			_, n := ix.word(sp.toks, i)
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return true
}

// isOption: a number or a letter chooses among what the agent offered.
func isOption(t string) bool {
	if utf8.RuneCountInString(t) == 1 {
		return true
	}
	return number(t) >= 0 && len(t) <= 2
}

// covers: the run is made of phrases of the index and of nothing else.
func (ix *index) covers(s string) bool {
	// reach[i] says that the first i bytes are covered. Runs are short.
	if len(s) > 120 {
		return false
	}
	var reach [121]bool
	reach[0] = true
	for i := range s {
		if !reach[i] {
			continue
		}
		j := i
		for k := 0; k < ix.runMax && j < len(s); k++ {
			_, w := utf8.DecodeRuneInString(s[j:])
			j += w
			if _, ok := ix.runs[s[i:j]]; ok {
				reach[j] = true
			}
		}
	}
	return reach[len(s)]
}
