package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/internal/cli"
	"github.com/sessionrecap/recap/internal/demo"
)

// desk is a person's machine: a home, the time, the environment.
type desk struct {
	home string
	now  time.Time
	env  map[string]string
}

// newDesk has no agent at all.
func newDesk(t *testing.T) *desk {
	t.Helper()
	home := t.TempDir()
	d := &desk{home: home, now: demo.Now(), env: map[string]string{
		"RECAP_CONFIG":    filepath.Join(home, "recap.toml"),
		"XDG_CONFIG_HOME": filepath.Join(home, "config"),
		"XDG_DATA_HOME":   filepath.Join(home, "data"),
		"XDG_STATE_HOME":  filepath.Join(home, "state"),
		"XDG_CACHE_HOME":  filepath.Join(home, "cache"),
		"LANG":            "C.UTF-8",
	}}
	for agent, dir := range demo.Homes(filepath.Join(home, "agents")) {
		d.env["RECAP_SOURCES_"+strings.ToUpper(string(agent))] = dir
	}
	if err := os.WriteFile(d.env["RECAP_CONFIG"], nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// samples is a desk with the sample sessions.
func samples(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	if err := demo.Install(filepath.Join(d.home, "agents")); err != nil {
		t.Fatal(err)
	}
	return d
}

type answer struct {
	code     int
	out, err string
}

func (d *desk) run(t *testing.T, args ...string) answer {
	t.Helper()
	return d.runContext(t.Context(), t, args...)
}

func (d *desk) runContext(ctx context.Context, t *testing.T, args ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Run(ctx, args, cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs,
		Env: func(name string) string { return d.env[name] },
		Now: func() time.Time { return d.now },
	})
	return answer{code, out.String(), errs.String()}
}

// ok runs a command that must succeed and gives its output.
func (d *desk) ok(t *testing.T, args ...string) string {
	t.Helper()
	a := d.run(t, args...)
	if a.code != 0 {
		t.Fatalf("recap %v: exit code %d\n%s%s", args, a.code, a.out, a.err)
	}
	return a.out
}

// decode reads one JSON object that holds exactly the fields of its type.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if dec.More() {
		t.Fatalf("more than one object: %s", text)
	}
	return v
}

// keys are the names of an object's fields, in the form the shapes of the
// product have.
func keys(t *testing.T, v any, path ...string) []string {
	t.Helper()
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		default:
			t.Fatalf("no object at %s", p)
		}
		if list, ok := v.([]any); ok {
			if len(list) == 0 {
				t.Fatalf("empty list at %s", p)
			}
			v = list[0]
		}
	}
	m, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("no object at %v", path)
	}
	out := make([]string, 0, len(m))
	for k := range maps.Keys(m) {
		out = append(out, k)
	}
	return out
}

// holds fails unless all wanted names are there: more may come, these stay.
func holds(t *testing.T, got []string, want string) {
	t.Helper()
	have := map[string]bool{}
	for _, k := range got {
		have[k] = true
	}
	for k := range strings.SplitSeq(want, ",") {
		if !have[k] {
			t.Errorf("no field %q among %v", k, got)
		}
	}
}

const (
	fieldsS = "agent,home,id,title,directory,project,branch,parentId,createdAt,updatedAt,state,waitingFor,archived"
	fieldsR = "recap,suggestion,away,digest,forMessageId,fingerprint,generatedAt,language,source,fieldSources,status,model,usage,receipts"
)

