package evidence

import (
	"slices"
	"strings"
	"sync"
)

// oppositeWords are pairs of words of which one says the contrary of the other.
var oppositeWords = [...][2]string{
	{
		"keep*|kept|retain*|preserv*|behält|behalten|gard*|conserv*|mantien*|manten*|mantém|mantêm|сохраня*|оставля*|保留|残す|残し|残り|保持",
		"drop*|discard*|throws away|throw away|threw away|thrown away|ignor*|wirft weg|lose*|lost|skip*|omit*|verwirft|verwerfen|verliert|überspring*|perd*|jett*|saut*|pierd*|descart*|omit*|теря*|отбрасыва*|пропуска*|игнорир*|忽略|無視|丢弃|丢掉|跳过|捨て|破棄|飛ばす|飛ばし|" + goneWords,
	},
	{"enable*|turned on|turns on|aktivier*|eingeschaltet|activ*|ativ*|включ*|启用|开启|有効", "disable*|turned off|turns off|deaktivier*|ausgeschaltet|désactiv*|desactiv*|desativ*|выключ*|отключ*|禁用|关闭|無効"},
	{
		"allow*|permit*|accept*|erlaub*|akzeptier*|nimmt an|autoris*|acept*|aceit*|разреша*|принима*|允许|接受|許可|受け付け|受け入れ",
		"deny|denie*|forbid*|reject*|refus*|block*|verbiet*|verweiger*|lehnt*|rejet*|interdi*|bloqu*|rechaz*|recus*|rejeit*|запреща*|отклоня*|отказыва*|блокиру*|拒绝|禁止|拒否|拒む",
	},
	{"show*|display*|zeigt|zeigen|affich*|montr*|muestra*|mostr*|exib*|показыва*|显示", "hide*|hidden|versteck*|verbirgt|cach*|masqu*|ocult*|escond*|скрыва*|隐藏|隠し|隠す"},
	{
		"increas*|raise*|grew|grows|erhöh*|steig*|stieg|augment*|aument*|sube*|увелич*|выросл*|增加|提高|増や|増え",
		"decreas*|reduc*|shrank|shrinks|fell|dropped to|senk*|sank|sinkt|verringer*|rédui*|diminu*|baiss*|baja*|reduz*|уменьш*|сокра*|снизил*|减少|降低|降到|減ら|減り",
	},
	{"ascending|aufsteigend*|croissant*|ascendent*|crescent*|возраста*|升序|昇順", "descending|absteigend*|décroissant*|descendent*|decrescent*|убыва*|降序|降順"},
	{"first|erste*|premier*|primer*|primeir*|перв*|第一|最初", "last|letzte*|dernier*|últim*|последн*|最后|最後"},
	{"include*|enthält|einschließ*|inclu*|включая", "exclude*|ausschließ*|exclu*|исключа*|排除"},
	{"faster|quicker|schneller|plus rapide|más rápid*|mais rápid*|быстрее|更快|速く", "slower|langsamer|plus lent*|más lent*|mais lent*|медленнее|更慢|遅く"},
	{"add|adds|added|adding|hinzugefügt|hinzufüg*|ergänz*|ajout*|añad*|agreg*|adicion*|acrescent*|aggiun*|добав*|添加|新增|加上|追加|추가", goneWords},
	{
		"higher|too high|high side|höher|zu hoch|plus haut|plus haute|trop élev*|plus élev*|más alto|más alta|demasiado alto|demasiado alta|mais alto|mais alta|più alto|più alta|troppo alto|выше|завыш*|更高|过高|偏高|高すぎ|高く",
		"lower|too low|low side|niedriger|zu niedrig|plus bas|plus basse|trop bas|trop basse|más bajo|más baja|demasiado bajo|demasiado baja|mais baixo|mais baixa|più basso|più bassa|troppo basso|ниже|заниж*|更低|过低|偏低|低すぎ|低く",
	},
	{
		"cheap|cheaper|cheapest|cheaply|billig*|günstig*|moins cher|moins chère|moins chers|bon marché|barato|barata|baratos|baratas|economic*|económic*|conveniente|дешёв*|дешев*|便宜|廉价|安い|安く|最安|저렴",
		"expensive|costly|pricier|priciest|teuer|teure*|cher|chère|chers|chères|plus cher|coûteu*|caro|cara|caros|caras|costoso|costosa|дорогой|дорогая|дорогое|дорогие|дороже|昂贵|更贵|最贵|较贵|高価|最も高い|비싼|비싸",
	},
	{"at least|mindestens|wenigstens|au moins|al menos|por lo menos|como mínimo|pelo menos|no mínimo|almeno|как минимум|не менее|至少|少なくとも|최소", "at most|up to|höchstens|maximal|au plus|au maximum|jusqu'à|como máximo|a lo sumo|hasta|no máximo|até|al massimo|fino a|максимум|не более|最多|至多|多くとも|最大で|最大"},
	{
		"longer|too long|länger|zu lang|plus long|plus longue|trop long|trop longue|más largo|más larga|demasiado largo|demasiado larga|mais longo|mais longa|più lungo|più lunga|длиннее|длинн*|дольше|更长|变长|过长|太长|長く|長すぎ",
		"shorter|too short|kürzer|zu kurz|plus court|plus courte|trop court|trop courte|más corto|más corta|demasiado corto|demasiado corta|mais curto|mais curta|più corto|più corta|короче|коротк*|更短|变短|过短|太短|短く|短すぎ",
	},
	{"largest|biggest|greatest|maximum|größte*|höchste*|plus grand|plus grande|máximo|máxima|mayor|maior|massimo|massima|maggior*|максимальн*|наибольш*|最大的|最高的|最も大きい|最も多い", "smallest|lowest|fewest|minimum|kleinste*|niedrigste*|plus petit|plus petite|mínimo|mínima|menor|minimo|minima|минимальн*|наименьш*|最小|最低|最も小さい|最も少ない"},
	{"opens|opened|öffn*|geöffnet|ouvert*|ouvr*|abierto|abierta|abiertos|abre|abren|aberto|aberta|aperto|aperta|открыт*|открыва*|打开|開い|開く|열린|열려", "closed|closes|close|geschlossen|schließt|schließen|fermé*|ferme|cerrado|cerrada|cierra|cierran|fechado|fechada|fecha|chiuso|chiusa|chiude|закрыт*|закрыва*|关闭|閉じ|닫힌|닫혀"},
	{"too early|early|zu früh|früh|trop tôt|tôt|temprano|temprana|demasiado pronto|cedo|presto|слишком рано|рано|过早|太早|早すぎ|早く", "too late|late|zu spät|spät|trop tard|tard|tarde|demasiado tarde|tardi|слишком поздно|поздно|过晚|太晚|遅すぎ|遅い"},
	{"local|locally|lokal*|locale|locaux|localement|locales|locais|locali|локальн*|本地|ローカル|로컬", "remote|remotely|distant|distante|distants|remoto|remota|remotos|удалённый|удаленный|удалённом|удаленном|удалённо|远程|リモート|원격"},
	{"synchron*|sync|síncron*|sincron*|синхрон*|同步|同期|동기", "asynchron*|async|asíncron*|assíncron*|asincron*|асинхрон*|异步|非同期|비동기"},
	{"manual|manually|by hand|von hand|manuell*|manuel*|à la main|a mano|à mão|вручную|手动|手工|手動|手作業|수동", "automatic|automatically|automatisch*|automatique*|automátic*|automatic*|автоматич*|自动|自動|자동"},
	{"better|besser|meilleur*|mejor|mejores|melhor|melhores|migliore|migliori|meglio|лучше|更好|より良|더 나은", "worse|schlechter|pire|pires|peor|peores|pior|piores|peggiore|peggio|хуже|更差|更糟|悪化|더 나쁜"},
	{"stricter|strenger|plus strict*|más estrict*|mais rígid*|più sever*|строже|更严格|收紧|厳しく", "looser|laxer|relaxed|gelockert|lockerer|moins strict*|assoupli*|más lax*|afroux*|meno sever*|мягче|ослаб*|更宽松|放宽|緩く|緩め|緩和"},
	{"safe|safely|gefahrlos|sans risque|sans danger|seguro|segura|sicuro|sicura|безопасн*|安全|안전", "unsafe|dangerous|risky|gefährlich*|riskant*|dangereu*|risqué*|peligros*|inseguro|insegura|arriesgad*|perigos*|arriscad*|pericolos*|rischios*|опасно|опасна|опасный|небезопасн*|рискованн*|危险|不安全|危険|위험"},
	{"on by default|enabled by default|is the default|now the default|the new default|standardmäßig an|standardmäßig aktiv*|standardmäßig eingeschaltet|activé par défaut|activée par défaut|activado por defecto|activada por defecto|ativado por padrão|ativada por padrão|attivo per impostazione predefinita|включён по умолчанию|включен по умолчанию|включена по умолчанию|默认开启|默认启用|既定で有効|デフォルトで有効", "off by default|disabled by default|not the default|standardmäßig aus|standardmäßig deaktiviert|standardmäßig ausgeschaltet|désactivé par défaut|désactivée par défaut|desactivado por defecto|desactivada por defecto|desativado por padrão|desativada por padrão|выключен по умолчанию|выключена по умолчанию|отключён по умолчанию|отключен по умолчанию|默认关闭|默认禁用|既定で無効|デフォルトで無効"},
	{"above|au-dessus|por encima|acima|sopra|свыше|高于|超过|超え", "below|en dessous|por debajo|abaixo|sotto|ниже|低于|不到|未満|下回"},
	{"upgraded|upgrade|upgrading|升级|升级到|升到|アップグレード|업그레이드", "downgraded|downgrade|downgrading|zurückgestuft|rétrograd*|降级|降回|退回|ダウングレード|다운그레이드"},
	{"horizontal*|горизонтальн*|水平|横向", "vertical*|vertikal*|вертикальн*|垂直|纵向|縦"},
	{"on the left|to the left|left side|links|à gauche|gauche|izquierda|izquierdo|esquerda|esquerdo|sinistra|sinistro|слева|левый|левая|левой|左", "on the right|to the right|right side|rechts|à droite|droite|derecha|derecho|direita|direito|destra|destro|справа|правый|правая|правой|右"},
	{"required|mandatory|pflicht*|obligatoire*|obligatori*|обязательн*|必填|必須", "optional*|facultati*|opcional*|необязательн*|可选|任意"},
}

