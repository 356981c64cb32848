package engine_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store/memory"
)

// told is a watcher that tells what comes on it, and says Ready after a while.
type told struct {
	events chan agent.Event
	looks  time.Duration // 0: at once; below: never
	fails  error         // it ends with that in place of looking

	mu     sync.Mutex
	begun  int
	atWork int
}

func (w *told) count() (begun, atWork int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.begun, w.atWork
}

// Watch implements agent.Watcher.
func (w *told) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		w.mu.Lock()
		w.begun++
		w.atWork++
		w.mu.Unlock()
		defer func() {
			w.mu.Lock()
			w.atWork--
			w.mu.Unlock()
		}()
		if w.fails != nil {
			yield(agent.Event{}, w.fails)
			return
		}
		if w.looks < 0 {
			<-ctx.Done()
			return
		}
		if sleep(ctx, w.looks) != nil || !yield(agent.Event{Kind: agent.EventReady}, nil) {
			return
		}
		for {
			select {
			case <-ctx.Done():
				return
			case ev := <-w.events:
				if !yield(ev, nil) {
					return
				}
			}
		}
	}
}

// ready follows watchers for an hour and gives when it was told to be ready,
// and of how many it was late.
func ready(t *testing.T, watchers ...agent.Watcher) (after []time.Duration, late []int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := engine.New(engine.Options{Store: memory.New(), Now: time.Now})
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		err := e.Follow(ctx, engine.FollowOptions{
			Watchers: watchers, Settings: func() engine.FollowSettings { return engine.FollowSettings{Recap: true, Window: time.Minute} },
			Ready: func(n int) { after, late = append(after, time.Since(begin)), append(late, n) },
		})
		if err != nil {
			t.Error(err)
		}
	})
	return after, late
}

func TestFollow_Ready(t *testing.T) {
	for _, c := range []struct {
		name     string
		watchers []agent.Watcher
		after    time.Duration
		late     int
	}{
		{"nothing to watch", nil, 0, 0},
		{"all have looked", []agent.Watcher{&told{}, &told{looks: 3 * time.Second}, &told{looks: time.Second}}, 3 * time.Second, 0},
		{"one never looks", []agent.Watcher{&told{}, &told{looks: -1}}, engine.ReadyWithin, 1},
		{"one looks too long", []agent.Watcher{&told{looks: time.Minute}, &told{looks: time.Minute}}, engine.ReadyWithin, 2},
		{"one fails again and again", []agent.Watcher{&told{fails: errors.New("no")}, &told{looks: time.Second}}, time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, late := ready(t, c.watchers...)
			if !slices.Equal(after, []time.Duration{c.after}) || !slices.Equal(late, []int{c.late}) {
				t.Errorf("ready after %v, late %v; want once after %v, %d", after, late, c.after, c.late)
			}
		})
	}
}

// Watchers come and go; the others are not begun anew, and sessions whose
// watcher is left out are followed no longer.
func TestFollow_Rewatch(t *testing.T) {
	follow(t, 3, func(t *testing.T, w *liveWorld, d *daemon) {
		extra, later := &told{events: make(chan agent.Event)}, &told{events: make(chan agent.Event)}
		d.eng.Rewatch([]agent.Watcher{d.feed, extra})
		synctest.Wait()
		turn := func(by *told, id string) {
			w.change(id, func(s *liveSession) { s.turn(time.Now()) })
			ref := recap.SessionRef{Agent: recap.OpenCode, Root: liveRoot, ID: id}
			ses := recap.Session{Ref: ref, Directory: "/home/dev/src/" + id}
			for _, k := range []agent.EventKind{agent.EventBusy, agent.EventIdle} {
				by.events <- agent.Event{Kind: k, Ref: ref, Session: &ses}
			}
			synctest.Wait()
		}
		w.prompt("s1")
		w.finish("s1")
		turn(extra, "s2")
		if n := d.eng.Following().Known; n != 2 {
			t.Fatalf("%d known", n)
		}
		d.eng.Rewatch([]agent.Watcher{later, d.feed})
		synctest.Wait()
		if n := d.eng.Following().Known; n != 1 {
			t.Errorf("%d known without one watcher", n)
		}
		turn(later, "s3")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 2)
		w.wantModel(t, "s3", 2)
		if _, ok := w.record("s2"); ok {
			t.Error("a session that is no longer followed has a recap")
		}
		if begun, atWork := extra.count(); begun != 1 || atWork != 0 {
			t.Errorf("the one left out: begun %d times, %d at work", begun, atWork)
		}
		d.eng.Rewatch([]agent.Watcher{extra, d.feed, later})
		turn(extra, "s2")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s2", 3)
		if begun, atWork := later.count(); begun != 1 || atWork != 1 {
			t.Errorf("the one that stays: begun %d times, %d at work", begun, atWork)
		}
	})
}