func object(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// The shapes others build on.
func TestJSONShapes(t *testing.T) {
	t.Parallel()
	d := samples(t)
	t.Run("recap", func(t *testing.T) {
		text := d.ok(t, "cc52", "--json")
		r := decode[api.Result](t, text)
		if r.Session.ID != "cc52fe65-6938-454c-aa13-3fd86983d8a9" || r.Record == nil || !r.Fresh || r.Reason == nil || r.Reason.Code != "no-permitted-model" {
			t.Errorf("%+v", r)
		}
		v := object(t, text)
		holds(t, keys(t, v), "session,record,reason,fresh")
		holds(t, keys(t, v, "session"), fieldsS)
		holds(t, keys(t, v, "record"), fieldsR)
		holds(t, keys(t, v, "record", "receipts"), "field,claim,kind,messageId,detail")
		holds(t, keys(t, v, "reason"), "code,message")
		holds(t, keys(t, v, "record", "fieldSources"), "recap,away")
	})
	t.Run("list", func(t *testing.T) {
		lines := strings.Split(strings.TrimSuffix(d.ok(t, "list", "--json"), "\n"), "\n")
		if len(lines) != 19 {
			t.Fatalf("%d lines", len(lines))
		}
		var last time.Time
		for _, line := range lines {
			r := decode[api.Row](t, line)
			holds(t, keys(t, object(t, line)), "session,record,fresh")
			if r.Record == nil || !r.Fresh || r.Session.UpdatedAt == nil || !last.IsZero() && r.Session.UpdatedAt.After(last) {
				t.Errorf("%s", line)
			}
			if !strings.Contains("busy|waiting|idle|interrupted|failed|unknown", r.Session.State) {
				t.Errorf("state %q", r.Session.State)
			}
			last = *r.Session.UpdatedAt
		}
	})
	t.Run("away", func(t *testing.T) {
		a := decode[api.Away](t, d.ok(t, "away", "--peek", "--json", "--limit", "3"))
		if a.Since != nil || len(a.Sessions) != 3 || a.More != 16 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("search", func(t *testing.T) {
		r := decode[api.Row](t, d.ok(t, "search", "login", "--json"))
		if r.Record == nil || r.Session.ID == "" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("show", func(t *testing.T) {
		r := decode[api.Result](t, d.ok(t, "show", "cc52", "--json"))
		if len(r.Record.Receipts) == 0 {
			t.Error("no receipts")
		}
	})
	t.Run("show --turns", func(t *testing.T) {
		text := d.ok(t, "show", "cc52", "--turns", "--json")
		r := decode[api.Turns](t, text)
		if r.Last == "" || len(r.Turns) != 2 || r.Turns[0].Answer == nil || !r.Turns[0].Complete || r.Turns[0].User.ID == "" {
			t.Errorf("%+v", r)
		}
		v := object(t, text)
		holds(t, keys(t, v, "turns"), "user,answer,complete")
		holds(t, keys(t, v, "turns", "user"), "id,text,authored")
		holds(t, keys(t, v, "turns", "answer"), "id,text")
	})
	t.Run("show --turns, no answer", func(t *testing.T) {
		r := decode[api.Turns](t, d.ok(t, "show", "7651963b", "--turns", "--json"))
		if newest := r.Turns[len(r.Turns)-1]; newest.Complete {
			t.Errorf("%+v", newest)
		}
	})
	t.Run("why", func(t *testing.T) {
		r := decode[api.Why](t, d.ok(t, "why", "cc52", "--json"))
		if len(r.Gates) < 8 || len(r.Decisions) != 1 || r.Decisions[0].Action != "made-free" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("doctor", func(t *testing.T) {
		v := object(t, d.ok(t, "doctor", "--json"))
		holds(t, keys(t, v), "agents,models,settings,problems")
		holds(t, keys(t, v, "agents"), "agent,found,home,sessions,origin,problem")
		holds(t, keys(t, v, "settings"), "key,value,origin")
	})
	t.Run("error", func(t *testing.T) {
		a := d.run(t, "nosuch", "--json")
		e := decode[api.ErrorBody](t, a.out)
		if a.code != 1 || e.Error.Code != "session_not_found" || e.Error.Hint == "" || a.err != "" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("ambiguous", func(t *testing.T) {
		a := d.run(t, "01a22a4b", "--json")
		e := decode[api.ErrorBody](t, a.out)
		if a.code != 2 || e.Error.Code != "ambiguous_session" || len(e.Error.Candidates) != 2 {
			t.Errorf("%+v", a)
		}
		for _, c := range e.Error.Candidates { // each names one session
			d.ok(t, "show", c)
		}
	})
}

// What is in every sample is what stories.json says of it.
func TestSamplesAreTold(t *testing.T) {
	t.Parallel()
	d := samples(t)
	b, err := demo.File("stories.json")
	if err != nil {
		t.Fatal(err)
	}
	var stories []struct {
		Agent, ID, Directory string
		Expect               struct {
			State  string
			AtRest []string
		}
	}
	if err := json.Unmarshal(b, &stories); err != nil {
		t.Fatal(err)
	}
	if len(stories) < 15 {
		t.Fatalf("%d stories", len(stories))
	}
	for _, s := range stories {
		t.Run(s.Agent+"/"+s.ID, func(t *testing.T) {
			r := decode[api.Result](t, d.ok(t, s.Agent+":"+s.ID, "--json"))
			if r.Session.Directory != s.Directory || r.Record.Recap == "" || r.Record.Away == "" {
				t.Errorf("%+v %+v", r.Session, r.Record)
			}
			if n := len(strings.Fields(r.Record.Recap)); n > 24 {
				t.Errorf("%d words: %s", n, r.Record.Recap)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	d := samples(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := d.runContext(ctx, t, "list", "--json")
	e := decode[api.ErrorBody](t, a.out)
	if a.code != 1 || e.Error.Code != "canceled" {
		t.Errorf("%+v", a)
	}
}

// The second listing opens no transcript, whatever ran in between: they can't
// be read then, and what was remembered of deleted files goes.
func TestSecondListingReadsNothing(t *testing.T) {
	t.Parallel()
	d := samples(t)
	first := d.ok(t, "list")
	sizes := func() map[string]int64 {
		out := map[string]int64{}
		files, err := filepath.Glob(filepath.Join(d.home, "cache", "recap", "index", "*.idx"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			fi, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			out[f] = fi.Size()
		}
		return out
	}
	before := sizes()
	if len(before) != 5 {
		t.Fatalf("%d index files", len(before))
	}
	d.ok(t, "show", "cc52")
	d.ok(t, "away", "--peek")
	if after := sizes(); !maps.Equal(before, after) {
		t.Errorf("the indexes changed: %v, %v", before, after)
	}
	if again := d.ok(t, "list"); again != first {
		t.Errorf("%s\n%s", first, again)
	}
	if err := os.RemoveAll(filepath.Join(d.home, "agents", "claude", "projects", "-home-dev-src-shop-login")); err != nil {
		t.Fatal(err)
	}
	d.ok(t, "show", "f6fa")
	if after := sizes(); maps.Equal(before, after) {
		t.Error("what was remembered of a deleted transcript stays")
	}
	if out := d.ok(t, "list", "--all"); !strings.Contains(out, "\tshop-login\tgone\t") || strings.Count(out, "\n") != 19 {
		t.Errorf("%s", out)
	}
	if out := d.ok(t, "list"); strings.Contains(out, "shop-login") {
		t.Errorf("%s", out)
	}
}

func TestE60_TwoHomesOfOneAgent(t *testing.T) {
	t.Parallel()
	d := samples(t)
	work := filepath.Join(d.home, "work")
	if err := demo.Install(work); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.env["RECAP_CONFIG"], []byte("[sources.work]\nagent = \"claude\"\nhome = \""+filepath.Join(work, "claude")+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := d.run(t, "cc52")
	if a.code != 2 || !strings.Contains(a.err, "  claude:cc52fe65") || !strings.Contains(a.err, "  claude@work:cc52fe65") {
		t.Errorf("%+v", a)
	}
	r := decode[api.Result](t, d.ok(t, "claude@work:cc52", "--json"))
	if r.Session.Home != "work" {
		t.Errorf("%+v", r.Session)
	}
	out := d.ok(t, "list", "--agent", "claude")
	if strings.Count(out, "\tclaude@work\t") != 4 || strings.Count(out, "\tclaude\t") != 4 {
		t.Errorf("%s", out)
	}
	if got := d.ok(t, "resume", "--print", "claude@work:cc52"); !strings.Contains(got, "CLAUDE_CONFIG_DIR="+work) {
		t.Errorf("%s", got)
	}
}

func TestK7_TheAskingSessionIsNotListed(t *testing.T) {
	t.Parallel()
	d := samples(t)
	d.env["CLAUDE_CODE_SESSION_ID"] = "cc52fe65-6938-454c-aa13-3fd86983d8a9"
	if out := d.ok(t, "list"); strings.Contains(out, "cc52") || strings.Count(out, "\n") != 18 {
		t.Errorf("%s", out)
	}
	d.ok(t, "show", "cc52")
}

func TestStoreThatCanNotBeUsed(t *testing.T) {
	t.Parallel()
	d := samples(t)
	d.env["RECAP_STORE_URL"] = "sqlite:" + d.home // a directory
	a := d.run(t, "list")
	if a.code != 0 || strings.Count(a.out, "\n") != 19 || !strings.Contains(a.err, "nothing is kept this time") {
		t.Errorf("%+v", a)
	}
	d.env["RECAP_STORE_URL"] = "postgres://u:secret@h/d"
	a = d.run(t, "list")
	if a.code != 1 || !strings.Contains(a.err, "recap config set store.url sqlite") || strings.Contains(a.err, "secret") {
		t.Errorf("%+v", a)
	}
}

func TestF21_OneHomeThatCanNotBeReadHidesNoOther(t *testing.T) {
	t.Parallel()
	d := samples(t)
	db := filepath.Join(d.home, "agents", "opencode", "opencode.db")
	if err := os.WriteFile(db, []byte("this is no database, but long enough to be looked at by a reader of databases"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := d.run(t, "list")
	if a.code != 0 || strings.Count(a.out, "\n") != 15 {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(a.err, "OpenCode") && !strings.Contains(a.err, "recap doctor") {
		t.Errorf("no notice: %q", a.err)
	}
	if out := d.ok(t, "doctor"); !strings.Contains(out, "opencode.db") && !strings.Contains(out, "OpenCode: ") {
		t.Errorf("%s", out)
	}
}
