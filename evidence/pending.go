package evidence

import (
	"slices"
	"strings"
	"sync"

	"github.com/sessionrecap/recap/language"
)

// Steps that an answer may say are still to come, and what says so.
const (
	stepDeploy mark = 1 << iota
	stepApproval
	stepWaits  // "waits", "until"
	stepEnough // "nothing more"
)

var stepWords = [...]entry{
	{stepDeploy, "deploy*|redeploy*|rollout|roll-out|rolled out|roll out|going out|goes out|went out|gone out|go live|went live|live|production|prod|shipped|ships|released|takes effect|in effect|einspiel*|eingespielt|ausspiel*|ausgespielt|ausroll*|ausgerollt|auslief*|ausgeliefert|in betrieb|im betrieb|in produktion|produktiv|veröffentlich*|déplo*|mis en ligne|mise en ligne|mis en service|en service|en production|en prod|desplieg*|despleg*|en producción|en marcha|publicad*|implant*|em produção|no ar|em operação|выкат*|выкач*|раскат*|развернут*|развёрнут*|деплой*|депло*|задепло*|на проде|в проде|в продакшен*|в работе|部署|上线|发布|生产环境|线上|投产|デプロイ|本番|リリース|稼働|反映|배포|운영|in produzione|distribuit*|rilasciat*|pubblicat*"},
	{stepApproval, "approv*|sign-off|signed off|go-ahead|green light|permission|consent|your yes|said yes|agreed|confirmed|confirmation|freigabe|freigegeben|genehmig*|zustimmung|zugestimmt|grünes licht|accord|approbation|approuv*|autoris*|validé|feu vert|aprob*|visto bueno|autoriz*|luz verde|подтвержд*|одобр*|соглас*|разрешен*|разрешил*|批准|同意|审批|授权|许可|承認|許可|了承|aprova*|승인|허가|approvazione|approvat*|via libera"},
	{stepWaits, "wait*|await*|pending|until|once|after|before|when|as soon as|if|unless|not yet|still|yet|to be|open|ask|asks|asked|asking|request*|need|needs|needed|needing|want|wants|wanted|would|will|can|could|should|must|has to|have to|next|ready for|without|blocked|hold|holds|held|question|whether|proposed|planned|reject*|refus*|declin*|denied|" +
		"abgelehnt|verweigert|wart*|steht aus|stehen aus|aussteh*|offen|noch|sobald|bis|erst|wenn|falls|bitte*|gebeten|erbeten|frag*|braucht|benötigt|muss|soll|kann|will|vor dem|nach der|fehlt|" +
		"rejet*|atten*|dès que|avant|après|reste|si|quand|lorsque|demand*|besoin|faut|doit|encore|manque|sans|" +
		"rechaz*|espera*|pendiente*|falta|faltan|hasta|cuando|antes|después|pid*|pedid*|solicit*|necesit*|debe|puede|todavía|aún|si|tras|sin|" +
		"отклон*|отказ*|ждёт|ждет|ждут|жду|ожид*|пока|после|до|нужн*|осталось|если|когда|прос*|запрос*|требу*|надо|можно|ещё|еще|без|" +
		"拒|等|待|尚|未|需|请|才|之前|之后|后再|若|如果|还|是否|" +
		"却下|拒否|거부|거절|いただいてから|得てから|もらってから|後にします|からにします|待ち|待って|待つ|必要|まだ|未|お願い|求め|次第|したら|すれば|前に|後に|するか|ください|" +
		"recus*|rejeit*|rifiut*|aguard*|pendente*|até|quando|depois|precis*|deve|pode|ainda|sem|após|se|" +
		"attes*|attend*|finché|prima|dopo|serve|deve|ancora|senza|chied*|기다|대기|필요|아직|전에|후에|요청"},
	{stepEnough, "nothing more|nothing else|nothing further|no more|no further|no longer|not any more|anymore|nicht mehr|nichts mehr|nichts weiter|keine weitere|plus rien|rien de plus|plus besoin|nada más|ya no|mais nada|já não|não precisa mais|больше не|больше ничего|不再|不用|不需要|无需|不必|もう必要|必要ありません|必要はありません|不要|più nulla|non serve|더 이상"},
}

var steps = sync.OnceValue(func() *index { return plainIndex(stepWords[:]) })

// stepsPending are those that the newest answer says are not done, or that wait
// for the person.
func (c *checker) stepsPending() mark {
	if c.older.stepsRead {
		return c.older.steps
	}
	c.older.stepsRead = true
	t := c.in.newest()
	if t == nil {
		return 0
	}
	defer c.otherPad()()
	for _, seg := range c.sp.segments(clip(t.Answer, maxHeard)) {
		for _, u := range units(seg.text) {
			toks := tokenize(seg.text[u.start:u.end], nil)
			m := steps().all(toks)
			if m&(stepDeploy|stepApproval) == 0 {
				continue
			}
			if m&stepApproval != 0 && m&stepWaits != 0 {
				c.older.steps |= m & (stepDeploy | stepApproval)
			}
			if m&stepDeploy != 0 && c.saysNo(toks) && m&stepEnough == 0 {
				c.older.steps |= stepDeploy
			}
		}
	}
	if c.f.waiting || c.in.Session.State == "waiting" && strings.HasPrefix(c.in.Session.WaitingFor, "approval") {
		c.older.steps |= stepApproval
	}
	if c.f.commandPassed(classDeploy) {
		c.older.steps &^= stepDeploy
	}
	return c.older.steps
}

