package engine_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store/memory"
)

// follow runs a story in virtual time with one daemon, and fails on every flaw
// the world saw.
func follow(t *testing.T, n int, story func(t *testing.T, w *liveWorld, d *daemon)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newLiveWorld(memory.New(), n)
		d := w.start("one", 0)
		synctest.Wait()
		story(t, w, d)
		d.end()
		for _, f := range w.flaws {
			t.Error(f)
		}
		if t.Failed() {
			t.Log(strings.Join(w.log(), "\n"))
		}
	})
}

func (w *liveWorld) wantModel(t *testing.T, id string, calls int) {
	t.Helper()
	synctest.Wait()
	r, ok := w.record(id)
	if !ok || r.Source != recap.FromModel || r.Recap != w.result(id) || w.called() != calls {
		t.Errorf("%s: stored %v %s, %d calls, want a model's and %d\n%s", id, ok, short(&r), w.called(), calls, strings.Join(w.log(), "\n"))
	}
}

func TestFollow_OneRecapAfterTheWindow(t *testing.T) {
	follow(t, 2, func(t *testing.T, w *liveWorld, d *daemon) {
		w.prompt("s1")
		time.Sleep(10 * time.Minute) // an agent may work for long
		w.finish("s1")
		time.Sleep(59 * time.Second)
		synctest.Wait()
		if w.called() != 0 {
			t.Fatal("called before the window was over")
		}
		time.Sleep(2 * time.Second)
		w.wantModel(t, "s1", 1)
		if m := w.mirrored("s1"); len(m) != 1 || m[0].Recap == "" {
			t.Errorf("mirrored %d times", len(m))
		}
		// E9: idle again for the same answer.
		w.say("s1", agent.EventIdle)
		time.Sleep(5 * time.Minute)
		w.wantModel(t, "s1", 1)
		if n := len(w.mirrored("s1")); n != 1 {
			t.Errorf("mirrored %d times", n)
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 2)
		// E11: the other was quiet before.
		if _, ok := w.record("s2"); ok {
			t.Error("a session that nobody touched has a recap")
		}
		if got := d.eng.Following(); got.Known != 1 {
			t.Errorf("%+v", got)
		}
	})
}

func TestFollow_E2_NewMessageWhileGenerating(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		ended := 0
		w.model = func(ctx context.Context, n int, _ string) (llm.Response, error) {
			if n == 1 {
				err := sleep(ctx, time.Minute)
				ended++
				return llm.Response{}, err
			}
			return llm.Response{}, nil
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(70 * time.Second)
		synctest.Wait()
		before := len(w.log())
		w.prompt("s1")
		synctest.Wait()
		if ended != 1 {
			t.Fatal("the request was not ended")
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if len(w.log()) != before {
			t.Errorf("written after the new message: %v", w.log()[before:])
		}
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 2)
	})
}

// E3, E4: the aborted call hangs on; one waiting run, dropped by later activity.
func TestFollow_E3E4_HungCall(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		free := make(chan struct{})
		w.model = func(_ context.Context, n int, _ string) (llm.Response, error) {
			if n == 1 {
				<-free
			}
			return llm.Response{}, nil
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(70 * time.Second)
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute) // waits for the hung one
		if w.called() != 1 {
			t.Fatalf("%d calls", w.called())
		}
		w.prompt("s1") // the waiting run is dropped
		close(free)
		time.Sleep(2 * time.Minute)
		if w.called() != 1 {
			t.Fatalf("%d calls", w.called())
		}
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 2)
	})
}

