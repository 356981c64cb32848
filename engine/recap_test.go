package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

func TestRecapIsMadeOnceAndReused(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)

	first := w.Recap(t.Context(), s)
	if first.Err != nil || !first.Fresh || first.Stored || first.Record == nil {
		t.Fatalf("first: %+v", first)
	}
	if !strings.Contains(first.Record.Recap, "login page") {
		t.Errorf("recap %q", first.Record.Recap)
	}
	if n := src.read(); n != 1 {
		t.Errorf("%d pages read, want 1", n)
	}
	second := w.Recap(t.Context(), s)
	if !second.Stored || !second.Fresh || second.Record.Recap != first.Record.Recap {
		t.Errorf("second: %+v", second)
	}
	if n := src.read(); n != 0 {
		t.Errorf("%d pages read again", n)
	}
}

func TestListReadsNothingTwice(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	for _, id := range []string{"a1", "b2", "c3"} {
		src.add(id, "/home/dev/src/shop", time.Hour)
	}
	src.add("empty", "/home/dev/src/shop", 2*time.Hour, recap.Message{ID: "s", Role: recap.RoleService})
	w := newWorld(t, nil, src)

	rows := w.list(t, engine.Query{})
	if len(rows) != 4 || src.read() != 4 {
		t.Fatalf("first listing: %v", ids(rows))
	}
	again := w.list(t, engine.Query{})
	if n := src.read(); n != 0 {
		t.Errorf("second listing read %d pages", n)
	}
	for i, r := range again {
		if !r.Stored {
			t.Errorf("%s: not from the store", r.Session.Ref.ID)
		}
		if r.Session.Ref.ID == "empty" {
			wantCode(t, r.Err, recap.CodeNothing)
			if r.Record != nil {
				t.Error("a session without a request has a record")
			}
		} else if r.Record.Recap != rows[i].Record.Recap || r.Err != nil {
			t.Errorf("%s: %+v", r.Session.Ref.ID, r)
		}
	}
}

// A session whose request stands in a row that can't be read was asked
// something: that nothing was is said only where nothing stands in it.
func TestNothingWasAskedIsSaidOnlyWhereItIsTrue(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("empty", "/home/dev/src/shop", time.Hour, recap.Message{ID: "s", Role: recap.RoleService})
	src.add("damaged", "/home/dev/src/shop", time.Hour, recap.Message{
		ID: "a", Role: recap.RoleAssistant, Created: noon.Add(-time.Hour), Completed: noon.Add(-time.Hour), Finish: recap.FinishStop,
		Parts: []recap.Part{{Kind: recap.PartText, Text: "It is done."}},
	})
	w := newWorld(t, nil, src)
	for range 2 { // read, then from the store
		for _, r := range w.list(t, engine.Query{}) {
			wantCode(t, r.Err, recap.CodeNothing)
			if asked := strings.Contains(r.Err.Error(), "nothing was asked"); asked != (r.Session.Ref.ID == "empty") {
				t.Errorf("%s: %v", r.Session.Ref.ID, r.Err)
			}
		}
	}
}

func TestRecapIsMadeAnewWhen(t *testing.T) {
	tests := []struct {
		name   string
		change func(*recap.Session)
	}{
		{"the transcript changed", func(s *recap.Session) { s.Stamp = "2" }},
		{"the state changed", func(s *recap.Session) { s.State = recap.StateBusy }},
		{"the source gives no stamp", func(s *recap.Session) { s.Stamp = "" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := newSource(recap.Claude, "/homes/claude")
			src.add("aaa", "/home/dev/src/shop", time.Hour)
			w := newWorld(t, nil, src)
			w.list(t, engine.Query{})
			src.read()
			src.change("aaa", tt.change)
			src.records["aaa"] = talk("aaa", "Now paint the logo blue", "The logo is blue.")
			rows := w.list(t, engine.Query{})
			if src.read() != 1 || !strings.Contains(rows[0].Record.Recap, "logo") || !rows[0].Fresh {
				t.Errorf("%+v", rows[0].Record)
			}
			stored, err := w.store.Record(t.Context(), rows[0].Session.Ref)
			if err != nil || !strings.Contains(stored.Recap, "logo") {
				t.Errorf("stored %q, %v", stored.Recap, err)
			}
		})
	}
}

