// Package storetest is the behaviour that every member of the store family
// shows. A member's test calls [Run] with a function that opens an empty
// store, and [RunShared] if two programs can have one store open.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// Run runs the whole suite. The function opens a new, empty store; the suite
// closes it.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	tests := []struct {
		name string
		run  func(*testing.T, store.Store)
	}{
		{"records/round trip of every field", roundTrip},
		{"records/odd texts and times", oddValues},
		{"records/stored value is a copy", isCopy},
		{"records/same id under two roots and two agents (E60)", sameID},
		{"records/newest first", newestFirst},
		{"records/chosen sessions", chosen},
		{"records/compare and set by the previous record", previous},
		{"records/compare and set by a claim", byClaim},
		{"records/what goes with a write", inOneStep},
		{"records/a model's texts stay while the tail does", modelStays},
		{"records/F20 a record stands without its transcript", standsAlone},
		{"claims/life of a claim", claimLife},
		{"claims/clock set back (H9)", clockBack},
		{"claims/one winner (H7)", func(t *testing.T, s store.Store) { oneWinner(t, s, s) }},
		{"claims/one write a fence", func(t *testing.T, s store.Store) { oneWrite(t, s, s) }},
		{"journal/newest first, fifty kept", journal},
		{"marks", marks},
		{"marks/rests of providers", func(t *testing.T, s store.Store) { rests(t, s, s) }},
		{"search", search},
		{"search/limit and order", searchLimit},
		{"search/follows the record", searchFollows},
		{"forget/session", forgetSession},
		{"forget/project", forgetProject},
		{"forget/before", forgetBefore},
		{"forget/all", forgetAll},
		{"forget/wrong use", forgetWrong},
		{"canceled context", canceled},
		{"concurrent use", concurrent},
		{"close", closeTwice},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() { _ = s.Close() })
			tt.run(t, s)
		})
	}
}

// RunShared tests two handles on one store. The function opens two handles on
// one new, empty store; the suite closes them.
func RunShared(t *testing.T, open2 func(t *testing.T) (a, b store.Store)) {
	t.Helper()
	tests := []struct {
		name string
		run  func(t *testing.T, a, b store.Store)
	}{
		{"one winner (H7)", oneWinner},
		{"one write a fence", oneWrite},
		{"what one writes the other reads", shared},
		{"rests of providers", rests},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := open2(t)
			t.Cleanup(func() { _, _ = a.Close(), b.Close() })
			tt.run(t, a, b)
		})
	}
}

// at is a fixed time, n seconds after the start of the tests' day.
func at(n int) time.Time {
	return time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC).Add(time.Duration(n) * time.Second)
}

func ref(id string) recap.SessionRef {
	return recap.SessionRef{Agent: recap.Claude, Root: "/home/dev/.claude", ID: id}
}

// full is a record with every field set.
func full(id string) recap.Record {
	cost := 0.0125
	return recap.Record{
		Session:      ref(id),
		Recap:        "Fixed the parser; tests passed.",
		Suggestion:   "Commit the parser.",
		Away:         "You asked to fix the parser. It is fixed and the tests passed.",
		Digest:       "Parser fixed in parse.go.",
		Request:      "fix the parser",
		ForMessageID: "msg_1",
		Fingerprint:  "fp-" + id,
		Stamp:        "stamp-1",
		GeneratedAt:  at(2),
		Language:     "en",
		Source:       recap.FromModel,
		FieldSources: map[recap.Field]recap.Origin{recap.FieldRecap: recap.FromModel, recap.FieldAway: recap.Extractive},
		Status:       []recap.Status{recap.StatusTestsPassed, recap.StatusUncommitted},
		WaitingFor:   "question: Which port?",
		TodosOpen:    2,
		TodosDone:    3,
		Model:        &recap.ModelRef{Provider: "anthropic", ID: "a/b"},
		Usage:        &recap.Usage{InputTokens: 1200, OutputTokens: 40, CachedTokens: 1000, CostUSD: &cost},
		Receipts: []recap.Receipt{
			{Field: recap.FieldRecap, Claim: "tests passed", Kind: recap.ReceiptTest, MessageID: "msg_1", Detail: "go test ./... exit 0"},
			{Claim: "uncommitted", Kind: recap.ReceiptEdit, Detail: "parse.go"},
		},
		Title:     "Parser",
		Directory: "/home/dev/parser/cmd",
		Project:   "/home/dev/parser",
		Branch:    "main",
		UpdatedAt: at(1),
	}
}

