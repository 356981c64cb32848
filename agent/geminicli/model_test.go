package geminicli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sessionrecap/recap/agent/agenttest"
)

// program plays the program: it keeps its own list of messages, which shrinks
// when a turn is cancelled and when the history is compressed, and writes what
// the program would. union is what a person has seen and not taken back.
type program struct {
	t     *testing.T
	w     *writer
	id    string
	rng   *rand.Rand
	clock int
	list  []string // ids
	union []string
	text  map[string]string // id → message as JSON
	user  map[string]string // id → prompt
}

func (p *program) write(id, msg string) {
	p.text[id] = msg
	p.list = append(p.list, id)
	p.union = append(p.union, id)
	p.w.add(p.t, p.id, msg, sec(p.clock))
}

func (p *program) prompt() string {
	p.clock++
	id := p.w.uuid()
	p.user[id] = fmt.Sprintf("prompt %d", p.clock)
	p.write(id, user(id, sec(p.clock), p.user[id]))
	return id
}

func (p *program) answer() {
	p.clock++
	id := p.w.uuid()
	p.write(id, gemini(id, sec(p.clock), "answer", nil))
	if p.rng.IntN(3) == 0 { // and once more, with its calls
		p.text[id] = gemini(id, sec(p.clock), "answer", obj{"toolCalls": []obj{{"id": "c", "name": "x", "status": "success"}}})
		p.w.raw(p.t, p.id, p.text[id])
	}
}

func (p *program) replace() {
	p.clock++
	msgs := make([]string, 0, len(p.list))
	for _, id := range p.list {
		msgs = append(msgs, p.text[id])
	}
	p.w.set(p.t, p.id, sec(p.clock), msgs...)
}

func (p *program) step() {
	switch p.rng.IntN(9) {
	case 0: // cancelled: the prompt leaves the list
		p.prompt()
		p.list = p.list[:len(p.list)-1]
		p.clock++
		p.w.info(p.t, p.id, sec(p.clock), cancelled)
		p.replace()
	case 1: // compressed
		p.clock++
		id := p.w.uuid()
		p.text[id] = user(id, sec(p.clock), "<state_snapshot>x</state_snapshot>")
		p.list = []string{id}
		p.replace()
	case 2: // rewound to a prompt that the program still has
		at := slices.IndexFunc(p.list, func(id string) bool { return p.user[id] != "" && p.rng.IntN(2) == 0 })
		if at < 0 {
			return
		}
		target := p.list[at]
		p.list = p.list[:at]
		p.union = p.union[:slices.Index(p.union, target)]
		p.w.raw(p.t, p.id, `{"$rewindTo":"`+target+`"}`)
		p.replace()
	case 3: // resumed
		p.clock++
		p.w.header(p.t, p.id, "h", sec(p.clock))
		p.replace()
	default:
		p.prompt()
		for range p.rng.IntN(3) {
			p.answer()
		}
	}
}

// TestF14_AgainstAModel plays many sessions and holds what is read, in pages
// of any size, to what a person has seen.
func TestF14_AgainstAModel(t *testing.T) {
	for seed := range uint64(60) {
		w := newWriter(t.TempDir())
		p := &program{
			t: t, w: w, id: w.Begin(t, "/home/dev/src/app", at0), rng: rand.New(rand.NewPCG(seed, 7)),
			text: map[string]string{}, user: map[string]string{},
		}
		p.prompt()
		p.answer()
		for range 5 + p.rng.IntN(25) {
			p.step()
		}
		var want []string
		for _, id := range p.union {
			if p.user[id] != "" {
				want = append(want, p.user[id])
			}
		}
		s := open(t, w.root)
		x := sessions(t, s)[0]
		for _, size := range []int{1, 3, 1000} {
			recs := agenttest.Records(t, s, x.Ref, size)
			if got := humans(recs); !slices.Equal(got, want) {
				t.Errorf("seed %d, pages of %d:\n got %q\nwant %q", seed, size, got, want)
			}
			calls := 0
			for _, m := range recs {
				if slices.Contains(p.union, m.ID) {
					calls++
				}
			}
			if calls != len(p.union) {
				t.Errorf("seed %d, pages of %d: %d messages, want %d", seed, size, calls, len(p.union))
			}
		}
	}
}