// waitsStill gives the pieces of a sentence that tell a step as done, or as on
// its way, which the newest answer says waits.
func (c *checker) waitsStill(s string) []find {
	pending := c.stepsPending()
	unrun := c.f.waiting && len(c.unrun) > 0
	if pending == 0 && !unrun {
		return nil
	}
	c.older.toks = tokenize(s, c.older.toks[:0])
	if !unrun && steps().all(c.older.toks)&pending == 0 {
		return nil
	}
	var out []find
	list := c.pieces(s, nil)
	for i, p := range list {
		part := s[p.start:p.end]
		toks := tokenize(part, nil)
		m := steps().all(toks)
		about := m & pending
		if about == 0 && !(unrun && c.namesUnrun(part, toks)) {
			continue
		}
		limited := func(text string) bool {
			toks := tokenize(text, nil)
			m := steps().all(toks)
			return m&stepEnough == 0 && (m&stepWaits != 0 || c.saysNo(toks)) || isQuestion(strings.TrimSpace(text))
		}
		if limited(part) || i+1 < len(list) && language.Words(part) < leastPart && limited(s[list[i+1].start:list[i+1].end]) {
			continue
		}
		switch {
		case about&stepDeploy != 0:
			out = append(out, find{p.start, "overclaims:deployed"})
		case about&stepApproval != 0:
			out = append(out, find{p.start, "overclaims:approved"})
		default:
			out = append(out, find{p.start, "overclaims:ran"})
		}
	}
	return out
}

// namesUnrun: the part names what only a waiting command does, or says that
// something was done by means of a file that it runs.
func (c *checker) namesUnrun(part string, toks []token) bool {
	r := c.sp.read(part)
	for i, t := range toks {
		if t.sign != 0 || t.run || len(t.text) < 4 || neutralWords()[t.text] || !c.unrun[baseName(t.text)] || t.text == "main" || t.text == "master" || t.text == "origin" || t.text == lower(c.in.Session.Branch) {
			continue
		}
		if slices.ContainsFunc(r.hits, func(h hit) bool { return h.start < t.end && h.end > t.start && h.mark&statusMarks != 0 }) {
			continue
		}
		if !c.edits(t.text) || i > 0 && meansOf(toks[i-1].text) {
			return true
		}
	}
	return false
}

// edits: a file of that name was changed.
func (c *checker) edits(name string) bool {
	for i := range c.f.Edits {
		if slices.ContainsFunc(c.f.Edits[i].Paths, func(p string) bool { return strings.Contains(lower(p), name) }) {
			return true
		}
	}
	return false
}

// meansOf: the word before what something is done with.
func meansOf(w string) bool {
	return slices.Contains([]string{"with", "using", "by", "via", "through", "mit", "durch", "per", "mittels", "avec", "par", "con", "mediante", "com", "pelo", "через", "помощью", "用", "通过"}, w)
}

// tellsPoint: a text of few words of the session says something of it all the
// same: what waits, or of a test or a name that it holds.
func (c *checker) tellsPoint(s string, w weight) bool {
	if w.own < 2 || w.known+w.odd+w.plain < 6 {
		return false
	}
	toks := tokenize(s, nil)
	if m := steps().all(toks); m&c.stepsPending() != 0 && m&stepWaits != 0 {
		return true
	}
	return slices.ContainsFunc(toks, func(t token) bool {
		return t.sign == 0 && !t.run && namesTest(s[t.start:t.end]) && c.hay.holds(t.text)
	})
}

// namesHeld: the words hold a name of the session.
func (c *checker) namesHeld(s string) bool {
	return slices.ContainsFunc(tokenize(s, nil), func(t token) bool {
		return t.sign == 0 && !t.run && isName(s[t.start:t.end]) && !isHash(t.text) && strings.Trim(t.text, "0123456789.,") != "" && c.hay.holds(t.text)
	})
}

// excepts: a test is named behind a word such as "except".
func (c *checker) excepts(s string) bool {
	low := lower(s)
	for _, w := range [...]string{"except", "apart from", "but for", "bis auf", "außer", "sauf", "hormis", "excepto", "salvo", "exceto", "tranne", "eccetto", "кроме", "за исключением", "除了", "を除", "以外"} {
		if strings.Contains(low, w) {
			for _, t := range tokenize(s, nil) {
				if t.sign == 0 && !t.run && namesTest(s[t.start:t.end]) && c.hay.holds(t.text) {
					return true
				}
			}
		}
	}
	return false
}