func TestFollow_E6_SettingsOffWhileGenerating(t *testing.T) {
	for name, tt := range map[string]struct {
		off  func(*engine.FollowSettings)
		want func(r recap.Record) bool
	}{
		"all":        {func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false }, func(r recap.Record) bool { return r.Source == recap.Extractive }},
		"auto":       {func(s *engine.FollowSettings) { s.Auto = false }, func(r recap.Record) bool { return r.Source == recap.Extractive }},
		"recap only": {func(s *engine.FollowSettings) { s.Recap = false }, func(r recap.Record) bool { return r.FieldSources[recap.FieldRecap] != recap.FromModel }},
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
				w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
					return llm.Response{}, sleep(ctx, 20*time.Second)
				}
				w.prompt("s1")
				w.finish("s1")
				time.Sleep(70 * time.Second)
				w.allow(tt.off)
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if r, ok := w.record("s1"); !ok || !tt.want(r) {
					t.Errorf("stored %v %s", ok, short(&r))
				}
				for _, r := range w.mirrored("s1") {
					if r.FieldSources[recap.FieldRecap] == recap.FromModel {
						t.Errorf("mirrored %s", short(&r))
					}
				}
			})
		})
	}
}

// E19: what is switched off while a model is at work ends the request, without
// another word from anybody, and nothing of it is shown.
func TestFollow_E19_OffEndsTheCall(t *testing.T) {
	for name, tt := range map[string]struct {
		off func(*engine.FollowSettings)
		// free: the free recap serves now, and is shown.
		free int
		why  string
	}{
		"all":  {func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false }, 0, "recaps were switched off meanwhile"},
		"auto": {func(s *engine.FollowSettings) { s.Auto = false }, 1, "model calls were switched off meanwhile (assist.auto)"},
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, d *daemon) {
				var ended atomic.Int64 // when, in nanoseconds
				w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
					<-ctx.Done()
					ended.Store(time.Now().UnixNano())
					return llm.Response{}, ctx.Err()
				}
				w.prompt("s1")
				w.finish("s1")
				time.Sleep(70 * time.Second)
				synctest.Wait()
				if w.called() != 1 || ended.Load() != 0 {
					t.Fatalf("%d calls under way, ended at %d", w.called(), ended.Load())
				}
				at := time.Now()
				w.allow(tt.off)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if e := ended.Load(); e == 0 || time.Unix(0, e).Sub(at) > 2*time.Second {
					t.Errorf("the call ended at %d, switched off at %d", e, at.UnixNano())
				}
				r, ok := w.record("s1")
				if m := w.mirrored("s1"); !ok || r.Source != recap.Extractive || len(m) != tt.free || len(w.announced()) != tt.free {
					t.Errorf("stored %v %s, mirrored %d, announced %v", ok, short(&r), len(m), w.announced())
				}
				w.wantRefused(t, d, "s1", recap.CodeCanceled, tt.why)
			})
		})
	}
}

// E19: a session that is left out while a model is at work.
func TestFollow_E19_ExcludedEndsTheCall(t *testing.T) {
	for name, within := range map[string]time.Duration{"heard of": time.Hour, "as the answer comes": 20 * time.Second} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, d *daemon) {
				w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
					err := sleep(ctx, within)
					if err == nil {
						d.eng.Renew([]string{"/home/dev/src/s1"})
					}
					return llm.Response{}, err
				}
				w.prompt("s1")
				w.finish("s1")
				time.Sleep(70 * time.Second)
				if within > time.Minute {
					d.eng.Renew([]string{"/home/dev/src/s1"})
				}
				time.Sleep(15 * time.Second)
				synctest.Wait()
				if m := w.mirrored("s1"); len(m) != 0 || len(w.announced()) != 0 || w.called() != 1 {
					t.Errorf("mirrored %d, announced %v, %d calls", len(m), w.announced(), w.called())
				}
				w.wantRefused(t, d, "s1", recap.CodeExcluded, "its directory is excluded")
			})
		})
	}
}

// wantRefused looks what the newest decision about a session says.
func (w *liveWorld) wantRefused(t *testing.T, d *daemon, id string, code recap.Code, why string) {
	t.Helper()
	_, ds, err := d.eng.Why(t.Context(), w.sessions[id].session())
	if err != nil || len(ds) == 0 {
		t.Fatalf("%d decisions, %v", len(ds), err)
	}
	reason := ds[0].Gates[len(ds[0].Gates)-1]
	if ds[0].Action != "refused" || ds[0].Code != code || !strings.Contains(reason.Value, why) {
		t.Errorf("%s %s: %s", ds[0].Action, ds[0].Code, reason.Value)
	}
}

