package opencode

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestE9_ATurnIsToldOnce(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.session("a", nil) }, func(s *stub, _ *Server, h *heard) {
		h.told(t, "quiet before (E11)", "")
		s.message("a", "m1", "user", false)
		s.level("a", "busy")
		s.level("a", "busy")
		s.message("a", "m2", "assistant", false)
		s.level("a", "retry")
		s.message("a", "m2", "assistant", true)
		s.level("a", "idle")
		h.told(t, "G3 a turn, each change twice", "a user-message, a busy, a idle")
		s.level("a", "idle")
		s.updated("a")
		s.set(func() { s.find("a")["title"] = "another" })
		s.updated("a")
		s.send("message.updated", object{"sessionID": "a", "info": s.messages["a"][0]["info"]})
		s.send("message.updated", object{"sessionID": "a", "info": s.messages["a"][2]["info"]})
		later(time.Minute)
		h.told(t, "E1 idle again, updated after idle, old messages sent again", "")
	})
}

func TestG4_OurOwnWriteIsNoEvent(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("a", object{"metadata": object{"theirs": 1}})
	}, func(s *stub, srv *Server, h *heard) {
		s.message("a", "m1", "user", false)
		s.level("a", "busy")
		s.level("a", "idle")
		h.told(t, "turn", "a user-message, a busy, a idle")
		if err := srv.PutRecord(s.t.Context(), stubRef("a"), record(stubRef("a"), "print", "/p", "m1")); err != nil {
			t.Fatal(err)
		}
		later(time.Minute)
		if len(s.patches) != 1 || !strings.Contains(s.patches[0], `"theirs":1`) {
			t.Errorf("patches %v", s.patches)
		}
		h.told(t, "our write", "")
	})
}

func TestG1_AServerThatStartsNeverAnswers(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("a", nil)
		s.odd = hang
	}, func(s *stub, _ *Server, h *heard) {
		later(time.Minute)
		if n := s.count("GET /global/health"); n < 3 || n > 8 || s.count("GET /global/event") != 0 {
			t.Errorf("asked %v", s.since(0))
		}
		if got := h.faults(); strings.Count(got, "did not answer in time") != 1 {
			t.Errorf("problems %s", got)
		}
		s.set(func() { s.odd = nil })
		later(2 * time.Minute)
		s.level("a", "busy")
		h.told(t, "when it is there", "a busy")
	})
	// It answers, and then the stream hangs.
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.odd = func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/global/event" {
				return hang(r)
			}
			return nil, nil
		}
	}, func(s *stub, _ *Server, h *heard) {
		later(2 * time.Minute)
		if n := s.count("GET /global/event"); n < 2 || n > 5 {
			t.Errorf("asked %v", s.since(0))
		}
		if got := h.faults(); !strings.Contains(got, "still for 30 seconds") {
			t.Errorf("problems %s", got)
		}
	})
}

func TestG2_AStreamThatBreaksMakesNothingIdle(t *testing.T) {
	t.Parallel()
	work := func(s *stub, h *heard) {
		for _, id := range []string{"a", "b", "c"} {
			s.level(id, "busy")
		}
		h.told(t, "at work", "a busy, b busy, c busy")
	}
	three := func(s *stub, _ *Server, _ *heard) {
		for _, id := range []string{"a", "b", "c", "rests", "other"} {
			s.session(id, nil)
		}
	}
	play(t, ServerConfig{}, three, func(s *stub, _ *Server, h *heard) {
		work(s, h)
		s.message("rests", "r1", "user", false)
		s.level("rests", "busy")
		s.message("rests", "r2", "assistant", true)
		s.level("rests", "idle")
		h.told(t, "a turn", "rests user-message, rests busy, rests idle")
		s.set(func() { s.odd = hang })
		s.cut()
		later(5 * time.Minute)
		h.told(t, "while it is gone", "")
		if got := h.faults(); !strings.Contains(got, "stream ended") {
			t.Errorf("problems %s", got)
		}
		// Meanwhile: a ended, b works on, c is deleted, one that rested had
		// another turn, of one only the metadata moved, and another process
		// works on the last.
		s.message("a", "a2", "assistant", true)
		s.message("rests", "r3", "user", false)
		s.message("rests", "r4", "assistant", true)
		s.message("other", "o1", "user", false)
		s.set(func() {
			s.odd = nil
			delete(s.status, "a")
			delete(s.status, "c")
			s.sessions = append(s.sessions[:2], s.sessions[3:]...)
		})
		later(2 * time.Minute)
		h.mu.Lock()
		got := map[string]string{}
		for _, e := range h.events {
			got[e.Ref.ID] += e.Kind.String() + " "
		}
		h.events = nil
		h.mu.Unlock()
		for id, want := range map[string]string{"a": "idle ", "b": "", "c": "gone ", "rests": "busy idle ", "other": ""} {
			if got[id] != want {
				t.Errorf("after it came back, %s: %q, want %q", id, got[id], want)
			}
		}
		s.level("b", "idle")
		h.told(t, "and then", "b idle")
		// Our own write moved a session, nothing else did.
		s.cut()
		s.set(func() { s.touch("rests", "updated") })
		later(2 * time.Minute)
		h.told(t, "metadata moved while it was gone", "")
	})
	t.Run("silence", func(t *testing.T) {
		t.Parallel()
		play(t, ServerConfig{}, three, func(s *stub, _ *Server, h *heard) {
			work(s, h)
			s.set(func() { s.beat = false })
			later(29 * time.Second)
			if s.count("GET /global/event") != 1 {
				t.Error("given up too early")
			}
			later(10 * time.Second)
			if s.count("GET /global/event") != 2 || s.count("GET /session/status") == 0 {
				t.Errorf("calls %v", s.since(0))
			}
			h.told(t, "nothing moved", "")
			s.level("a", "idle")
			h.told(t, "it goes on", "a idle")
		})
	})
	t.Run("password changed", func(t *testing.T) {
		t.Parallel()
		play(t, ServerConfig{Name: "work", Password: "open sesame"}, func(s *stub, srv *Server, h *heard) {
			three(s, srv, h)
			s.password = "open sesame"
		}, func(s *stub, srv *Server, h *heard) {
			work(s, h)
			s.set(func() { s.password = "changed" })
			s.cut()
			later(10 * time.Minute)
			h.told(t, "refused", "")
			got := h.faults()
			if strings.Count(got, "refuses the password") != 1 || strings.Contains(got, "sesame") {
				t.Errorf("problems %s", got)
			}
			if home := srv.Home(); !strings.Contains(home.Problem, "sources.work.password") {
				t.Errorf("home %+v", home)
			}
		})
	})
}