// small is a record with a text.
func small(id, text string, updated int) recap.Record {
	return recap.Record{
		Session: ref(id), Recap: text, Fingerprint: "fp-" + id,
		Project: "/home/dev/" + id, Directory: "/home/dev/" + id, UpdatedAt: at(updated),
	}
}

func put(t *testing.T, s store.Store, rs ...recap.Record) {
	t.Helper()
	for _, r := range rs {
		if err := s.Put(t.Context(), r, store.Condition{}); err != nil {
			t.Fatalf("Put(%v): %v", r.Session, err)
		}
	}
}

func roundTrip(t *testing.T, s store.Store) {
	want := full("s1")
	v := reflect.ValueOf(want)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("field %s of the test record is not set", v.Type().Field(i).Name)
		}
	}
	put(t, s, want)
	got, err := s.Record(t.Context(), want.Session)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	if _, err := s.Record(t.Context(), ref("other")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Record of an unknown session: %v, want ErrNotFound", err)
	}
}

func oddValues(t *testing.T, s store.Store) {
	records := map[string]recap.Record{
		"empty": {Session: ref("empty")},
		"zero cost": {
			Session: ref("zero cost"), Usage: &recap.Usage{CostUSD: new(float64)},
			Model: &recap.ModelRef{},
		},
		"unknown cost": {Session: ref("unknown cost"), Usage: &recap.Usage{}},
		"scripts": {
			Session: recap.SessionRef{Agent: "x", Root: `C:\Users\dev\%_'"`, ID: "../../etc/passwd"},
			Recap:   "修复解析器 👩‍👩‍👧 שלום नमस्ते", Directory: "/home/dev/a b/'; DROP TABLE record; --",
		},
		"markup": {Session: ref("markup"), Recap: `<b>&amp; "x" \u0041 </b>`, Request: "a\u2028b"},
		"bytes": {
			Session:   recap.SessionRef{Agent: "x", Root: "/home/dev/\xff\xfe", ID: "a\x00b\n"},
			Directory: "/home/dev/\xff", Project: "/home/dev/\xfe",
		},
		"early":      {Session: ref("early"), UpdatedAt: time.Unix(-1, 5)},
		"other zone": {Session: ref("other zone"), UpdatedAt: at(0).In(time.FixedZone("", 19800))},
		"epoch":      {Session: ref("epoch"), UpdatedAt: time.Unix(0, 0), GeneratedAt: time.Unix(0, 1)},
	}
	for name, want := range records {
		t.Run(name, func(t *testing.T) {
			put(t, s, want)
			got, err := s.Record(t.Context(), want.Session)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, want)
		})
	}
	// A time that no clock shows is no error; its order is kept.
	far := recap.Record{Session: ref("far"), UpdatedAt: time.Date(54321, 1, 1, 0, 0, 0, 0, time.UTC)}
	put(t, s, far)
	got, err := s.Records(t.Context(), []recap.SessionRef{ref("epoch"), ref("empty"), ref("far")})
	if err != nil {
		t.Fatal(err)
	}
	order(t, got, "far", "epoch", "empty")
}

func isCopy(t *testing.T, s store.Store) {
	r := full("s1")
	put(t, s, r)
	r.Status[0], r.Receipts[0].Claim, r.Model.ID = "changed", "changed", "changed"
	*r.Usage.CostUSD = 99
	r.FieldSources[recap.FieldRecap] = "changed"
	got, err := s.Record(t.Context(), r.Session)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, full("s1"))
	got.Status[0], got.Receipts[0].Claim, got.Model.ID = "changed", "changed", "changed"
	again, err := s.Record(t.Context(), r.Session)
	if err != nil {
		t.Fatal(err)
	}
	same(t, again, full("s1"))
}