// A model's texts stay while the words of the session stay, whatever else of
// its file moved; what is proven is always new.
func TestModelRecordIsKeptForTheSameTail(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	r := *w.Recap(t.Context(), s).Record
	cost := 0.01
	r.Recap, r.Source, r.Model = "A model says so", recap.FromModel, &recap.ModelRef{Provider: "p", ID: "m"}
	r.FieldSources = map[recap.Field]recap.Origin{recap.FieldRecap: recap.FromModel, recap.FieldAway: recap.Extractive}
	r.Receipts = []recap.Receipt{{Field: recap.FieldRecap, Claim: "so", Kind: recap.ReceiptAnswer}}
	r.Usage = &recap.Usage{InputTokens: 5, CostUSD: &cost}
	r.Suggestion = "Go on"
	if err := w.store.Put(t.Context(), r, store.Condition{}); err != nil {
		t.Fatal(err)
	}
	src.change("aaa", func(s *recap.Session) { s.Stamp, s.State = "2", recap.StateInterrupted })

	got := w.Recap(t.Context(), src.sessions["aaa"])
	if got.Record.Recap != "A model says so" || got.Record.Source != recap.FromModel || got.Record.Usage == nil || !got.Fresh {
		t.Errorf("%+v", got.Record)
	}
	if strings.Contains(got.Record.Away, "A model") || got.Record.Away == "" {
		t.Errorf("away %q", got.Record.Away)
	}
	if !slices.Contains(got.Record.Receipts, r.Receipts[0]) || slices.ContainsFunc(got.Record.Receipts, func(x recap.Receipt) bool {
		return x.Field == recap.FieldRecap && x != r.Receipts[0]
	}) {
		t.Errorf("receipts %+v", got.Record.Receipts)
	}
	if again := w.Recap(t.Context(), src.sessions["aaa"]); !again.Stored {
		t.Error("the new stamp was not stored")
	}

	src.records["aaa"] = talk("aaa", "Now paint the logo blue", "The logo is blue.")
	src.change("aaa", func(s *recap.Session) { s.Stamp = "3" })
	if got := w.Recap(t.Context(), src.sessions["aaa"]); got.Record.Source != recap.Extractive || got.Record.Suggestion != "" {
		t.Errorf("another tail kept %+v", got.Record)
	}
}

// Two programs make a record of the same session: the one that read first
// must not put its older text over the newer one.
func TestCompareAndSet(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	newer := recap.Record{Session: s.Ref, Recap: "newer", Fingerprint: "newer", Stamp: "9"}
	src.onPage = func(string) {
		if err := w.store.Put(t.Context(), newer, store.Condition{}); err != nil {
			t.Error(err)
		}
	}
	got := w.Recap(t.Context(), s)
	if got.Err != nil || !strings.Contains(got.Record.Recap, "login") {
		t.Errorf("%+v", got)
	}
	if stored, err := w.store.Record(t.Context(), s.Ref); err != nil || stored.Recap != "newer" {
		t.Errorf("stored %q, %v", stored.Recap, err)
	}
}