// A turn right after all was switched on again has its recap, however short it is.
func TestFollow_TurnRightAfterOn(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false })
		time.Sleep(2 * time.Second)
		w.say("s1", agent.EventBusy) // the off is seen
		w.say("s1", agent.EventIdle)
		time.Sleep(10 * time.Millisecond)
		w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = true, true })
		time.Sleep(10 * time.Millisecond)
		w.prompt("s1")
		time.Sleep(10 * time.Millisecond)
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 1)
	})
}

// A prompt of the window's last instant, of which no watcher told yet, is
// activity: the turn that it opens gets no recap before it is over.
func TestFollow_PromptAtTheEndOfTheWindow(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(59900 * time.Millisecond)
		w.change("s1", func(s *liveSession) {
			s.ask(time.Now())
			s.state = recap.StateUnknown // a file that tells of no process
		})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if r, ok := w.record("s1"); ok || w.called() != 0 {
			t.Fatalf("stored %s, %d calls", short(&r), w.called())
		}
		w.say("s1", agent.EventBusy)
		w.change("s1", func(s *liveSession) { s.answer(time.Now()) })
		w.say("s1", agent.EventIdle)
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 1)
	})
}

func TestFollow_AllOffReadsNothing(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, d *daemon) {
		w.allow(func(s *engine.FollowSettings) { s.Recap, s.Suggestion = false, false })
		time.Sleep(2 * time.Second)
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if d.count() != 0 || w.called() != 0 {
			t.Errorf("%d steps, %d calls", d.count(), w.called())
		}
		// On again: the session was touched meanwhile, but is at rest.
		w.allow(func(s *engine.FollowSettings) { s.Recap = true })
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 1)
	})
}

func TestFollow_E8_GoneBetweenReads(t *testing.T) {
	for name, change := range map[string]func(*liveSession){
		"archived": func(s *liveSession) { s.ses.Archived = true },
		"reverted": func(s *liveSession) { s.ses.Reverted = true },
		"child":    func(s *liveSession) { s.ses.ParentID = "s9" },
		"moved":    func(s *liveSession) { s.ses.Directory = "/home/dev/src/elsewhere" },
		"deleted":  func(s *liveSession) { s.gone = true },
		"busy":     func(s *liveSession) { s.state = recap.StateBusy },
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
				w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
					return llm.Response{}, sleep(ctx, 20*time.Second)
				}
				w.prompt("s1")
				w.finish("s1")
				time.Sleep(70 * time.Second)
				w.change("s1", change) // and no event says so
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if r, _ := w.record("s1"); r.Source == recap.FromModel {
					t.Errorf("stored %s", short(&r))
				}
				if n := len(w.mirrored("s1")); n != 0 && name != "busy" {
					t.Errorf("mirrored %d times", n)
				}
			})
		})
	}
}

// E8: a call came to nothing, and the session is archived while it is read once
// more before the free recap is shown.
func TestFollow_E8_ArchivedWhileItIsReadAgain(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.model = func(context.Context, int, string) (llm.Response, error) {
			w.change("s1", func(s *liveSession) { s.moved = s.moved.Add(time.Second) }) // a row of bookkeeping
			return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Provider: "anthropic", Status: 500}
		}
		reads := 0
		w.page = func(context.Context, string) error {
			if w.called() > 0 {
				reads++
				w.change("s1", func(s *liveSession) { s.ses.Archived = true })
			}
			return nil
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := len(w.mirrored("s1")); reads == 0 || n != 0 {
			t.Errorf("read %d times, mirrored %d times", reads, n)
		}
	})
}

// A record that another process made before the session moved to another
// directory is brought to where the session is.
func TestFollow_MovedBetweenTwoDaemons(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 1)
		w.change("s1", func(s *liveSession) { s.ses.Directory = "/home/dev/src/elsewhere" })
		two := w.start("two", 0)
		defer two.end()
		synctest.Wait()
		w.say("s1", agent.EventBusy)
		w.say("s1", agent.EventIdle)
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 1)
		if r, _ := w.record("s1"); r.Directory != "/home/dev/src/elsewhere" {
			t.Errorf("stored of %s", r.Directory)
		}
	})
}