func sameID(t *testing.T, s store.Store) {
	refs := []recap.SessionRef{
		{Agent: recap.Claude, Root: "/home/dev/.claude", ID: "s"},
		{Agent: recap.Claude, Root: "/home/dev/work/.claude", ID: "s"},
		{Agent: recap.Codex, Root: "/home/dev/.claude", ID: "s"},
	}
	for i, ref := range refs {
		put(t, s, recap.Record{Session: ref, Recap: fmt.Sprint("text ", i), Fingerprint: strconv.Itoa(i)})
		if err := s.Claim(t.Context(), store.Claim{Session: ref, Owner: strconv.Itoa(i)}, at(0), time.Hour); err != nil {
			t.Errorf("claim %d: %v", i, err)
		}
		if err := s.Decide(t.Context(), store.Decision{Session: ref, Action: strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Forget(t.Context(), store.Which{Session: &refs[1]}); err != nil {
		t.Fatal(err)
	}
	for i, ref := range refs {
		r, err := s.Record(t.Context(), ref)
		ds, derr := s.Decisions(t.Context(), ref, 9)
		if derr != nil {
			t.Fatal(derr)
		}
		if i == 1 {
			if !errors.Is(err, store.ErrNotFound) || len(ds) != 0 {
				t.Errorf("forgotten session: %v, %v", err, ds)
			}
			continue
		}
		if err != nil || r.Recap != fmt.Sprint("text ", i) || len(ds) != 1 || ds[0].Action != strconv.Itoa(i) {
			t.Errorf("session %d: %q, %v, %v", i, r.Recap, err, ds)
		}
	}
}

func newestFirst(t *testing.T, s store.Store) {
	put(t, s, small("b", "", 2), small("a", "", 1), small("d", "", 4), small("c", "", 3))
	all, err := s.Records(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	order(t, all, "d", "c", "b", "a")
	// Nanoseconds count; equal times are ordered by the ref.
	r := small("e", "", 4)
	r.UpdatedAt = r.UpdatedAt.Add(1)
	put(t, s, r, small("x", "", 1), small("0", "", 1))
	all, err = s.Records(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	order(t, all, "e", "d", "c", "b", "0", "a", "x")
}

func chosen(t *testing.T, s store.Store) {
	const n = 700
	refs := make([]recap.SessionRef, 0, 2*n)
	want := make([]string, n)
	for i := range n {
		id := fmt.Sprint("s", i)
		put(t, s, small(id, "", i))
		refs = append(refs, ref(id), ref("unknown"+id))
		want[n-1-i] = id
	}
	got, err := s.Records(t.Context(), append(refs, refs[0]))
	if err != nil {
		t.Fatal(err)
	}
	order(t, got, want...)
	for name, refs := range map[string][]recap.SessionRef{"none": {}, "unknown": {ref("nope")}} {
		if got, err := s.Records(t.Context(), refs); err != nil || len(got) != 0 {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
}

func previous(t *testing.T, s store.Store) {
	ctx := t.Context()
	none, first, wrong := "", "fp-1", "fp-x"
	r := small("s", "one", 1)
	r.Fingerprint = "fp-1"
	steps := []struct {
		name string
		cond store.Condition
		next string
		want error
	}{
		{"none stored, one expected", store.Condition{Previous: &first}, "fp-1", store.ErrStale},
		{"none stored, none expected", store.Condition{Previous: &none}, "fp-1", nil},
		{"one stored, none expected", store.Condition{Previous: &none}, "fp-2", store.ErrStale},
		{"one stored, another expected", store.Condition{Previous: &wrong}, "fp-2", store.ErrStale},
		{"one stored, it expected", store.Condition{Previous: &first}, "fp-2", nil},
		{"it is gone", store.Condition{Previous: &first}, "fp-3", store.ErrStale},
		{"no condition", store.Condition{}, "fp-4", nil},
	}
	stored := ""
	for _, st := range steps {
		r.Fingerprint, r.Recap = st.next, st.name
		if err := s.Put(ctx, r, st.cond); !errors.Is(err, st.want) {
			t.Fatalf("%s: %v, want %v", st.name, err, st.want)
		}
		if st.want == nil {
			stored = st.name
		}
		got, err := s.Record(ctx, r.Session)
		if stored == "" {
			if !errors.Is(err, store.ErrNotFound) {
				t.Fatalf("%s: written all the same: %v, %v", st.name, got, err)
			}
		} else if err != nil || got.Recap != stored {
			t.Fatalf("%s: stored %q, %v, want %q", st.name, got.Recap, err, stored)
		}
	}
}

// same compares two records; times by instant, nil and empty lists alike.
func same(t *testing.T, got, want recap.Record) {
	t.Helper()
	if !got.UpdatedAt.Equal(want.UpdatedAt) || got.UpdatedAt.IsZero() != want.UpdatedAt.IsZero() {
		t.Errorf("UpdatedAt = %v, want %v", got.UpdatedAt, want.UpdatedAt)
	}
	if !got.GeneratedAt.Equal(want.GeneratedAt) || got.GeneratedAt.IsZero() != want.GeneratedAt.IsZero() {
		t.Errorf("GeneratedAt = %v, want %v", got.GeneratedAt, want.GeneratedAt)
	}
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.NumField() {
		name := w.Type().Field(i).Name
		if name == "UpdatedAt" || name == "GeneratedAt" {
			continue
		}
		a, b := g.Field(i), w.Field(i)
		if k := b.Kind(); (k == reflect.Slice || k == reflect.Map) && a.Len() == 0 && b.Len() == 0 {
			continue
		}
		if !reflect.DeepEqual(a.Interface(), b.Interface()) {
			t.Errorf("%s = %#v, want %#v", name, a.Interface(), b.Interface())
		}
	}
}

// order checks the ids of records.
func order(t *testing.T, got []recap.Record, want ...string) {
	t.Helper()
	if ids := ids(got); !reflect.DeepEqual(ids, append([]string{}, want...)) {
		t.Errorf("order %q, want %q", ids, want)
	}
}

func ids(rs []recap.Record) []string {
	out := []string{}
	for _, r := range rs {
		out = append(out, r.Session.ID)
	}
	return out
}

func canceled(t *testing.T, s store.Store) {
	put(t, s, small("s", "text", 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := store.Claim{Session: ref("s"), Owner: "o"}
	session := ref("s")
	calls := map[string]func() error{
		"Record":    func() error { _, err := s.Record(ctx, ref("s")); return err },
		"Records":   func() error { _, err := s.Records(ctx, nil); return err },
		"Put":       func() error { return s.Put(ctx, small("s", "late", 2), store.Condition{}) },
		"Search":    func() error { _, err := s.Search(ctx, []string{"text"}, 1); return err },
		"Forget":    func() error { _, err := s.Forget(ctx, store.Which{Session: &session}); return err },
		"Claim":     func() error { return s.Claim(ctx, c, at(0), time.Hour) },
		"Renew":     func() error { return s.Renew(ctx, c, at(0), time.Hour) },
		"Release":   func() error { return s.Release(ctx, c) },
		"Decide":    func() error { return s.Decide(ctx, store.Decision{Session: ref("s")}) },
		"Decisions": func() error { _, err := s.Decisions(ctx, ref("s"), 1); return err },
		"Mark":      func() error { _, err := s.Mark(ctx, "m", ""); return err },
		"SetMark":   func() error { return s.SetMark(ctx, "m", "", "v") },
		"Marked":    func() error { _, err := s.Marked(ctx, "m"); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	// Nothing was done, and the store goes on.
	r, err := s.Record(t.Context(), ref("s"))
	if err != nil || r.Recap != "text" {
		t.Errorf("after the canceled calls: %q, %v", r.Recap, err)
	}
	if err := s.Claim(t.Context(), store.Claim{Session: ref("s"), Owner: "p"}, at(0), time.Hour); err != nil {
		t.Errorf("a canceled claim holds: %v", err)
	}
}

func closeTwice(t *testing.T, s store.Store) {
	put(t, s, small("s", "text", 1))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	if _, err := s.Record(t.Context(), ref("s")); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Record of a closed store: %v", err)
	}
	if err := s.Put(t.Context(), small("s", "", 1), store.Condition{}); recap.CodeOf(err) != recap.CodeStore {
		t.Errorf("Put into a closed store: %v", err)
	}
}

// modelStays: a free recap that was made beside a model's does not take its
// place while the session stands where it stood.
func modelStays(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := full("model")
	r.Source = recap.FromModel
	must(t, s.Put(ctx, r, store.Condition{}))
	free := r
	free.Source, free.Recap = recap.Extractive, "the person's words"
	for name, cond := range map[string]store.Condition{"no condition": {}, "its fingerprint": {Previous: &r.Fingerprint}} {
		if err := s.Put(ctx, free, cond); !errors.Is(err, store.ErrStale) {
			t.Errorf("%s: %v, want ErrStale", name, err)
		}
	}
	if got, err := s.Record(ctx, r.Session); err != nil || got.Recap != r.Recap {
		t.Errorf("%v: %q took the place of the model's recap", err, got.Recap)
	}
	better := r
	better.Recap = "another text of a model"
	must(t, s.Put(ctx, better, store.Condition{}))
	free.Fingerprint = "a newer tail"
	must(t, s.Put(ctx, free, store.Condition{}))
	if got, err := s.Record(ctx, r.Session); err != nil || got.Recap != free.Recap {
		t.Errorf("%v: %q, want the free recap of the newer tail", err, got.Recap)
	}
}