func TestMute(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("aaa", "/home/dev/src/shop", time.Hour)
	src.add("bbb", "/home/dev/src/shop", 2*time.Hour)
	src.add("ccc", "/home/dev/src/blog", 3*time.Hour)
	w := newWorld(t, nil, src)
	a := w.find(t, "aaa")
	if err := w.Mute(t.Context(), &a.Ref, "", true); err != nil {
		t.Fatal(err)
	}
	if err := w.Mute(t.Context(), nil, "/home/dev/src/blog", true); err != nil {
		t.Fatal(err)
	}
	rows := w.list(t, engine.Query{})
	if src.read() != 1 {
		t.Error("a muted session was read")
	}
	for _, r := range rows {
		switch r.Session.Ref.ID {
		case "bbb":
			if r.Record == nil {
				t.Error("bbb has no record")
			}
		case "aaa":
			wantCode(t, r.Err, recap.CodeMuted)
			if !strings.Contains(recap.HintOf(r.Err), "claude:aaa") {
				t.Errorf("hint %q", recap.HintOf(r.Err))
			}
		case "ccc":
			wantCode(t, r.Err, recap.CodeMuted)
			if !strings.Contains(recap.HintOf(r.Err), "--project") {
				t.Errorf("hint %q", recap.HintOf(r.Err))
			}
		}
		if r.Session.Ref.ID != "bbb" && r.Record != nil {
			t.Errorf("%s has a record", r.Session.Ref.ID)
		}
	}
	away, err := w.Away(t.Context(), true, 0)
	if err != nil || !slices.Equal(ids(away.Rows), []string{"bbb"}) {
		t.Errorf("away %v, %v", ids(away.Rows), err)
	}
	found, err := w.Search(t.Context(), []string{"login"}, 0)
	if err != nil || !slices.Equal(ids(found.Rows), []string{"bbb"}) {
		t.Errorf("search %v, %v", ids(found.Rows), err)
	}
	if err := w.Mute(t.Context(), &a.Ref, "", false); err != nil {
		t.Fatal(err)
	}
	if r := w.Recap(t.Context(), a); r.Record == nil {
		t.Errorf("the mute was not lifted: %v", r.Err)
	}
}

// A stored record of a session that was muted later is not shown either.
func TestMutedRecordIsNotShown(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	w.Recap(t.Context(), s)
	if err := w.Mute(t.Context(), &s.Ref, "", true); err != nil {
		t.Fatal(err)
	}
	if r := w.Recap(t.Context(), s); r.Record != nil {
		t.Errorf("shown: %+v", r.Record)
	}
	if _, err := w.NewestStored(t.Context(), "/home/dev/src/shop"); err == nil {
		t.Error("the prompt line shows a muted session")
	}
}

func TestExclude(t *testing.T) {
	tests := []struct {
		name   string
		change func(*engine.Options)
	}{
		{"privacy.exclude", func(o *engine.Options) { o.Exclude = []string{"/home/dev/secret"} }},
		{"the project's own file", func(o *engine.Options) {
			o.Excluded = func(project, _ string) bool { return strings.HasPrefix(project, "/home/dev/secret") }
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := newSource(recap.Claude, "/homes/claude")
			hidden := src.add("hidden", "/home/dev/secret/app", time.Hour)
			src.add("open", "/home/dev/secrets", 2*time.Hour)
			w := newWorld(t, tt.change, src)
			if tt.name != "privacy.exclude" {
				src.change("open", func(s *recap.Session) { s.Directory = "/home/dev/open" })
			}
			if rows := w.list(t, engine.Query{Archived: true}); !slices.Equal(ids(rows), []string{"open"}) {
				t.Errorf("listed %v", ids(rows))
			}
			if n := src.read(); n != 1 {
				t.Errorf("%d pages, want those of the other session", n)
			}
			_, err := w.Find(t.Context(), "hidden")
			wantCode(t, err, recap.CodeSessionNotFound)
			wantCode(t, w.Recap(t.Context(), hidden).Err, recap.CodeExcluded)
			_, _, err = w.Turns(t.Context(), hidden)
			wantCode(t, err, recap.CodeExcluded)
			if src.read() != 0 {
				t.Error("it was read")
			}
			if recs, err := w.store.Records(t.Context(), []recap.SessionRef{hidden.Ref}); err != nil || len(recs) != 0 {
				t.Errorf("stored: %v, %v", recs, err)
			}
			if ds, err := w.store.Decisions(t.Context(), hidden.Ref, 9); err != nil || len(ds) != 0 {
				t.Errorf("journal: %v, %v", ds, err)
			}
			// What was kept before the exclusion is not found or shown.
			old := recap.Record{Session: hidden.Ref, Recap: "old words", Directory: hidden.Directory, Project: hidden.Directory, Fingerprint: "x"}
			if err := w.store.Put(t.Context(), old, store.Condition{}); err != nil {
				t.Fatal(err)
			}
			if found, err := w.Search(t.Context(), []string{"old"}, 0); err != nil || len(found.Rows) != 0 || found.Total != 0 {
				t.Errorf("search found %v, %v", ids(found.Rows), err)
			}
			if _, err := w.NewestStored(t.Context(), hidden.Directory); err == nil {
				t.Error("the prompt line shows it")
			}
		})
	}
}

