package evidence

import (
	"strings"
	"sync"
)

// takingWords tell that something was taken back, or is gone.
var takingWords = [...]entry{
	{wordReverts, "reverted|undone|rolled back|taken back|backed out|un-done|rückgängig|zurückgenommen|zurückgesetzt|zurückgerollt|revertiert|annulé|annulée|défait|défaite|retour arrière|revertido|revertida|revertidos|deshecho|deshecha|deshizo|revirtió|desfeito|desfeita|annullato|annullata|ripristinato|ripristinata|откачен*|откатил*|отменен*|отменён*|отменил*|возвращен* назад|撤销|回退|回滚|还原|已撤回|元に戻|取り消|差し戻|되돌렸|되돌려|취소했"},
	{wordBack, "revert|reverts|reverting|undo|undoes|roll back|rollback|rolls back|reset|restore|restored|back out|take back|checkout|stash|zurück|zurückzunehmen|annuler|revenir|rétabl*|revertir|deshacer|volver|restaur*|reverter|desfazer|voltar|annullare|ripristin*|откат*|отмен*|верн*|возвра*|戻|撤|되돌|취소|cancel*|storn*"},
	{wordRemoves, "removed|deleted|taken out|thrown out|entfernt|gelöscht|herausgenommen|supprimé|supprimée|supprimés|supprimées|retiré|retirée|retirés|enlevé|enlevée|eliminado|eliminada|eliminados|eliminadas|borrado|borrada|quitado|quitada|se eliminó|se quitó|removido|removida|removidos|removidas|excluído|excluída|apagado|apagada|rimosso|rimossa|rimossi|rimosse|eliminato|eliminata|cancellato|cancellata|удалён*|удален*|удалил*|убран*|убрал*|删除了|删掉|已删除|移除|去掉了|被删|削除され|削除しま|取り除かれ|取り除きま|삭제했|삭제됐|제거했|제거됐"},
	{wordSwaps, "cut|cuts|without|instead|no longer|not anymore|statt|ohne|weg|raus|fällt|fallen|nicht mehr|sans|ne plus|n'a plus|plus de|sin|ya no|sem|não mais|senza|non più|без|вместо|больше не|不再|没有了|なくな|代わり|대신"},
	{wordGone, "remove|removes|removing|delete|deletes|deleting|deletion|drop|drops|dropped|gone|rid|strip*|clean*|clear*|trim*|replace*|rm|unlink|discard*|exclud*|skip*|purge*|prune*|obsolete|unused|emptied|empties|emptying|expire*|evict*|revoke*|uninstall*|entfern*|lösch*|ersetz*|gestrichen|bereinig*|supprim*|retir*|enlev*|remplac*|ôt*|vidé|vidée|vider|nettoy*|elimin*|borr*|quit*|reemplaz*|sustitu*|limpi*|desaparec*|remov*|exclu*|apag*|substitu*|tir*|limp*|rimo*|cancell*|sostitu*|tolt*|tolg*|puli*|удал*|убра*|убер*|убир*|замен*|исключ*|вычист*|очист*|删|移除|去掉|去除|替换|清理|清除|取代|去重|削除|除去|取り除|消|置き換|外し|撤去|삭제|제거|없애|지우|지웠"},
}

var takers = sync.OnceValue(func() *index { return plainIndex(takingWords[:]) })

// Marks of the words that put one thing in the place of another.
const (
	placeInstead mark = 1 << iota // the first stands in the place of the second
	placeRather                   // the second in that of the first
	placeTo
	placeFrom
	placeRename
	placeOld // names the old one, in whatever order
	placeAnd
)

var placingWords = [...]entry{
	{placeInstead, "instead of|rather than|in place of|and not|ersetzt|remplace|reemplaza|sustituye a|substitui|sostituisce|заменяет|expected|expects|want|wanted|replaces|statt|anstatt|anstelle|anstelle von|und nicht|erwartet|au lieu de|au lieu d'un|au lieu d'une|au lieu|plutôt que|et non|attendu|attendus|en lugar de|en vez de|y no|esperado|esperaba|em vez de|ao invés de|em lugar de|e não|invece di|anziché|al posto di|e non|вместо|а не|ожидалось|而不是|而非|代替|取代|期望|预期|期待|대신|아니라"},
	{placeRather, "ではなく|じゃなく|でなく|の代わりに|不是|but|sondern|sino|mas sim|bensì"},
	{placeTo, "to|into|down to|auf|nach|zu|à|a|para|до|в|на|到|至|为|成|降回|退回|换回|改回|回到|に|へ|で|로"},
	{placeFrom, "from|von|de|desde|da|do|с|со|из|от|从|由|から|에서"},
	{placeRename, "rename|renamed|renames|renaming|became|becomes|called|is now|are now|changed|turned into|umbenannt|benenne|benennt|heißt|heißen|geändert|wird zu|wurde zu|renommé|renommée|renommer|renomme|s'appelle|s'appellent|devient|devenu|devenue|remplacé par|renombr*|se llama|se llaman|cambiado|cambió|cambia|cambiar|pasa a|pasó a|ahora es|renome*|renomeei|chama-se|se chama|mudou para|mudado|passou a|agora é|rinomin*|si chiama|diventa|diventato|переименован*|переименуй*|переименовал*|называ*|стал|стала|стало|переименов*|改名|重命名|更名|改为|改成|现在叫|改叫|変更|改名|名前を|改称|になりました|이름을|변경"},
	{placeOld, "from|formerly|previously|old|used to be|replaces|new name|früher|vorher|alt|alte|alten|neue name|hieß|aus|durch|ancien|ancienne|auparavant|nouveau nom|antes|antiguo|anterior|nuevo nombre|era|antigo|novo nome|prima|vecchio|nuovo nome|раньше|прежде|бывш*|старый|старое|новое имя|из|原来|以前|旧|原名|新名|代わり|元の|以前は|から|예전"},
	{placeAnd, "and|und|et|y|e|и|和|与|と|및|or|oder|ou|o|или|wie|both|sowie"},
}

var placers = sync.OnceValue(func() *index { return plainIndex(placingWords[:]) })

// thingOf gives the kind of a word for what is counted most, 0 for others.
func thingOf(w string) byte {
	for _, k := range [...]struct {
		kind  byte
		stems string
	}{
		{'f', "file|datei|fichier|archivo|arquivo|файл"},
		{'r', "row|zeile|ligne|fila|linha|строк|righe|riga"},
		{'q', "quer|abfrage|requête|consulta|запрос|request|anfrage"},
		{'u', "user|customer|client|kunde|nutzer|benutzer|utilisateur|usuario|usuário|cliente|пользовател|клиент"},
		{'o', "order|bestellung|commande|pedido|заказ"},
		{'x', "test|prueba|teste|тест"},
	} {
		for p := range strings.SplitSeq(k.stems, "|") {
			if strings.HasPrefix(w, p) {
				return k.kind
			}
		}
	}
	return 0
}