func TestNothingIsPolled(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.session("a", nil) }, func(s *stub, _ *Server, _ *heard) {
		n := len(s.since(0))
		later(time.Hour)
		if got := s.since(n); len(got) != 0 {
			t.Errorf("asked %v", got)
		}
		// One that is gone is tried once a minute at most.
		s.set(func() { s.odd = always(500, "", "") })
		s.cut()
		n = len(s.since(0))
		later(time.Hour)
		if got := s.since(n); len(got) > 70 {
			t.Errorf("tried %d times", len(got))
		}
	})
}

func TestWhatWaitsIsNotIdle(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("a", nil)
		s.session("kid", object{"parentID": "a"})
		s.session("grandkid", object{"parentID": "kid"})
	}, func(s *stub, _ *Server, h *heard) {
		s.level("a", "busy")
		ask := object{"id": "per_1", "sessionID": "a"}
		s.set(func() { s.asked = []object{ask} })
		s.send("permission.asked", ask)
		h.told(t, "approval", "a busy, a background")
		s.send("permission.replied", object{"sessionID": "a", "requestID": "per_1", "reply": "once"})
		h.told(t, "replied", "a busy")
		s.send("question.asked", object{"id": "que_1", "sessionID": "a"})
		s.send("question.rejected", object{"sessionID": "a", "requestID": "que_1"})
		h.told(t, "question", "a background, a busy")
		// Stopped while it asks: whether it still does is asked for.
		s.send("permission.asked", ask)
		s.level("a", "idle")
		h.told(t, "idle is not believed", "a background")
		later(11 * time.Second)
		h.told(t, "it still asks", "")
		s.set(func() { s.asked = nil })
		s.level("a", "idle")
		later(11 * time.Second)
		h.told(t, "it does no longer", "a idle")

		s.level("grandkid", "busy")
		h.told(t, "a subagent's subagent works", "a background")
		s.level("a", "busy")
		s.level("a", "idle")
		s.level("kid", "busy")
		s.level("grandkid", "idle")
		h.told(t, "the turn is over, a subagent works on", "")
		s.level("kid", "idle")
		h.told(t, "all rest", "a idle")

		s.send("message.part.updated", object{"part": object{"type": "compaction", "sessionID": "a", "auto": true}})
		h.told(t, "compaction", "a background")
		s.level("a", "busy")
		s.send("session.compacted", object{"sessionID": "a"})
		h.told(t, "it is over", "a busy")
		s.level("a", "idle")
		h.told(t, "idle", "a idle")
		s.level("a", "a status of tomorrow")
		h.told(t, "what is not known is not idle", "a busy")
	})
}

func TestContentWithoutWork(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("a", nil)
		s.session("b", nil)
	}, func(s *stub, _ *Server, h *heard) {
		s.level("a", "busy")
		s.level("a", "idle")
		h.told(t, "turn", "a busy, a idle")
		s.message("a", "m1", "user", false) // noReply
		h.told(t, "at once", "a user-message")
		later(30 * time.Second)
		h.told(t, "no work follows", "a busy, a idle")
		s.send("message.removed", object{"sessionID": "a", "messageID": "m1"})
		later(30 * time.Second)
		h.told(t, "removed", "a busy, a idle")
		s.set(func() { s.find("a")["revert"] = object{"messageID": "m0"} })
		s.updated("a")
		later(30 * time.Second)
		h.told(t, "reverted", "a busy, a idle")
		// Work that comes late is no second turn.
		s.message("b", "m1", "user", false)
		later(12 * time.Second)
		s.level("b", "busy")
		later(30 * time.Second)
		s.level("b", "idle")
		h.told(t, "late work", "b user-message, b busy, b idle")
	})
}

