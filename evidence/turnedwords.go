package evidence

import "sync"

const (
	turnCause   mark = 1 << iota // a cause follows
	turnCaused                   // a cause stands before
	turnChooses                  // "chose", "agreed", "refused"
	turnPerson                   // the person
	turnProd                     // production
	turnStage                    // what is not
	turnStays                    // as it was
	turnOn                       // goes on
)

var turningWords = [...]entry{
	{turnCause, "because|because of|due to|owing to|caused by|as a result of|thanks to|on account of|the reason is|the reason being|the cause is|the cause was|since|" +
		"weil|wegen|aufgrund|auf grund|infolge|dank|denn|verursacht durch|liegt an|lag an|liegt daran|lag daran|grund ist|grund war|ursache ist|ursache war|" +
		"parce|car|puisque|à cause|en raison|grâce à|faute de|dû à|due à|dus à|dues à|causé par|causée par|causés par|provoqué par|" +
		"porque|ya que|puesto que|dado que|debido a|debido al|a causa|por culpa|gracias a|causado por|causada por|provocado por|" +
		"pois|já que|uma vez que|visto que|devido a|devido ao|devido à|por causa|graças a|" +
		"perché|poiché|siccome|dato che|visto che|a causa di|per via|dovuto a|dovuta a|causato da|causata da|" +
		"потому|так как|из-за|поскольку|вследствие|по причине|благодаря|причина в|вызван*|" +
		"因为|由于|原因是|原因在于|原因为|起因是|是因为|起因于|因為|由於|なぜなら|原因は|왜냐하면|원인은"},
	{turnCaused, "のため|ために|ため|ので|せいで|影響で|おかげで|が原因|によって|に起因|때문|탓에|덕분"},
	{0, "since then|since yesterday|ever since"},

	{turnChooses, "picked|chose|chosen|selected|decided|opted|agreed|approved|confirmed|accepted|rejected|declined|refused|preferred|settled on|went with|signed off|" +
		"gewählt|wählte|ausgewählt|entschied|entschieden|beschloss|beschlossen|zugestimmt|stimmte|bestätigt|bestätigte|abgelehnt|lehnte|genehmigt|bevorzugt|bevorzugte|akzeptiert|freigegeben|" +
		"choisi|choisie|choisit|décidé|décide|retenu|retenue|opté|accepté|acceptée|approuvé|approuvée|confirmé|confirmée|refusé|refusée|validé|validée|tranché|préféré|" +
		"eligió|elegido|elegida|escogió|escogido|escogida|decidió|decidido|optó|optado|aceptó|aceptado|aprobó|aprobado|confirmó|confirmado|rechazó|rechazado|prefirió|" +
		"escolheu|escolhido|escolhida|decidiu|optou|aceitou|aprovou|confirmou|rejeitou|preferiu|concordou|" +
		"scelto|scelta|scelse|deciso|optato|accettato|approvato|confermato|rifiutato|preferito|" +
		"выбрал*|выбран*|решил|решила|решили|согласил*|одобрил*|одобрен*|подтвердил*|подтвержд*|отклонил*|отказал*|предпочёл|предпочел|предпочла|" +
		"选择了|选了|选定|选中|决定采用|决定|同意|批准|确认了|已确认|拒绝|敲定|選びました|選択しました|選ばれ|選んだ|選択され|決めました|決めた|決定しました|同意しました|了承しました|承認しました|承認され|却下しました|拒否しました|선택했|골랐|결정했|동의했|승인했|확인했|거절했|정했"},
	{turnPerson, "person|the user|user|you|human|nutzer|nutzerin|nutzers|benutzer|benutzerin|anwender|person|auftraggeber|utilisateur|l'utilisateur|utilisatrice|l'utilisatrice|personne|vous|usuario|usuaria|persona|usted|" +
		"usuário|usuária|utilizador|pessoa|você|utente|l'utente|пользователь|пользователем|пользователя|пользовательница|человек|человеком|заказчик|вы|вами|用户|您|你|本人|用戶|使用者|ユーザー|利用者|依頼者|本人|あなた|사용자|당신"},
	{turnProd, "production|prod|live|produktion|produktiv*|produktionsumgebung|en production|en prod|producción|produção|produzione|продакшен*|продакшн*|прод|проде|бою|боевой|боевом|生产|生产环境|线上|正式环境|本番|本番環境|프로덕션|운영"},
	{turnStage, "staging|stage|stg|test|testing|dev|development|preview|qa|uat|sandbox|canary|preprod|pre-prod|local|localhost"},
	{turnStays, "still|stays|stay|remains|remain|keeps|unchanged|untouched|weiterhin|noch|unverändert|bleibt|bleiben|toujours|encore|reste|restent|inchangé*|sigue|siguen|todavía|aún|ainda|continua|continuam|permanece|ancora|rimane|resta|пока|по-прежнему|всё ещё|все еще|остаётся|остается|仍|仍然|还是|还在|保持|まだ|引き続き|そのまま|のまま|아직|여전히|그대로"},
	{turnOn, "keeps|keep|still|continues|continue|continues to|goes on|weiterhin|immer noch|noch immer|nach wie vor|toujours|continue de|continue à|continuent|sigue|siguen|continúa|todavía|aún|continua|continuam|ainda|ancora|continuano|по-прежнему|всё ещё|все ещё|все еще|продолжа*|仍|仍然|继续|依然|依然として|引き続き|今も|여전히|계속"},
}

var turns = sync.OnceValue(func() *index { return plainIndex(turningWords[:]) })
