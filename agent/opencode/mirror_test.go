package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// written runs a test of the mirror in virtual time.
func written(t *testing.T, cfg ServerConfig, test func(ctx context.Context, s *stub, srv *Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newStub(t)
		s.session("a", object{"metadata": object{"theirs": object{"n": 1}}})
		test(t.Context(), s, s.server(cfg))
		s.cut()
	})
}

func TestMirror(t *testing.T) {
	t.Parallel()
	r := record(stubRef("a"), "print", "/p", "msg_2")
	t.Run("once for each fingerprint, in a namespace", func(t *testing.T) {
		t.Parallel()
		written(t, ServerConfig{Namespace: "openchamber"}, func(ctx context.Context, s *stub, srv *Server) {
			for range 3 {
				if err := srv.PutRecord(ctx, stubRef("a"), r); err != nil {
					t.Fatal(err)
				}
			}
			next := r
			next.Fingerprint, next.ForMessageID, next.Suggestion = "print 2", "msg_4", ""
			if err := srv.PutRecord(ctx, stubRef("a"), next); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(`{"metadata":{"openchamber":{"assist":{"recap":"The tool was run.","suggestion":"","forMessageID":"msg_4","generatedAt":%d}},"theirs":{"n":1}}}`, r.GeneratedAt.UnixMilli())
			if len(s.patches) != 2 || s.patches[1] != want {
				t.Errorf("patches %v\nwant %s", s.patches, want)
			}
			// Another daemon finds it there.
			if err := s.server(ServerConfig{Namespace: "openchamber"}).PutRecord(ctx, stubRef("a"), next); err != nil || len(s.patches) != 2 {
				t.Errorf("written again: %v %d", err, len(s.patches))
			}
		})
	})
	t.Run("E56 the read is fresh, and without it nothing is written", func(t *testing.T) {
		t.Parallel()
		written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
			s.set(func() { s.find("a")["metadata"] = object{"late": true} })
			if err := srv.PutRecord(ctx, stubRef("a"), r); err != nil || !strings.Contains(s.patches[0], `"late":true`) {
				t.Errorf("%v %v", err, s.patches)
			}
			next := r
			next.Fingerprint = "print 2"
			for _, odd := range []odd{
				hang,
				always(500, "", ""),
				always(200, "text/html", "<p>"),
				func(*http.Request) (*http.Response, error) {
					return answered(200, "application/json", `{"id":"b"}`), nil
				},
				always(200, "application/json", ``),
			} {
				s.set(func() { s.odd = odd })
				if err := srv.PutRecord(ctx, stubRef("a"), next); err == nil || len(s.patches) != 1 {
					t.Errorf("written after a read that failed: %v %v", err, s.patches)
				}
			}
		})
	})
	t.Run("one writer", func(t *testing.T) {
		t.Parallel()
		written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
			for i := range 5 {
				s.session(fmt.Sprint("s", i), nil)
			}
			var inside, most int
			s.set(func() {
				s.odd = func(*http.Request) (*http.Response, error) {
					s.set(func() { inside++; most = max(most, inside) })
					time.Sleep(time.Second)
					s.set(func() { inside-- })
					return nil, nil
				}
			})
			var all sync.WaitGroup
			for i := range 5 {
				all.Go(func() {
					id := fmt.Sprint("s", i)
					if err := srv.PutRecord(ctx, stubRef(id), record(stubRef(id), id, "/p", "m")); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if most != 1 || len(s.patches) != 5 {
				t.Errorf("%d at once, %d writes", most, len(s.patches))
			}
		})
	})
	t.Run("E8 E2 not where the session moved on", func(t *testing.T) {
		t.Parallel()
		for name, change := range map[string]object{
			"archived": {"time": object{"created": 1, "updated": 2, "archived": 3}}, "reverted": {"revert": object{"messageID": "msg_1"}},
			"child": {"parentID": "b"}, "moved": {"directory": "/q"}, "another's value": {"metadata": object{"recap": "theirs"}},
			"a list": {"metadata": []any{1}},
		} {
			written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
				s.set(func() {
					maps.Copy(s.find("a"), change)
				})
				if err := srv.PutRecord(ctx, stubRef("a"), r); !errors.Is(err, agent.ErrNoMirror) || len(s.patches) != 0 {
					t.Errorf("%s: %v %v", name, err, s.patches)
				}
			})
		}
		play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.session("a", nil) }, func(s *stub, srv *Server, _ *heard) {
			s.level("a", "busy")
			if err := srv.PutRecord(s.t.Context(), stubRef("a"), record(stubRef("a"), "p", "/p", "m")); !errors.Is(err, agent.ErrNoMirror) {
				t.Errorf("busy: %v", err)
			}
			s.level("a", "idle")
			old := record(stubRef("a"), "p", "/p", "m")
			old.GeneratedAt = time.Now()
			later(time.Second)
			s.message("a", "m9", "user", false)
			if err := srv.PutRecord(s.t.Context(), stubRef("a"), old); !errors.Is(err, agent.ErrNoMirror) || len(s.patches) != 0 {
				t.Errorf("a new message: %v", err)
			}
		})
	})
	t.Run("servers that keep nothing, sessions of nobody", func(t *testing.T) {
		t.Parallel()
		written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
			s.version = "1.15.12"
			if err := srv.c.health(ctx); err != nil {
				t.Fatal(err)
			}
			if err := srv.PutRecord(ctx, stubRef("a"), r); !errors.Is(err, agent.ErrNoMirror) || !strings.Contains(err.Error(), "1.15.13") {
				t.Errorf("old: %v", err)
			}
			s.version = "1.15.13"
			if err := srv.c.health(ctx); err != nil {
				t.Fatal(err)
			}
			for _, ref := range []recap.SessionRef{stubRef("nobody"), {Agent: recap.OpenCode, Root: "/home/dev/data", ID: "a"}, {Agent: recap.Claude, Root: "http://opencode.test:4096", ID: "a"}} {
				if err := srv.PutRecord(ctx, ref, r); !errors.Is(err, agent.ErrNoMirror) {
					t.Errorf("%v: %v", ref, err)
				}
			}
			// One that ignores the field.
			s.set(func() {
				s.odd = func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodPatch {
						return s.json(s.find("a")), nil
					}
					return nil, nil
				}
			})
			if err := srv.PutRecord(ctx, stubRef("a"), r); !errors.Is(err, agent.ErrNoMirror) {
				t.Errorf("ignored: %v", err)
			}
		})
	})
	t.Run("E48 empty, long", func(t *testing.T) {
		t.Parallel()
		written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
			if err := srv.PutRecord(ctx, stubRef("a"), recap.Record{Fingerprint: "x"}); err != nil || len(s.calls) != 0 {
				t.Errorf("empty: %v %v", err, s.calls)
			}
			long := r
			long.Recap, long.Suggestion = strings.Repeat("я", 1000), strings.Repeat("x", 1000)
			if err := srv.PutRecord(ctx, stubRef("a"), long); err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(s.find("a")["metadata"])
			a, ok := ReadAssist(b, "recap")
			if err != nil || !ok || len([]rune(a.Recap)) != recap.RecapChars || len(a.Suggestion) != recap.SuggestionChars {
				t.Errorf("%v %+v", err, a)
			}
		})
	})
}