func TestGone(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{Exclude: []string{"/secret"}}, func(s *stub, _ *Server, _ *heard) {
		for _, id := range []string{"archived", "child", "moved", "deleted", "quiet"} {
			s.session(id, nil)
		}
		s.session("hidden", object{"directory": "/secret/below"})
		s.session("old", object{"time": object{"created": 1, "updated": 2, "archived": 3}})
	}, func(s *stub, _ *Server, h *heard) {
		s.level("hidden", "busy")
		s.level("old", "busy")
		h.told(t, "excluded, archived", "")
		for _, id := range []string{"archived", "child", "moved", "deleted"} {
			s.level(id, "busy")
			s.level(id, "idle")
		}
		h.told(t, "turns", "archived busy, archived idle, child busy, child idle, moved busy, moved idle, deleted busy, deleted idle")
		s.set(func() { s.touch("archived", "archived") })
		s.set(func() { s.find("child")["parentID"] = "nobody" })
		s.set(func() { s.find("moved")["directory"] = "/q" })
		for _, id := range []string{"archived", "child", "moved"} {
			s.updated(id)
			s.updated(id)
			h.told(t, id, id+" gone")
		}
		s.send("session.deleted", object{"sessionID": "deleted", "info": s.find("deleted")})
		h.told(t, "deleted", "deleted gone")
		s.send("session.deleted", object{"sessionID": "quiet", "info": s.find("quiet")})
		h.told(t, "never told of", "")
		s.level("archived", "busy")
		s.level("child", "busy")
		h.told(t, "afterwards", "")
		s.level("moved", "busy")
		h.told(t, "in its new place", "moved busy")
	})
}

func TestG7_AForkTellsNothing(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, nil, func(s *stub, _ *Server, h *heard) {
		now := time.Now().UnixMilli()
		s.session("fork", object{"time": object{"created": now, "updated": now}})
		s.send("session.created", object{"sessionID": "fork", "info": s.find("fork")})
		for i, role := range []string{"user", "assistant"} {
			s.send("message.updated", object{"sessionID": "fork", "info": object{"id": "copy" + role, "role": role, "time": object{"created": now - 5000 + int64(i), "completed": now - 4000}}})
		}
		later(time.Minute)
		h.told(t, "copies", "")
		s.message("fork", "own", "user", false)
		h.told(t, "its own", "fork user-message")
	})
}

func TestDisposedInstance(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("a", nil)
		s.session("b", nil)
	}, func(s *stub, _ *Server, h *heard) {
		s.level("a", "busy")
		s.level("b", "busy")
		h.told(t, "at work", "a busy, b busy")
		s.set(func() { delete(s.status, "a") })
		s.send("server.instance.disposed", object{"directory": "/p"})
		h.told(t, "at once", "")
		later(11 * time.Second)
		h.told(t, "asked for", "a idle")
	})
}

func TestWatchedAgain(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.session("a", nil) }, func(s *stub, srv *Server, h *heard) {
		s.level("a", "busy")
		h.told(t, "the first", "a busy")
		watched(s.t, srv, func(second *heard) {
			s.level("a", "idle")
			h.told(t, "the first goes on", "a idle")
			second.told(t, "the second waits", "")
		})
	})
	synctest.Test(t, func(t *testing.T) {
		s := newStub(t)
		s.session("a", nil)
		srv := s.server(ServerConfig{})
		for range 2 {
			watched(t, srv, func(h *heard) {
				s.level("a", "busy")
				h.told(t, "each", "a busy")
			})
		}
		s.cut()
	})
}

// Cuts every second lose nothing.
func TestG2_ManyCuts(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.session("a", nil) }, func(s *stub, _ *Server, h *heard) {
		for range 50 {
			s.level("a", "busy")
			s.cut()
			later(time.Second)
			s.set(func() { delete(s.status, "a") })
			s.message("a", "m"+time.Now().String(), "assistant", true)
			s.cut()
			later(20 * time.Second)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		busy, idle := 0, 0
		for i, e := range h.events {
			switch e.Kind.String() {
			case "busy":
				busy++
			case "idle":
				idle++
			default:
				t.Errorf("told %v", e.Kind)
			}
			if i > 0 && e.Kind == h.events[i-1].Kind {
				t.Errorf("twice %v", e.Kind)
			}
		}
		if busy != 50 || idle != 50 {
			t.Errorf("%d times busy, %d times idle", busy, idle)
		}
	})
}