// A text that can't be searched for secrets is not shown and not stored.
func TestRedactionFailureShowsNothing(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	huge := strings.Repeat("x ", redact.MaxBytes/2+1)
	src.change("aaa", func(x *recap.Session) { x.Title, x.Branch = huge, "main" })
	w := newWorld(t, nil, src)
	rows := w.list(t, engine.Query{})
	if rows[0].Session.Title != "" || rows[0].Session.Branch != "main" || rows[0].Record == nil {
		t.Errorf("a title hides its session: %q %+v", rows[0].Session.Title[:min(20, len(rows[0].Session.Title))], rows[0].Record)
	}
	s = src.sessions["aaa"]
	s.Title = ""

	m := talk("aaa", "Fix it", "Done.")
	m[1].Parts = append(m[1].Parts, recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{
		Kind: recap.ToolCommand, Status: recap.ToolDone, Command: huge, At: noon,
	}})
	src.records["aaa"] = m
	s.Stamp = "2"
	_ = w.store.Close()
	w = newWorld(t, nil, src)
	got := w.Recap(t.Context(), s)
	wantCode(t, got.Err, recap.CodeRedaction)
	if got.Record != nil {
		t.Error("there is a record")
	}
	_, _, err := w.Turns(t.Context(), s)
	wantCode(t, err, recap.CodeRedaction)
	if _, err := w.store.Record(t.Context(), s.Ref); err == nil {
		t.Error("a record was stored")
	}
	if _, ds, err := w.Why(t.Context(), s); err != nil || len(ds) == 0 || ds[0].Code != recap.CodeRedaction {
		t.Errorf("why: %+v, %v", ds, err)
	}
}

func TestReadingFails(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	w.Recap(t.Context(), s)
	src.reading["aaa"] = errDisk
	s.Stamp = "2"
	got := w.Recap(t.Context(), s)
	wantCode(t, got.Err, recap.CodeUnreadable)
	if got.Record == nil || got.Fresh {
		t.Errorf("the stored record should be shown as it was: %+v", got)
	}
	stored, err := w.store.Record(t.Context(), s.Ref)
	if err != nil || stored.Stamp != got.Record.Stamp {
		t.Errorf("the stored record changed: %v", err)
	}
}

