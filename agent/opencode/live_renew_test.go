package opencode

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sessionrecap/recap/agent"
)

// turn is a whole turn that a server tells.
func (s *stub) turn(id, name string) {
	s.message(id, name+"1", "user", false)
	s.level(id, "busy")
	s.message(id, name+"2", "assistant", true)
	s.level(id, "idle")
}

// quietly does what a server that nobody hears does.
func (s *stub) quietly(id, kind, msg string) {
	now := time.Now().UnixMilli()
	s.set(func() {
		delete(s.status, id)
		if kind != "idle" {
			s.status[id] = object{"type": kind}
		}
		s.messages[id] = append(s.messages[id], object{"info": object{
			"id": msg, "sessionID": id, "role": "assistant", "finish": "stop", "time": object{"created": now, "completed": now},
		}, "parts": []any{}})
		s.touch(id, "updated")
	})
}

// renewed runs a test with a watch of servers that changes.
func renewed(t *testing.T, test func(a, b *stub, live *Live, h *heard)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		a, b := newStub(t), newStub(t)
		for _, s := range []*stub{a, b} {
			for _, id := range []string{"works", "rests", "moves", "deleted"} {
				s.session(id, nil)
			}
		}
		live := NewLive(nil, []*Server{a.server(ServerConfig{})})
		watched(t, live, func(h *heard) {
			if h.said() != 1 {
				t.Errorf("ready was said %d times", h.said())
			}
			test(a, b, live, h)
			if h.said() != 1 {
				t.Errorf("ready was said %d times in the end", h.said())
			}
		})
		a.cut()
		b.cut()
	})
}

// Servers come and go, and the streams of the others go on.
func TestRenew(t *testing.T) {
	t.Parallel()
	renewed(t, func(a, b *stub, live *Live, h *heard) {
		a.level("works", "busy")
		h.told(t, "at first", "works busy")
		_, servers, _ := live.now()
		first, other := servers[0], b.server(ServerConfig{URL: "http://other.test:4096"})
		b.set(func() { b.status["rests"] = object{"type": "busy"} })
		live.Renew(nil, []*Server{other, first})
		a.level("works", "idle") // in the instant
		synctest.Wait()
		h.mu.Lock()
		if n := len(h.events); n != 2 {
			t.Errorf("%d events with a second server: %v", n, h.events)
		}
		h.events = nil
		h.mu.Unlock()
		a.turn("rests", "r")
		h.told(t, "the first goes on", "rests user-message, rests busy, rests idle")
		if n := a.count("GET /global/event"); n != 1 {
			t.Errorf("the stream of the first was opened %d times", n)
		}
		live.Renew(nil, []*Server{first})
		h.told(t, "without the second its sessions are gone", "rests gone")
		b.set(func() { delete(b.status, "rests") })
		b.push(`{"directory":"/p","payload":{"type":"session.status","properties":{"sessionID":"rests","status":{"type":"idle"}}}}`)
		a.turn("moves", "m")
		h.told(t, "the first alone", "moves user-message, moves busy, moves idle")
		if n := a.count("GET /global/event"); n != 1 {
			t.Errorf("the stream of the first was opened %d times", n)
		}
		live.Renew(nil, nil)
		synctest.Wait()
		h.mu.Lock()
		slices.SortFunc(h.events, func(a, b agent.Event) int { return strings.Compare(a.Ref.ID, b.Ref.ID) })
		h.mu.Unlock()
		h.told(t, "without servers", "moves gone, rests gone, works gone")
		later(time.Second)
		live.Renew(nil, []*Server{first})
		synctest.Wait()
		h.told(t, "back", "")
		a.turn("rests", "s")
		h.told(t, "a turn after that", "rests user-message, rests busy, rests idle")
	})
}

// A server whose settings changed knows what the one before told: what happens
// in the instant of the change is told.
func TestRenew_TheSameServer(t *testing.T) {
	t.Parallel()
	renewed(t, func(a, _ *stub, live *Live, h *heard) {
		a.turn("rests", "r")
		h.told(t, "a turn", "rests user-message, rests busy, rests idle")
		a.level("works", "busy")
		a.level("deleted", "busy")
		h.told(t, "at work", "works busy, deleted busy")
		a.set(func() { a.password, a.odd = "new", hang }) // it restarts with another password
		live.Renew(nil, []*Server{a.server(ServerConfig{Password: "new", Namespace: "other"})})
		a.cut()
		a.quietly("works", "idle", "w2")
		later(2 * time.Second)
		a.quietly("moves", "idle", "m2")
		a.set(func() {
			a.odd = nil
			a.sessions = a.sessions[:len(a.sessions)-1]
		})
		later(2 * time.Minute)
		h.mu.Lock()
		defer h.mu.Unlock()
		got := map[string]string{}
		for _, e := range h.events {
			got[e.Ref.ID] += " " + e.Kind.String()
		}
		for id, want := range map[string]string{"works": " idle", "moves": " busy idle", "deleted": " gone", "rests": ""} {
			if got[id] != want {
				t.Errorf("%s: told%s, want%s", id, got[id], want)
			}
		}
	})
}

// What moved since following began is told, also where the server was first
// reached later and all is at rest.
func TestWhatMovedBeforeTheFirstLook(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) {
		s.session("before", nil)
		s.session("meanwhile", nil)
		s.session("touched", nil)
		s.quietly("before", "idle", "b1")
		s.quietly("touched", "idle", "t1")
		time.Sleep(time.Millisecond)
		s.odd = func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }
	}, func(s *stub, _ *Server, h *heard) {
		if h.said() != 1 {
			t.Errorf("a server that is not there holds ready up: said %d times", h.said())
		}
		later(10 * time.Second)
		s.quietly("meanwhile", "idle", "m1")
		s.set(func() { s.touch("touched", "updated") }) // a title
		s.set(func() { s.odd = nil })
		later(2 * time.Minute)
		h.told(t, "when it is there", "meanwhile busy, meanwhile idle")
		if h.said() != 1 {
			t.Errorf("ready was said %d times", h.said())
		}
	})
}

// Ready waits for the first try of each server, and for no second.
func TestReady(t *testing.T) {
	t.Parallel()
	play(t, ServerConfig{}, func(s *stub, _ *Server, _ *heard) { s.odd = hang }, func(_ *stub, _ *Server, h *heard) {
		if h.said() != 0 {
			t.Error("ready before it was tried")
		}
		later(healthWithin)
		if h.said() != 1 || h.faults() == "[]" {
			t.Errorf("ready was said %d times, problems %s", h.said(), h.faults())
		}
		later(10 * time.Minute)
		if h.said() != 1 {
			t.Errorf("ready was said %d times in the end", h.said())
		}
	})
}
