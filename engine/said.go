package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/reply"
)

// said is what a model said, and what the guards left of it.
type said struct {
	texts    map[recap.Field]string
	receipts []recap.Receipt
	dropped  map[recap.Field]string // why a wanted field has no text
	used     recap.Usage
}

// keepOnly drops the texts of fields that are no longer wanted.
func (g *said) keepOnly(wanted []recap.Field) {
	for f := range g.texts {
		if !slices.Contains(wanted, f) {
			delete(g.texts, f)
			g.receipts = slices.DeleteFunc(g.receipts, func(r recap.Receipt) bool { return r.Field == f })
		}
	}
}

// guard takes out what the session does not bear out and what says nothing of
// it, and a suggestion that would decide something in the person's place. Of a
// reply that shows that the model did not follow only quotations stay.
func (e *Engine) guard(p Plan, a Ask, got *said) {
	said := maps.Clone(got.texts)
	stopped := maps.Clone(got.dropped)
	e.vet(p, a, got)
	for f, why := range got.dropped {
		if got.texts[f] == "" {
			stopped[f] = why
		}
	}
	if len(got.texts) == 0 || !evidence.Doubtful(said, stopped) {
		return
	}
	g := p.ahead.read()
	g.Doubt(true)
	defer g.Doubt(false)
	got.texts, got.receipts = said, nil
	e.vet(p, a, got)
}

// vet holds the texts to the session. The suggestion is held to the other texts,
// so it comes last.
func (e *Engine) vet(p Plan, a Ask, got *said) {
	g := p.ahead.read()
	told := append(reply.Told(instructionOf(p.Prompt)), e.told.of(p.Prompt.System)...)
	asked := questions(g, p)
	fields := slices.Clone(a.Fields)
	slices.SortStableFunc(fields, func(x, y recap.Field) int {
		return btoi(x == recap.FieldSuggestion) - btoi(y == recap.FieldSuggestion)
	})
	var others []string
	for _, f := range fields {
		t := got.texts[f]
		if t == "" {
			continue
		}
		if told.Echo(t) {
			got.dropped[f] = reply.WhyEcho
			delete(got.texts, f)
			continue
		}
		kept, drops, receipts := g.Vet(f, t, others...)
		for _, d := range drops {
			got.dropped[f] = d.Why
		}
		if f == recap.FieldSuggestion && kept != "" {
			if len(drops) > 0 { // half of a message is not the message
				kept = ""
			} else if ok, why := reply.Decision(kept, asked); !ok {
				kept, got.dropped[f] = "", why
			}
		}
		others = append(others, t)
		if kept == "" {
			delete(got.texts, f)
			continue
		}
		got.texts[f] = kept
		for _, r := range receipts {
			r.Claim = clause(r.Claim)
			got.receipts = append(got.receipts, r)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// clause takes from the words of a claim the sign that ended the one before.
func clause(s string) string {
	s = strings.TrimSpace(s)
	head := strings.TrimLeft(s, ".,;:!?…—–-。，；：！？、")
	if n := len(s) - len(head); n == 0 || strings.ContainsAny(s[:n], "。，；：！？、") || strings.HasPrefix(head, " ") {
		return strings.TrimSpace(head)
	}
	return s // a name such as .env
}

func reasons(dropped map[recap.Field]string) string {
	var out []string
	for _, f := range []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldDigest, recap.FieldSuggestion} {
		if why := dropped[f]; why != "" {
			out = append(out, fmt.Sprintf("%s: %s", f, why))
		}
	}
	return strings.Join(out, "; ")
}

// questions are what the agent asked the person in the newest turn.
func questions(g *evidence.Guard, p Plan) []string {
	out := g.Questions()
	if n := len(p.dialog.Turns); n > 0 {
		for _, s := range language.Sentences(p.dialog.Turns[n-1].Answer) {
			if end := strings.TrimRight(s, " \t\n*_`)\"'»”）」"); strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, "؟") {
				out = append(out, s)
			}
		}
	}
	return out
}

func addUsage(a, b recap.Usage, price func(recap.Usage) *float64) recap.Usage {
	a.InputTokens += b.InputTokens
	a.OutputTokens += b.OutputTokens
	a.CachedTokens += b.CachedTokens
	a.CostUSD = nil
	if price != nil {
		a.CostUSD = price(a)
	}
	return a
}
