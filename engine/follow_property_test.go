package engine_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
	"github.com/sessionrecap/recap/store/sqlite"
)

// How many stories TestFollow_Property tells, and the first of them.
var (
	stories = flag.Int("stories", 600, "interleavings of the property test of following")
	first   = flag.Uint64("story", 0, "the number of the first interleaving")
)

var errRead = errors.New("the disk is away")

// plot is one generated interleaving: events, reads that fail or lag, models
// that are slow, hang or fail, settings that change, two daemons on one store,
// crashes between any two steps.
type plot struct {
	*rand.Rand
	w       *liveWorld
	daemons []*daemon
	names   int // daemons begun
	touched map[string]time.Time
}

// Things happen at times that end in 5 ms, a window ends at one that ends in 8,
// and all that takes time takes a multiple of 10: no two sides act at one
// instant, for what would come first then is told by nobody.
const (
	grain  = 10 * time.Millisecond
	window = time.Minute + 3*time.Millisecond
)

func (p *plot) chance(percent int) bool { return p.IntN(100) < percent }

// wait lets at most so much time pass.
func (p *plot) upTo(d time.Duration) time.Duration {
	return time.Duration(p.Int64N(int64(d/grain)+1)) * grain
}

func (p *plot) start() {
	crash := 0
	if p.chance(25) {
		crash = 1 + p.IntN(60)
	}
	p.names++
	p.daemons = append(p.daemons, p.w.start(fmt.Sprintf("d%d", p.names), crash))
}

func (p *plot) id() string { return p.w.names[p.IntN(len(p.w.names))] }

// world makes the outside as good or bad as this story wants it.
func (p *plot) world() {
	// What the outside does is asked from several goroutines: it has dice of
	// its own, thrown under the lock of the world.
	dice := rand.New(rand.NewPCG(p.Uint64(), 1))
	roll := func(n int) int {
		p.w.mu.Lock()
		defer p.w.mu.Unlock()
		return dice.IntN(n)
	}
	bad := p.IntN(3) // 0: all is well
	p.w.exact = bad < 2
	slow := []time.Duration{0, 100 * time.Millisecond, 3 * time.Second, 20 * time.Second, 50 * time.Second}
	p.w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
		if d := slow[roll(len(slow))]; d > 0 {
			if err := sleep(ctx, d); err != nil {
				return llm.Response{}, &llm.Error{Code: recap.CodeCanceled, Provider: "anthropic", Err: err}
			}
		}
		switch n := roll(100); {
		case bad == 0 || n < 60:
			return llm.Response{}, nil
		case n < 70: // hangs, and hears of nothing for a while
			time.Sleep(time.Duration(roll(30)) * time.Second)
			return llm.Response{}, nil
		case n < 78:
			err := sleep(ctx, time.Hour)
			return llm.Response{}, &llm.Error{Code: recap.CodeTimeout, Provider: "anthropic", Err: err}
		case n < 85:
			return llm.Response{}, &llm.Error{
				Code: recap.CodeRateLimited, Provider: "anthropic", Status: 429, Reset: time.Now().Add(time.Duration(roll(300)) * time.Second),
			}
		case n < 92:
			return llm.Response{Text: "no object at all"}, nil
		default:
			return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Provider: "anthropic", Status: 500}
		}
	}
	p.w.page = func(ctx context.Context, _ string) error {
		switch n := roll(100); {
		case bad < 2 || n < 80:
			return nil
		case n < 90:
			return errRead
		default:
			return sleep(ctx, time.Duration(roll(500))*grain)
		}
	}
	p.w.list = func(ctx context.Context) error {
		switch n := roll(100); {
		case bad < 2 || n < 90:
			return nil
		case n < 95:
			return errRead
		default:
			return sleep(ctx, time.Duration(roll(500))*grain)
		}
	}
	p.w.lag = func() time.Duration { // called under the lock
		if bad == 0 || dice.IntN(4) > 0 {
			return 0
		}
		return time.Duration(dice.IntN(300)) * grain
	}
}

// act lets one thing happen.
func (p *plot) act() {
	w := p.w
	id := p.id()
	switch n := p.IntN(100); {
	case n < 25:
		p.touched[id] = time.Now()
		w.prompt(id)
	case n < 55:
		p.touched[id] = time.Now()
		w.finish(id)
	case n < 62:
		w.say(id, agent.EventIdle)
	case n < 66:
		w.say(id, agent.EventUserMessage)
	case n < 70:
		w.say(id, agent.EventBackground)
	case n < 74:
		w.change(id, func(s *liveSession) { s.ses.Archived = !s.ses.Archived })
	case n < 76:
		w.change(id, func(s *liveSession) { s.ses.Reverted = !s.ses.Reverted })
	case n < 78:
		w.change(id, func(s *liveSession) { s.ses.Directory += "x" })
	case n < 84:
		w.allow(func(s *engine.FollowSettings) {
			switch p.IntN(4) {
			case 0:
				s.Auto = !s.Auto
			case 1:
				s.Recap = !s.Recap
			case 2:
				s.Suggestion = !s.Suggestion
			case 3:
				s.Recap, s.Suggestion = false, false
			}
		})
	case n < 90:
		w.allow(func(s *engine.FollowSettings) { s.Auto, s.Recap, s.Suggestion = true, true, true })
	case n < 94 && len(p.daemons) < 2:
		p.start()
	case n < 96 && len(p.daemons) > 0:
		p.daemons[0].kill()
		p.daemons = p.daemons[1:]
	case n < 98 && len(p.daemons) > 0:
		p.daemons[0].end()
		p.daemons = p.daemons[1:]
	}
}