// E12: one session's model fails for ever, the other's does not.
func TestFollow_E12_OneFailing(t *testing.T) {
	follow(t, 2, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.model = func(_ context.Context, _ int, id string) (llm.Response, error) {
			if id == "s1" {
				return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Provider: "anthropic", Status: 500}
			}
			return llm.Response{}, nil
		}
		for range 3 {
			w.prompt("s1")
			w.prompt("s2")
			w.finish("s1")
			w.finish("s2")
			time.Sleep(2 * time.Minute)
		}
		w.wantModel(t, "s2", 6)
		if r, ok := w.record("s1"); !ok || r.Source != recap.Extractive || r.ForMessageID != "s1-a4" {
			t.Errorf("the free recap of the failing one: %v %s", ok, short(&r))
		}
		// A failed tail is parked.
		w.say("s1", agent.EventBusy)
		w.say("s1", agent.EventIdle)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if w.called() != 6 {
			t.Errorf("%d calls: a failed tail was tried again", w.called())
		}
	})
}

func TestFollow_HeedsTheProvidersReset(t *testing.T) {
	follow(t, 2, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.model = func(_ context.Context, n int, _ string) (llm.Response, error) {
			if n == 1 {
				return llm.Response{}, &llm.Error{Code: recap.CodeRateLimited, Provider: "anthropic", Status: 429, Reset: time.Now().Add(30 * time.Minute)}
			}
			return llm.Response{}, nil
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(2 * time.Minute)
		w.prompt("s2") // another session, the same provider
		w.finish("s2")
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if w.called() != 1 {
			t.Fatalf("%d calls before the reset", w.called())
		}
		time.Sleep(20 * time.Minute)
		w.wantModel(t, "s1", 2)
	})
}

func TestFollow_H7_TwoDaemonsOneCall(t *testing.T) {
	follow(t, 3, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
			return llm.Response{}, sleep(ctx, 20*time.Second)
		}
		two := w.start("two", 0)
		defer two.end()
		synctest.Wait()
		for _, id := range w.names {
			w.prompt(id)
			w.finish(id)
		}
		time.Sleep(5 * time.Minute)
		for _, id := range w.names {
			w.wantModel(t, id, 3)
		}
	})
}

// A daemon that dies in the middle of a call leaves its claim; the other one
// goes on when it is over.
func TestFollow_H8_TheOtherDies(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.model = func(ctx context.Context, n int, _ string) (llm.Response, error) {
			if n == 1 {
				return llm.Response{}, sleep(ctx, time.Hour)
			}
			return llm.Response{}, nil
		}
		two := w.start("two", 0)
		synctest.Wait()
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(65 * time.Second)
		synctest.Wait()
		if w.called() != 1 {
			t.Fatalf("%d calls", w.called())
		}
		w.last().kill()
		time.Sleep(2 * time.Minute)
		w.wantModel(t, "s1", 2)
		two.end()
	})
}

func TestFollow_E5_StopWhileGenerating(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, d *daemon) {
		w.model = func(ctx context.Context, _ int, _ string) (llm.Response, error) {
			return llm.Response{}, sleep(ctx, time.Hour)
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(70 * time.Second)
		synctest.Wait()
		before := len(w.log())
		d.end()
		if len(w.log()) != before {
			t.Errorf("written after the stop: %v", w.log()[before:])
		}
	})
}

// E1, E9: an old message sent again, idle repeated, a read that fails.
func TestFollow_E1_OldMessageAgain(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.prompt("s1")
		time.Sleep(time.Second)
		w.finish("s1")
		time.Sleep(30 * time.Second)
		w.say("s1", agent.EventUserMessage)
		time.Sleep(31 * time.Second)
		w.wantModel(t, "s1", 1)
		w.say("s1", agent.EventUserMessage)
		w.say("s1", agent.EventIdle)
		time.Sleep(5 * time.Minute)
		w.wantModel(t, "s1", 1)
	})
}
