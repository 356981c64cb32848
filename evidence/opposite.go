package evidence

import (
	"strings"
	"sync"
)

// oppositeWords are pairs of words of which one says the contrary of the other.
var oppositeWords = [...][2]string{
	{
		"keep*|kept|retain*|preserv*|behält|behalten|gard*|conserv*|mantien*|manten*|mantém|mantêm|сохраня*|оставля*|保留|残す|残し|残り|保持",
		"drop*|discard*|throws away|throw away|threw away|thrown away|ignor*|wirft weg|lose*|lost|skip*|omit*|verwirft|verwerfen|verliert|überspring*|perd*|jett*|saut*|pierd*|descart*|omit*|теря*|отбрасыва*|пропуска*|игнорир*|忽略|無視|丢弃|丢掉|跳过|捨て|破棄|飛ばす|飛ばし",
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
	{"required|mandatory|pflicht*|obligatoire*|obligatori*|обязательн*|必填|必須", "optional*|facultati*|opcional*|необязательн*|可选|任意"},
}

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
		m |= h.mark
		for _, tok := range toks {
			if tok.start >= h.start && tok.end <= h.end {
				own++
			}
		}
	}
	if m == 0 || isQuestion(part) || strings.Contains(lower(part), "instead") {
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
		case held < 3 || 5*held < 3*all:
		case said.sides&m != 0:
			return false // an answer says so too
		case said.fresh && held >= all-max(own, 1):
			found = true
		}
	}
	return found
}