func TestFresh(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(startMS)
	s := recap.Session{State: recap.StateIdle, CreatedAt: at}
	a, ok := ReadAssist([]byte(fmt.Sprintf(`{"recap":{"assist":{"recap":"x","forMessageID":"m2","generatedAt":%d}}}`, startMS+5)), "recap")
	if !ok || !a.Fresh(s, "m2") {
		t.Fatalf("not fresh: %+v", a)
	}
	for name, x := range map[string]struct {
		change func(*recap.Session)
		newest string
	}{
		"E58 a new message":      {func(*recap.Session) {}, "m3"},
		"busy":                   {func(s *recap.Session) { s.State = recap.StateBusy }, "m2"},
		"unknown":                {func(s *recap.Session) { s.State = recap.StateUnknown }, "m2"},
		"reverted":               {func(s *recap.Session) { s.Reverted = true }, "m2"},
		"G7 older than the fork": {func(s *recap.Session) { s.CreatedAt = at.Add(time.Minute) }, "m2"},
		"nothing":                {func(*recap.Session) {}, ""},
	} {
		ses := s
		if x.change(&ses); a.Fresh(ses, x.newest) {
			t.Errorf("fresh: %s", name)
		}
	}
	for _, bad := range []string{``, `[]`, `{"recap":1}`, `{"recap":{"assist":[]}}`, `{"recap":{"assist":{"forMessageID":1,"generatedAt":"x"}}}`} {
		if _, ok := ReadAssist([]byte(bad), "recap"); ok {
			t.Errorf("read %s", bad)
		}
	}
}