// tell tells one story. It ends with a world in which all is well.
func tell(t *testing.T, number uint64, st store.Store) (calls int) {
	t.Helper()
	w := newLiveWorld(st, 1+int(number%3))
	p := &plot{Rand: rand.New(rand.NewPCG(number, 7)), w: w, touched: map[string]time.Time{}}
	w.settings.Window = window
	p.world()
	time.Sleep(5 * time.Millisecond)
	for range 1 + p.IntN(2) {
		p.start()
	}
	waits := []time.Duration{0, time.Second, 20 * time.Second, 20 * time.Second, time.Minute, 3 * time.Minute}
	for range 6 + p.IntN(14) {
		p.act()
		time.Sleep(p.upTo(waits[p.IntN(len(waits))]))
	}
	// All is well again: what is quiet and was touched since a daemon that
	// lives began has the recap of its tail, once every hold is over.
	w.mu.Lock()
	w.model, w.page, w.list, w.lag = nil, nil, nil, nil
	w.settings = engine.FollowSettings{Recap: true, Suggestion: true, Auto: true, Window: window}
	w.mu.Unlock()
	var living *daemon
	for _, d := range p.daemons {
		if d.alive() {
			living = d
		}
	}
	if living == nil {
		p.start()
		living = p.daemons[len(p.daemons)-1]
		living.mu.Lock()
		living.crash = 0
		living.mu.Unlock()
	}
	for _, d := range p.daemons {
		d.mu.Lock()
		d.crash = 0
		d.mu.Unlock()
	}
	time.Sleep(11 * time.Minute) // every lag, hang and hold is over
	for _, id := range w.names {
		w.change(id, func(s *liveSession) { s.ses.Archived, s.ses.Reverted, s.gone = false, false, false })
		w.prompt(id)
		time.Sleep(p.upTo(10 * time.Second))
		w.finish(id)
	}
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	for _, id := range w.names {
		if r, ok := w.record(id); !ok || r.Source != recap.FromModel || r.Recap != w.result(id) {
			w.mu.Lock()
			w.flaw("%s: lost: %v %s", id, ok, short(&r))
			w.mu.Unlock()
		}
	}
	for _, d := range p.daemons {
		d.end()
	}
	time.Sleep(time.Minute)
	for _, id := range w.names {
		c := store.Claim{Session: w.sessions[id].ses.Ref, Owner: "a stranger", Fingerprint: "f"}
		if err := st.Claim(context.Background(), c, time.Now().UTC(), time.Second); err != nil {
			w.flaw("%s: its claim is neither released nor expired: %v", id, err)
		}
	}
	if len(w.flaws) > 0 {
		t.Errorf("story %d:\n%s\n-- what was written:\n%s", number, strings.Join(w.flaws, "\n"), strings.Join(w.written, "\n"))
	}
	return w.calls
}

// TestFollow_Property holds what following promises over generated
// interleavings: for each tail at most one call of a model is completed and
// stored, nothing is written after new activity or into another session, no
// waiting run is lost, every claim is released or expires.
func TestFollow_Property(t *testing.T) {
	calls := 0
	for i := range uint64(*stories) {
		synctest.Test(t, func(t *testing.T) { calls += tell(t, *first+i, memory.New()) })
		if t.Failed() {
			return
		}
	}
	if *stories > 100 && calls < *stories {
		t.Errorf("%d calls in %d stories: they show little", calls, *stories)
	}
	t.Logf("%d stories, %d model calls", *stories, calls)
}

// The same on a real database.
func TestFollow_PropertySQLite(t *testing.T) {
	n := uint64(max(*stories/100, 10))
	dir := t.TempDir()
	for i := range n {
		synctest.Test(t, func(t *testing.T) {
			st, err := sqlite.Open(t.Context(), filepath.Join(dir, fmt.Sprintf("%d.db", i)))
			if err != nil {
				t.Fatal(err)
			}
			tell(t, *first+i, st)
			if err := st.Close(); err != nil {
				t.Error(err)
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d stories", n)
}