// An off that is over before anybody asked for the settings has not been.
func TestFollow_OffAndOnUnseen(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(30 * time.Second)
		off := func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false }
		w.allow(off)
		time.Sleep(500 * time.Millisecond)
		w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = true, true })
		time.Sleep(time.Minute)
		w.wantModel(t, "s1", 1)
	})
}

// One that anybody saw counts for all: what was quiet then makes nothing until
// it moves on, and what moves on does.
func TestFollow_OffAndOnSeen(t *testing.T) {
	follow(t, 3, func(t *testing.T, w *liveWorld, d *daemon) {
		w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
			w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false })
			return llm.Response{}, sleep(ctx, 100*time.Millisecond)
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(30 * time.Second)
		w.prompt("s2") // its window is open when the run of s1 sees the off
		w.finish("s2")
		w.prompt("s3") // at work
		time.Sleep(30*time.Second + 150*time.Millisecond)
		w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = true, true })
		w.model = nil
		synctest.Wait()
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if w.called() != 1 {
			t.Errorf("%d calls", w.called())
		}
		if r, ok := w.record("s1"); ok && r.Source == recap.FromModel {
			t.Errorf("stored %s", short(&r))
		}
		if _, ok := w.record("s2"); ok {
			t.Error("a session that was quiet while all was off has a recap")
		}
		w.finish("s3") // which was at work all the time
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s3", 3)
		w.wantModel(t, "s1", 3)
		if got := d.eng.Following(); got.Known != 3 {
			t.Errorf("%+v", got)
		}
	})
}

// Agents that keep files tell of no message: that the session is busy again
// ends the request, as does a whole turn between two looks.
func TestFollow_E2_BusyAloneEndsTheRequest(t *testing.T) {
	for name, later := range map[string]func(w *liveWorld){
		"a prompt": func(w *liveWorld) {
			w.change("s1", func(s *liveSession) { s.ask(time.Now()) })
			w.say("s1", agent.EventBusy)
		},
		"a turn between two looks": func(w *liveWorld) {
			w.change("s1", func(s *liveSession) { s.turn(time.Now()) })
			w.say("s1", agent.EventBusy)
			w.say("s1", agent.EventIdle)
		},
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
				var ended error
				w.model = func(ctx context.Context, n int, _ string) (llm.Response, error) {
					if n == 1 {
						ended = sleep(ctx, time.Minute)
						return llm.Response{}, ended
					}
					return llm.Response{}, nil
				}
				w.change("s1", func(s *liveSession) { s.turn(time.Now()) })
				w.say("s1", agent.EventBusy)
				w.say("s1", agent.EventIdle)
				time.Sleep(70 * time.Second)
				synctest.Wait()
				before := len(w.log())
				later(w)
				synctest.Wait()
				if !errors.Is(ended, context.Canceled) {
					t.Fatalf("the request was not ended: %v", ended)
				}
				if len(w.log()) != before {
					t.Errorf("written after the prompt: %v", w.log()[before:])
				}
				w.finish("s1")
				time.Sleep(2 * time.Minute)
				w.wantModel(t, "s1", 2)
			})
		})
	}
}