func TestF20_TranscriptDeletedByTheAgent(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("aaa111", "/home/dev/src/shop", time.Hour)
	src.add("aaa222", "/home/dev/src/shop", 2*time.Hour)
	src.add("bbb", "/home/dev/src/shop", 2*time.Hour)
	w := newWorld(t, nil, src)
	w.list(t, engine.Query{})
	src.remove("aaa111")
	src.remove("aaa222")

	s := w.find(t, "claude:aaa111")
	got := w.Recap(t.Context(), s)
	if got.Record == nil || !strings.Contains(got.Record.Recap, "aaa111") || got.Fresh || !got.Gone {
		t.Fatalf("%+v", got)
	}
	wantCode(t, got.Err, recap.CodeSessionNotFound)
	if !strings.Contains(got.Err.Error(), "gone") {
		t.Errorf("message %q", got.Err)
	}
	found, err := w.Search(t.Context(), []string{"aaa111"}, 0)
	if err != nil || len(found.Rows) != 1 || found.Rows[0].Fresh {
		t.Errorf("search: %+v, %v", found, err)
	}
	_, err = w.Find(t.Context(), "aaa")
	wantCode(t, err, recap.CodeAmbiguousSession)
	_, _, err = w.Resume(s)
	wantCode(t, err, recap.CodeSessionNotFound)

	rows := w.list(t, engine.Query{Archived: true})
	if got := ids(rows); !slices.Equal(got, []string{"aaa111", "bbb", "aaa222"}) || !rows[0].Gone || rows[0].Record == nil || rows[0].Fresh || rows[1].Gone {
		t.Errorf("list: %v %+v", got, rows[0])
	}
	if got := ids(w.list(t, engine.Query{})); !slices.Equal(got, []string{"bbb"}) {
		t.Errorf("short list: %v", got)
	}
	for _, q := range []engine.Query{{Agent: recap.Codex}, {Project: "/home/dev/src/blog"}, {Since: noon}, {State: recap.StateBusy}} {
		q.Archived = true
		if got := ids(w.list(t, q)); len(got) != 0 {
			t.Errorf("%+v: %v", q, got)
		}
	}
	// A home that fails does not make its sessions gone.
	src.listing = errDisk
	if got := ids(w.list(t, engine.Query{Archived: true})); !slices.Equal(got, []string{"bbb"}) {
		t.Errorf("failing home: %v", got)
	}
	src.listing = nil

	// The whole agent is gone.
	alone := newWorld(t, func(o *engine.Options) { o.Store = w.store })
	if got := alone.Recap(t.Context(), alone.find(t, "aaa111")); got.Record == nil || !got.Gone {
		t.Errorf("%+v", got)
	}
	if n, err := w.Forget(t.Context(), store.Which{Session: &s.Ref}); err != nil || n != 1 {
		t.Errorf("forget: %d, %v", n, err)
	}
	_, err = w.Find(t.Context(), "aaa111")
	wantCode(t, err, recap.CodeSessionNotFound)
}

func TestE60_SameIDUnderTwoRootsIsTwoSessions(t *testing.T) {
	one, two := newSource(recap.Claude, "/homes/one"), newSource(recap.Claude, "/homes/two")
	two.home.Name = "work"
	one.add("same", "/home/dev/src/shop", time.Hour, talk("m", "Paint it red", "It is red.")...)
	two.add("same", "/home/dev/src/shop", 2*time.Hour, talk("m", "Paint it green", "It is green.")...)
	w := newWorld(t, nil, one, two)
	rows := w.list(t, engine.Query{})
	if len(rows) != 2 || !strings.Contains(rows[0].Record.Recap, "red") || !strings.Contains(rows[1].Record.Recap, "green") {
		t.Fatalf("%+v", rows)
	}
	if again := w.list(t, engine.Query{}); !strings.Contains(again[1].Record.Recap, "green") || !again[1].Stored {
		t.Errorf("%+v", again[1].Record)
	}
	_, err := w.Find(t.Context(), "same")
	wantCode(t, err, recap.CodeAmbiguousSession)
	_, err = w.Find(t.Context(), "claude:same")
	wantCode(t, err, recap.CodeAmbiguousSession)
	if s := w.find(t, "claude@work:same"); s.Ref.Root != "/homes/two" {
		t.Errorf("found %+v", s.Ref)
	}
	if s := w.find(t, "claude@claude:same"); s.Ref.Root != "/homes/one" {
		t.Errorf("found %+v", s.Ref)
	}
	if err := w.Mute(t.Context(), &recap.SessionRef{Agent: recap.Claude, Root: "/homes/two", ID: "same"}, "", true); err != nil {
		t.Fatal(err)
	}
	if r := w.list(t, engine.Query{}); r[0].Record == nil || r[1].Record != nil {
		t.Error("the mute of one is the mute of both")
	}
}