// goneWords say that something was taken away.
const goneWords = "remov*|delet*|taken out|entfern*|gelöscht*|lösch*|supprim*|retir*|enlev*|elimin*|borr*|quitad*|apag*|exclu*|rimoss*|rimuov*|cancellat*|удал*|убран*|убрал*|删除|删掉|移除|去掉|削除|取り除|삭제|제거"

// opposites gives to the words of a pair two marks that stand side by side.
var opposites = sync.OnceValue(func() *index {
	list := make([]entry, 0, 2*len(oppositeWords))
	for i, pair := range oppositeWords {
		list = append(list, entry{mark(1) << (2 * i), pair[0]}, entry{mark(2) << (2 * i), pair[1]})
	}
	return plainIndex(list)
})

// sidesOf gives the opposite of the marks.
func sidesOf(m mark) mark {
	const first mark = 0x5555555555555555
	return m&first<<1 | m>>1&first
}

// saysOpposite: the part says in the words of an answer the contrary of it.
func (c *checker) saysOpposite(part string, toks []token) bool {
	var m mark
	own := 0 // words that say it
	for _, h := range opposites().scan(toks, nil) {
		if slices.ContainsFunc(toks[max(0, h.tok-3):min(len(toks), h.tok+4)], func(t token) bool { return t.text == "instead" }) {
			return false
		}
		m |= h.mark
		for _, tok := range toks {
			if tok.start >= h.start && tok.end <= h.end {
				own++
			}
		}
	}
	if m == 0 || isQuestion(part) {
		return false
	}
	for _, tok := range toks {
		switch tok.text {
		case "before", "earlier", "previously", "used", "formerly", "vorher", "früher", "bisher", "avant", "auparavant", "antes", "раньше", "прежде":
			return false
		}
		if tok.run && (strings.Contains(tok.text, "之前") || strings.Contains(tok.text, "以前") || strings.Contains(tok.text, "原来")) {
			return false
		}
	}
	found := false
	told := c.tellings()
	for i := range told {
		said := &told[i]
		if said.sides&(m|sidesOf(m)) == 0 {
			continue
		}
		held, all := said.holding(part)
		switch {
		case held < 2 || 5*held < 3*all && held < all-max(own, 1):
		case said.sides&sidesOf(m&^said.sides) == 0:
			return false // an answer says so too
		case held >= all-max(own, 1):
			found = true
		}
	}
	return found
}
