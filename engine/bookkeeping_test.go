package engine_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// Rows of bookkeeping, which agents write minutes after a turn, move the file and
// not the session: the record stays fresh, and nothing is decided.
func TestBookkeepingRowsDecideNothing(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	empty := src.add("bbb", "/home/dev/src/shop", time.Hour, recap.Message{ID: "b-1", Role: recap.RoleAssistant, Created: noon.Add(-time.Hour)})
	w := newWorld(t, nil, src)
	fresh := func(s recap.Session) store.Gate {
		t.Helper()
		gates, _, err := w.Why(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return gates[slices.IndexFunc(gates, func(g store.Gate) bool { return g.Name == "stored record fresh" })]
	}
	decided := func(s recap.Session) int {
		t.Helper()
		ds, err := w.store.Decisions(t.Context(), s.Ref, 50)
		if err != nil {
			t.Fatal(err)
		}
		return len(ds)
	}
	w.list(t, engine.Query{})
	before := decided(empty)
	for i, row := range []string{"2", "3"} {
		w.now = w.now.Add(time.Minute)
		for _, id := range []string{"aaa", "bbb"} {
			src.change(id, func(s *recap.Session) { s.Stamp = row })
		}
		s.Stamp = row
		if g := fresh(s); g.Value != "yes" || !g.Pass {
			t.Errorf("row %d: %+v", i, g)
		}
		r := w.list(t, engine.Query{})[0].Record
		if n := decided(s); n != 1 || !r.GeneratedAt.Equal(noon) || !strings.HasPrefix(r.Stamp, row+"#") {
			t.Errorf("row %d: %d decisions, record of %s at %s", i, n, r.Stamp, r.GeneratedAt)
		}
		if n := decided(empty); n != before {
			t.Errorf("row %d: %d decisions about a session without a request, %d before", i, n, before)
		}
	}
	src.read()
	w.list(t, engine.Query{})
	if n := src.read(); n != 0 {
		t.Errorf("%d pages of files that did not move", n)
	}
	// It goes on: another tail.
	src.records["aaa"] = append(src.records["aaa"], talk("aab", "Now the logout page", "Done.")...)
	s.Stamp = "4"
	if g := fresh(s); g.Value != "no" || g.Pass {
		t.Errorf("it went on: %+v", g)
	}
	src.reading["aaa"] = errDisk
	if g := fresh(s); g.Value != "not known" || g.Pass {
		t.Errorf("it can't be read: %+v", g)
	}
	delete(src.reading, "aaa")
	src.change("aaa", func(x *recap.Session) { x.Stamp = "4" })
	r := w.list(t, engine.Query{})[0].Record
	if n := decided(s); n != 2 || !r.GeneratedAt.Equal(w.now) {
		t.Errorf("it went on: %d decisions, made at %s", n, r.GeneratedAt)
	}
}

// The log tells of trouble, not of a caller that left, and of a session that went
// on only where it did.
func TestLogIsQuiet(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("aaa", "/home/dev/src/shop", time.Hour)
	src.change("aaa", func(x *recap.Session) { x.UpdatedAt = src.records["aaa"][1].Created })
	s := src.sessions["aaa"]
	var log bytes.Buffer
	st := &leaving{Store: memory.New()}
	w := newWorld(t, func(o *engine.Options) {
		o.Store = st
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.Unkept = func(err error) { t.Errorf("not kept: %v", err) }
	}, src)
	left, leave := context.WithCancel(t.Context())
	leave()
	w.Recap(left, s)
	w.Recap(t.Context(), s)
	// It leaves while the last look is noted.
	ctx, cancel := context.WithCancel(t.Context())
	st.leave = cancel
	_, _ = w.Away(ctx, false, 0)
	if ctx.Err() == nil || log.Len() > 0 {
		t.Errorf("left %v: %s", ctx.Err(), log.String())
	}
	// Its newest record is of a second after the time it was listed with.
	s.UpdatedAt, s.Stamp = s.UpdatedAt.Add(-time.Second), "2"
	w.Recap(t.Context(), s)
	if n := strings.Count(log.String(), "session went on while it was read"); n != 1 || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("%s", log.String())
	}
}

// leaving is a store whose caller leaves while a mark is set.
type leaving struct {
	store.Store
	leave func()
}

func (s *leaving) SetMark(ctx context.Context, name, scope, value string) error {
	if s.leave != nil {
		s.leave()
	}
	return s.Store.SetMark(ctx, name, scope, value)
}