func TestCancelled(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err := w.List(ctx, engine.Query{}, 0)
	wantCode(t, err, recap.CodeCanceled)
	_, err = w.Away(ctx, false, 0)
	wantCode(t, err, recap.CodeCanceled)
	_, err = w.Search(ctx, []string{"x"}, 0)
	wantCode(t, err, recap.CodeCanceled)
	_, err = w.Find(ctx, "aaa")
	wantCode(t, err, recap.CodeCanceled)
	_, _, err = w.Newest(ctx, "/home/dev/src/shop")
	wantCode(t, err, recap.CodeCanceled)
	wantCode(t, w.Recap(ctx, s).Err, recap.CodeCanceled)
	if ds, err := w.store.Decisions(t.Context(), s.Ref, 9); err != nil || len(ds) != 0 {
		t.Errorf("journal: %v, %v", ds, err)
	}
	if _, err := w.store.Mark(t.Context(), store.MarkLooked, ""); err == nil {
		t.Error("a look that was cut off counts as one")
	}
	w.list(t, engine.Query{})
	_, err = w.Forget(ctx, store.Which{All: true})
	wantCode(t, err, recap.CodeCanceled)
}

// A cancel in the middle of many recaps stops them.
func TestCancelledInTheMiddle(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	for i := range 50 {
		src.add(string(rune('A'+i))+"-id", "/home/dev/src/shop", time.Hour)
	}
	w := newWorld(t, nil, src)
	ctx, cancel := context.WithCancel(t.Context())
	src.onPage = func(string) { cancel() }
	_, _, _, err := w.List(ctx, engine.Query{}, 0)
	wantCode(t, err, recap.CodeCanceled)
	if n := src.read(); n > 4 {
		t.Errorf("%d pages were read after it", n)
	}
}

func TestJournal(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	decisions := func() []store.Decision {
		t.Helper()
		_, ds, err := w.Why(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	w.list(t, engine.Query{})
	w.list(t, engine.Query{})
	w.Recap(t.Context(), s)
	ds := decisions()
	if len(ds) != 1 || ds[0].Action != "made-free" || !ds[0].At.Equal(noon) || ds[0].Code != "" {
		t.Fatalf("%+v", ds)
	}
	want := map[string]store.Gate{
		"state":         {Name: "state", Value: "idle", Pass: true},
		"transcript":    {Name: "transcript", Value: "readable", Pass: true},
		"newest record": {Name: "newest record", Value: "complete", Pass: true},
	}
	for name, g := range want {
		if !slices.Contains(ds[0].Gates, g) {
			t.Errorf("gate %s: %+v", name, ds[0].Gates)
		}
	}
	src.reading["aaa"] = errDisk
	s.Stamp = "2"
	w.Recap(t.Context(), s)
	if err := w.Mute(t.Context(), &s.Ref, "", true); err != nil {
		t.Fatal(err)
	}
	w.Recap(t.Context(), s)
	w.list(t, engine.Query{}) // a list is no request for one session
	ds = decisions()
	if len(ds) != 3 || ds[0].Code != recap.CodeMuted || ds[1].Code != recap.CodeUnreadable || ds[0].Action != "refused" {
		t.Errorf("%+v", ds)
	}
	for _, d := range ds {
		for _, g := range d.Gates {
			if strings.Contains(g.Value, "login") {
				t.Errorf("a gate holds text of the session: %+v", g)
			}
		}
	}
}

// A store that can't be written hides nothing.
func TestStoreFails(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	s := src.add("aaa", "/home/dev/src/shop", time.Hour)
	closed := memory.New()
	_ = closed.Close()
	w := newWorld(t, func(o *engine.Options) { o.Store = closed }, src)
	if r := w.Recap(t.Context(), s); r.Record == nil || r.Err != nil {
		t.Errorf("recap: %+v", r)
	}
	if rows := w.list(t, engine.Query{}); rows[0].Record == nil {
		t.Error("list: no record")
	}
	if a, err := w.Away(t.Context(), false, 0); err != nil || len(a.Rows) != 1 {
		t.Errorf("away: %v", err)
	}
	_, err := w.Search(t.Context(), []string{"login"}, 0)
	wantCode(t, err, recap.CodeStore)
	_, _, err = w.Why(t.Context(), s)
	wantCode(t, err, recap.CodeStore)
	_, err = w.Forget(t.Context(), store.Which{All: true})
	wantCode(t, err, recap.CodeStore)
}
