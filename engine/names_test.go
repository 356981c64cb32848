package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// Two homes of one agent hold the same ids: the home's name tells them apart,
// whatever an index remembers of it.
func TestE60_SecondHomeIsNamed(t *testing.T) {
	usual, work := newSource(recap.Claude, "/home/dev/.claude"), newSource(recap.Claude, "/srv/claude")
	work.home.Name = "work"
	usual.add("abc", "/home/dev/a", time.Hour)
	work.add("abc", "/home/dev/a", 2*time.Hour)
	work.change("abc", func(x *recap.Session) { x.Home = "claude" })
	w := newWorld(t, nil, usual, work)
	_, err := w.Find(t.Context(), "abc")
	wantCode(t, err, recap.CodeAmbiguousSession)
	s := w.find(t, "claude@work:abc")
	if s.Home != "work" || engine.NameOf(s) != "claude@work:abc" || engine.NameOf(w.find(t, "claude@claude:abc")) != "claude:abc" {
		t.Errorf("%+v", s)
	}
	if err := w.Mute(t.Context(), &s.Ref, "", true); err != nil {
		t.Fatal(err)
	}
	if r := w.Recap(t.Context(), s); !strings.Contains(recap.HintOf(r.Err), "recap mute --off claude@work:abc ") {
		t.Errorf("hint %q", recap.HintOf(r.Err))
	}
}

// A title is cut after redaction: a key that lies over the cut would not be
// known for one.
func TestTitlesAreCutAfterRedaction(t *testing.T) {
	key := "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	for _, tt := range []struct{ name, title, end string }{
		{"short", "Fix the login", "login"},
		{"a key over the cut", strings.Repeat("word ", 37) + key + strings.Repeat(" more", 20), "…"},
		{"exactly 200", strings.Repeat("ab ", 66) + "xy", "xy"},
		{"one more", strings.Repeat("ab ", 66) + "xyz", "…"},
		{"one word", strings.Repeat("x", 400), "…"},
		{"clusters", strings.Repeat("👩‍👩‍👧‍👦", 60), "…"},
		{"letters with marks", strings.Repeat("e\u0301", 200), "\u0301"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := newSource(recap.Claude, "/c")
			src.add("abc", "/home/dev/a", time.Hour)
			src.change("abc", func(x *recap.Session) { x.Title = tt.title })
			w := newWorld(t, nil, src)
			row := w.list(t, engine.Query{})[0]
			for _, got := range []string{row.Session.Title, row.Record.Title} {
				if strings.Contains(got, key[:12]) {
					t.Errorf("a part of the key: %q", got)
				}
				if !strings.HasSuffix(got, tt.end) || utf8.RuneCountInString(got) > 200 && tt.name != "letters with marks" {
					t.Errorf("%d characters: %q", utf8.RuneCountInString(got), got)
				}
				if strings.HasSuffix(got, "\u200d…") {
					t.Errorf("a cluster is cut: %q", got)
				}
			}
		})
	}
}

// F20: what is kept of a session whose transcript is gone says so, in a search
// too.
func TestF20_SearchMarksWhatIsGone(t *testing.T) {
	src := newSource(recap.Claude, "/c")
	src.add("gone", "/home/dev/a", time.Hour)
	src.add("here", "/home/dev/a", 2*time.Hour)
	w := newWorld(t, nil, src)
	w.list(t, engine.Query{})
	src.remove("gone")
	found, err := w.Search(t.Context(), []string{"login"}, 0)
	rows := found.Rows
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %v", ids(rows), err)
	}
	if !rows[0].Gone || rows[0].Fresh || rows[0].Record == nil || rows[1].Gone || !rows[1].Fresh {
		t.Errorf("%+v\n%+v", rows[0], rows[1])
	}
}

// full is a store that takes nothing.
type full struct{ store.Store }

func (full) Put(context.Context, recap.Record, store.Condition) error            { return errDisk }
func (full) SetMark(context.Context, string, string, string) error               { return errDisk }
func (full) Forget(context.Context, store.Which) (int, error)                    { return 0, errDisk }
func (full) Decide(context.Context, store.Decision) error                        { return errDisk }
func (full) Records(context.Context, []recap.SessionRef) ([]recap.Record, error) { return nil, nil }

func TestH9_WhatCanNotBeStoredIsTold(t *testing.T) {
	src := newSource(recap.Claude, "/c")
	s := src.add("abc", "/home/dev/a", time.Hour)
	var told []error
	w := newWorld(t, func(o *engine.Options) {
		o.Store, o.Unkept = full{memory.New()}, func(err error) { told = append(told, err) }
	}, src)
	if r := w.Recap(t.Context(), s); r.Record == nil || len(told) != 1 {
		t.Errorf("%+v %v", r, told)
	}
	if _, err := w.Away(t.Context(), false, 0); err != nil || len(told) != 3 {
		t.Errorf("%v %v", err, told)
	}
	if err := w.Mute(t.Context(), &s.Ref, "", true); err == nil {
		t.Error("muted nothing and said nothing")
	}
	if _, err := w.Forget(t.Context(), store.Which{All: true}); recap.CodeOf(err) != recap.CodeStore {
		t.Errorf("%v", err)
	}
}

// Remembered reads the store alone.
func TestRemembered(t *testing.T) {
	src := newSource(recap.Claude, "/c")
	src.add("a", "/home/dev/a", time.Hour)
	src.add("b", "/home/dev/b", 2*time.Hour)
	w := newWorld(t, nil, src)
	w.list(t, engine.Query{})
	lists := src.lists
	e := engine.New(engine.Options{Store: w.store, Now: func() time.Time { return noon }, Exclude: []string{"/home/dev/b"}})
	got, err := e.Remembered(t.Context())
	if err != nil || len(got) != 1 || got[0].Ref.ID != "a" || src.lists != lists {
		t.Errorf("%v %v", got, err)
	}
}
