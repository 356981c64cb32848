package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/prompt"
	"github.com/sessionrecap/recap/redact/redacttest"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// field is a session in which secrets are planted, oldest message first.
type field struct {
	row                          recap.Session
	older, said, newest, answers recap.Message
}

func newField(id string) *field {
	m := slices.Concat(talk(id+"-o", "Look at the login page, please.", "It is a form of three fields."), login(id, edit("src/login.go")))
	return &field{older: m[0], said: m[1], newest: m[2], answers: m[3]}
}

func (f *field) messages() []recap.Message {
	return []recap.Message{f.older, f.said, f.newest, f.answers}
}

func (f *field) tool(x recap.Tool) {
	x.Status, x.At = recap.ToolDone, noon
	f.answers.Parts = slices.Insert(f.answers.Parts, 0, recap.Part{Kind: recap.PartTool, Tool: &x})
}

func texts(before string, pieces []string, after string) []recap.Part {
	var out []recap.Part
	for _, s := range pieces {
		out = append(out, recap.Part{Kind: recap.PartText, Text: s})
	}
	out[0].Text = before + out[0].Text
	out[len(out)-1].Text += after
	return out
}

// spot is a place of a session where a secret may stand. It is given the
// secret's text in two pieces where that stands in two parts of a message.
type spot struct {
	name string
	// person: the person wrote it by hand. parts: a message has several of it.
	person, parts bool
	put           func(f *field, pieces ...string)
}

// spots are in groups: a session has one secret in each spot of a group.
func spots() [][]spot {
	asks := func(name, before, after string) spot {
		return spot{name, true, true, func(f *field, pieces ...string) {
			f.newest.Parts = slices.Concat(texts("Please see "+before, pieces, after+" for this."), f.newest.Parts)
		}}
	}
	attaches := func(name, kind, key string) spot {
		return spot{name, false, false, func(f *field, pieces ...string) {
			values := map[string]any{"code": "x := 1", "text": "Why is it so?", "prompt": "Look here.", "fileLabel": "main.go", "pageUrl": "http://localhost/x"}
			values[key] = pieces[0]
			f.newest.Parts = append(f.newest.Parts, recap.Part{Kind: recap.PartText, Synthetic: true, Attached: &recap.Attached{Kind: kind, Values: values}})
		}}
	}
	tool := func(name string, of func(text string) recap.Tool) spot {
		return spot{name, false, false, func(f *field, pieces ...string) { f.tool(of(pieces[0])) }}
	}
	row := func(name string, of func(s *recap.Session) *string, before string) spot {
		return spot{name, false, false, func(f *field, pieces ...string) { *of(&f.row) = before + pieces[0] }}
	}
	failure := &recap.Failure{Code: "APIError"}
	return [][]spot{
		{
			asks("prompt", "", ""),
			{"answer", false, true, func(f *field, pieces ...string) {
				f.answers.Parts = append(f.answers.Parts, texts("It uses ", pieces, " now.")...)
			}},
			tool("command", func(s string) recap.Tool {
				return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Command: "go test ./... -run '" + s + "'"}
			}),
			row("title", func(s *recap.Session) *string { return &s.Title }, "Use "),
			row("branch", func(s *recap.Session) *string { return &s.Branch }, "fix/"),
		},
		{
			asks("code span", "`", "`"),
			tool("output", func(s string) recap.Tool {
				return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Command: "git commit -m x", Output: "[main abc1234] use " + s + "\n 1 file changed"}
			}),
			tool("todo", func(s string) recap.Tool {
				return recap.Tool{Kind: recap.ToolTodo, Todos: []recap.Todo{{Text: "Use " + s, Status: recap.TodoOpen}, {Text: "Write the test", Status: recap.TodoDone}}}
			}),
			row("waiting", func(s *recap.Session) *string { return &s.WaitingFor }, "approval: Bash "),
			{"older answer", false, true, func(f *field, pieces ...string) { f.said.Parts = texts("It is ", pieces, " there.") }},
		},
		{
			asks("fence", "\n```\n", "\n```\n"),
			tool("question", func(s string) recap.Tool {
				return recap.Tool{Kind: recap.ToolQuestion, Questions: []string{"Shall I use " + s + " for it?"}}
			}),
			row("directory", func(s *recap.Session) *string { return &s.Directory }, "/home/dev/src/"),
			attaches("attached source", "code-comment", "code"),
			{"older prompt", true, true, func(f *field, pieces ...string) {
				f.older.Parts = texts("Look at ", pieces, " please.")
			}},
		},
		{
			asks("link", "[the page](https://example.com/x?", ")"),
			tool("path", func(s string) recap.Tool {
				return recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Paths: []string{"src/" + s + ".go"}}
			}),
			attaches("attached comment", "code-comment", "text"),
			{"failure of an older turn", false, false, func(f *field, pieces ...string) {
				x := *failure
				x.Message = "bad key: " + pieces[0]
				f.said.Failure, f.said.Finish = &x, ""
			}},
			tool("failed command", func(s string) recap.Tool {
				return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Command: "curl -H '" + s + "' localhost", Exit: new(int), Output: "curl: " + s}
			}),
		},
		{
			{"quote", true, false, func(f *field, pieces ...string) {
				f.newest.Parts = append(f.newest.Parts, texts("> it says\n> "+strings.ReplaceAll(pieces[0], "\n", "\n> "), []string{""}, "\nIs it so?")...)
			}},
			attaches("attached label", "file-quote", "fileLabel"),
			tool("another tool", func(s string) recap.Tool {
				return recap.Tool{Name: "Task", Kind: recap.ToolSubagent, Command: s, Output: "It used " + s}
			}),
			{"thought", false, false, func(f *field, pieces ...string) {
				f.answers.Parts = append([]recap.Part{{Kind: recap.PartReasoning, Text: "Use " + pieces[0]}}, f.answers.Parts...)
			}},
		},
		{
			asks("link's words", "[", "](https://example.com/x)"),
			attaches("attached page", "browser-annotation", "pageUrl"),
			attaches("attached words", "browser-annotation", "prompt"),
		},
		{ // no model may be asked about it
			{"failure", false, false, func(f *field, pieces ...string) {
				x := *failure
				x.Message = "bad key: " + pieces[0]
				f.answers.Failure, f.answers.Finish = &x, ""
			}},
		},
		{
			{"open question", false, false, func(f *field, pieces ...string) {
				f.tool(recap.Tool{Kind: recap.ToolQuestion, Questions: []string{"Use " + pieces[0] + "?"}})
				f.answers.Parts[0].Tool.Status = recap.ToolWaiting
				f.answers.Finish, f.answers.Completed = recap.FinishToolCalls, time.Time{}
				f.row.State, f.row.WaitingFor = recap.StateWaiting, "question: Use "+pieces[0]+"?"
			}},
		},
	}
}

// forms are the ways to break a secret. nil: not in this spot.
func forms() []struct {
	name string
	of   func(s redacttest.Secret, at spot) []string
} {
	type form = struct {
		name string
		of   func(s redacttest.Secret, at spot) []string
	}
	split := func(separator string) func(redacttest.Secret, spot) []string {
		return func(s redacttest.Secret, _ spot) []string { return []string{s.Split(separator).Text()} }
	}
	return []form{
		{"lines", split("\n")},
		{"indented", split("\n    ")},
		{"backslash", split("\\\n")},
		{"parts", func(s redacttest.Secret, at spot) []string {
			if !at.parts {
				return nil
			}
			a, b := s.Halves()
			return []string{a, b}
		}},
		{"prompt and sample", func(s redacttest.Secret, at spot) []string {
			if !at.person {
				return nil
			}
			a, b := s.Halves()
			return []string{"`" + a + "`" + b}
		}},
		{"named in a span", func(s redacttest.Secret, at spot) []string {
			name, mark, ok := strings.Cut(s.Before, "=")
			if !at.person || !ok || strings.Contains(mark, ";") || mark != "" {
				return nil
			}
			return []string{"`" + name + "`=" + s.Key}
		}},
	}
}

// path is a session source, a database on the disk, the real chain of a call
// and a server of one protocol. A bare one redacts nothing.
type path struct {
	*world
	src *source
	srv *llmtest.Server
	dir string
	log bytes.Buffer
	// seen is all that left or was kept, for the oracle.
	seen, put strings.Builder
	read      int // requests looked at
}

func newPath(t *testing.T, p llm.Protocol, bare bool) *path {
	t.Helper()
	x := &path{src: newSource(recap.OpenCode, "/home/dev/.local/share/opencode"), srv: llmtest.NewServer(t), dir: t.TempDir()}
	st, err := sqlite.Open(t.Context(), filepath.Join(x.dir, "recap.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	now := func() time.Time { return noon }
	log := slog.New(slog.NewTextHandler(&x.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o := outbound.Options{
		Client: open, Ledger: st, Now: now, Caps: store.Caps{DayTokens: 1 << 40, DayUSD: 1e9, SessionTokens: 1 << 40}, Log: log,
	}
	if bare {
		o.Redact = func(s string) (string, int, error) { return s, 0, nil }
	}
	k := &engine.Asking{
		Sender:    outbound.New(o),
		Catalogue: llm.Catalogue(), Own: []llm.Provider{x.srv.Provider(p)}, Env: func(string) string { return "" }, Owner: "this:1",
	}
	x.world = newWorld(t, func(o *engine.Options) {
		o.Store, o.Log, o.NoRedaction = st, log, bare
		o.Asking = func() *engine.Asking { return k }
	}, agent.Source(x.src))
	return x
}

// add puts the session of f into the source.
func (x *path) add(id string, p llm.Protocol, f *field) recap.Session {
	x.src.add(id, "/home/dev/src/shop", time.Hour, f.messages()...)
	x.src.change(id, func(s *recap.Session) {
		s.Model = recap.ModelRef{Provider: string(p), ID: "the-large-one"}
		for _, v := range []struct{ to, from *string }{
			{&s.Title, &f.row.Title}, {&s.Branch, &f.row.Branch}, {&s.WaitingFor, &f.row.WaitingFor}, {&s.Directory, &f.row.Directory},
		} {
			if *v.from != "" {
				*v.to = *v.from
			}
		}
		if f.row.State != "" {
			s.State = f.row.State
		}
	})
	s := x.src.sessions[id]
	for _, v := range []any{s, f.messages()} {
		fmt.Fprintf(&x.put, "%s\n", plain(v))
	}
	return s
}

// plain writes what may stand in a value, line breaks as they are.
func plain(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of our own making
	}
	return strings.ReplaceAll(string(b), `\n`, "\n")
}

// causes is all that an error and its causes say.
func causes(err error) string {
	if err == nil {
		return ""
	}
	all := []string{fmt.Sprintf("%v %+v %#v %s", err, err, err, recap.HintOf(err))}
	switch e := err.(type) { //nolint:errorlint // the chain is walked by hand
	case interface{ Unwrap() error }:
		all = append(all, causes(e.Unwrap()))
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			all = append(all, causes(cause))
		}
	}
	return strings.Join(all, " ")
}

// sent is all that came in since it was last asked for. The key of the provider
// is no secret here.
func (x *path) sent() string {
	all := x.srv.Requests()
	var b strings.Builder
	for _, r := range all[x.read:] {
		fmt.Fprintf(&b, "%s %s?%s\n", r.Method, r.Path, r.Query)
		for name, values := range r.Header {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.ReplaceAll(strings.Join(values, " "), llmtest.Key, "KEY"))
		}
		b.WriteString(strings.ReplaceAll(string(r.Body), `\n`, "\n") + "\n")
	}
	x.read = len(all)
	return b.String()
}

// check asks, the server says the text, and gives what left, was shown or was
// told. Every other time the server fails with the text at a second call, else
// it is looked at what a dry run and the free recap show.
func (x *path) check(ctx context.Context, n int, s recap.Session, text string) map[string]string {
	says := fields("recap", "Login uses "+text+" now.", "away", "Fixing the login page with "+text+" in src/login.go.", "suggestion", "Use "+text+" then.")
	if n/2%2 == 1 {
		says = fields("recap", trueRecap, "away", trueAway, "suggestion", "Add the missing test with "+text+", please.")
	}
	x.srv.Answer(llmtest.Reply{Text: says, Input: 1000, Output: 50})
	r := x.AskModel(ctx, s, engine.Ask{Fields: all()})
	d, problems, err := x.Turns(ctx, s)
	out := map[string]string{
		"result of a model": plain(r.Record), "session": plain(r.Session), "turns": plain(d) + plain(problems) + plain(r.Problems),
		"error": causes(r.Err) + causes(r.Unkept) + causes(err),
	}
	if n%2 == 0 {
		plan := x.Plan(ctx, s, engine.Ask{Fields: all()})
		free := x.Recap(ctx, s)
		out["dry run"] = plan.Prompt.System + plan.Prompt.User + plain(plan.Session)
		out["free result"] = plain(free.Record) + plain(free.Session)
		out["error"] += causes(plan.Err) + causes(free.Err)
	} else {
		oneLine := strings.ReplaceAll(text, "\n", " ")
		fails := []llmtest.Reply{
			{Status: 400, Kind: "invalid_request_error", Message: "bad input: " + text},
			{Status: 401, Kind: text, Message: "bad key " + text},
			{Status: 500, Message: text},
			{Status: 502, Type: "text/html", Body: "<!DOCTYPE html><html><body>" + text + "</body></html>"},
			{Redirect: x.srv.URL + "/x?" + oneLine, Header: http.Header{"X-Note": {oneLine}}},
			{Text: text},
			{Text: "{\"recap\":\"" + text, Finish: "length"},
			{Body: text, Type: "text/plain"},
		}
		x.srv.Answer(fails[n/2%len(fails)])
		r = x.AskModel(ctx, s, engine.Ask{Fields: all()})
		out["result of a model"] += plain(r.Record)
		out["error"] += causes(r.Err) + causes(r.Unkept)
	}
	out["request"] = x.sent()
	return out
}

// kept is all that the store, the disk, the log and the listings hold.
func (x *path) kept(t *testing.T) map[string]string {
	t.Helper()
	ctx := t.Context()
	out := map[string]string{"log": x.log.String()}
	add := func(name string, v any, err error) {
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		out[name] += plain(v)
	}
	l, err := x.Sessions(ctx, engine.Query{})
	add("sessions", l, err)
	rows, _, _, err := x.List(ctx, engine.Query{}, 0)
	for i := range rows {
		out["list"] += causes(rows[i].Err)
		rows[i].Err = nil
	}
	add("list", rows, err)
	for _, s := range l.Sessions {
		if r, err := x.store.Record(ctx, s.Ref); err == nil {
			add("records", r, nil)
		}
		d, err := x.store.Decisions(ctx, s.Ref, 100)
		add("journal", d, err)
	}
	entries, err := x.store.Entries(ctx, time.Time{}, 0)
	add("ledger", entries, err)
	egress, err := x.store.Egress(ctx, time.Time{}, 0)
	add("egress log", egress, err)
	files, err := os.ReadDir(x.dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(x.dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out["file "+f.Name()] = string(b)
	}
	return out
}

// filler is what long texts are made of.
const filler = "The page keeps its values after a failed attempt. "

// cuts are spots of one long prompt and one long answer where an excerpt of
// them is cut, from either end: what is kept of a message and what tells the
// language; then what of a prompt is looked at for the person's words, which are
// few in a long quote.
func cuts() [][]spot {
	const total = 44_000
	at := func(name string, n int, end bool, fill, before, after string, of func(f *field) *string) spot {
		distance := (n - prompt.Length(prompt.OmissionMarker)) / 2
		if end {
			distance = total - distance
		}
		return spot{fmt.Sprintf("%s at %d, end %v", name, n, end), false, false, func(f *field, pieces ...string) {
			s := of(f)
			if len(*s) < total {
				*s = strings.Repeat(fill, 1+total/len(fill))[:total]
			}
			text := before + pieces[0] + after
			from := distance - len(before) - len(pieces[0])/2
			*s = (*s)[:from] + text + (*s)[from+len(text):]
		}}
	}
	asked := func(f *field) *string { return &f.newest.Parts[0].Text }
	said := func(f *field) *string { return &f.answers.Parts[len(f.answers.Parts)-1].Text }
	var out, quoted []spot
	for _, end := range []bool{false, true} {
		out = append(out, at("cut of a prompt", 1_200, end, filler, " ", " ", asked), at("cut of a prompt", dialog.MaxUserText, end, filler, " ", " ", asked))
		out = append(out, at("cut of an answer", dialog.MaxAnswerText, end, filler, " ", " ", said))
		quoted = append(quoted, at("cut of a quote", 4*dialog.MaxUserText, end, "> "+filler+"\n", "\nUse ", " now.\n> ", asked))
	}
	return [][]spot{out, quoted}
}

// sowing plants secrets in sessions of one path for each protocol, and looks for
// them.
type sowing struct {
	kinds   []redacttest.Secret
	search  *redacttest.Search
	paths   map[llm.Protocol]*path
	planted int
	id      int
	// leak is told where a piece stands.
	leak func(kind, spot, form, in, around string)
}

func sow(t *testing.T, bare bool, seed uint64) *sowing {
	t.Helper()
	w := &sowing{kinds: redacttest.Plant(seed), paths: map[llm.Protocol]*path{}}
	w.search = redacttest.NewSearch(w.kinds...)
	for _, p := range protocols() {
		w.paths[p] = newPath(t, p, bare)
	}
	return w
}

// plant makes a session for each of the first n kinds. It has a secret in each
// spot, of another kind in each, so that each kind comes to each spot where n is
// all of them. shape gives a secret the form that it has there.
func (w *sowing) plant(ctx context.Context, n int, group []spot, shape func(i, j int, s redacttest.Secret) (form string, pieces []string)) {
	for i := range n {
		p := protocols()[w.id%len(protocols())]
		w.id++
		id := fmt.Sprintf("s%d", w.id)
		f := newField(id)
		where := map[string][2]string{}
		var echo []string
		for j, at := range group {
			s := w.kinds[(i+5*j)%len(w.kinds)]
			form, pieces := shape(i, j, s)
			at.put(f, pieces...)
			where[s.Kind] = [2]string{at.name, form}
			echo = append(echo, strings.Join(pieces, "\n"))
			w.planted++
		}
		x := w.paths[p]
		s := x.add(id, p, f)
		for what, text := range x.check(ctx, w.id, s, echo[i%len(echo)]) {
			x.seen.WriteString(text + "\n\n")
			for _, found := range w.search.In(text) {
				at := where[found.Kind]
				w.leak(found.Kind, at[0], at[1], what+" of "+id+" over "+string(p), found.Around)
			}
		}
	}
}

func whole(_, _ int, s redacttest.Secret) (form string, pieces []string) {
	return "whole", []string{s.Text()}
}

// TestH2_NoSecretOnTheWholePath plants each kind in each spot of a session, whole
// and broken, lets a model be asked and the model's server say it too, and looks
// for pieces of it in all that leaves, is kept or is shown.
func TestH2_NoSecretOnTheWholePath(t *testing.T) {
	w := sow(t, false, 4)
	leaks := 0
	w.leak = func(kind, spot, form, in, around string) {
		leaks++
		t.Errorf("%s in the %s (%s): left in the %s: %q", kind, spot, form, in, around)
	}
	n := len(w.kinds)
	for g, group := range spots() {
		w.plant(t.Context(), n, group, whole)
		w.plant(t.Context(), n, group, func(i, j int, s redacttest.Secret) (string, []string) {
			for k := i + j + g; ; k++ {
				form := forms()[k%len(forms())]
				if pieces := form.of(s, group[j]); pieces != nil {
					return form.name, pieces
				}
			}
		})
	}
	for _, group := range cuts() {
		w.plant(t.Context(), n, group, func(i, j int, s redacttest.Secret) (string, []string) {
			if (i+j)%4 == 0 {
				return "lines", []string{s.Split("\n").Text()}
			}
			return whole(i, j, s)
		})
	}
	asked := 0
	var put, left strings.Builder
	for p, x := range w.paths {
		asked += x.srv.Count()
		for what, text := range x.kept(t) {
			if !strings.HasPrefix(what, "file ") {
				x.seen.WriteString(text + "\n\n")
			}
			for _, found := range w.search.In(text) {
				w.leak(found.Kind, "?", "?", what+" over "+string(p), found.Around)
			}
		}
		put.WriteString(x.put.String())
		left.WriteString(x.seen.String())
	}
	if w.planted < 2*30*30 || asked < w.id {
		t.Errorf("%d secrets, %d sessions, %d requests", w.planted, w.id, asked)
	}
	t.Logf("%d secrets in %d sessions, %d requests, %d leaks", w.planted, w.id, asked, leaks)
	for name, b := range map[string]*strings.Builder{"path-put": &put, "path-left": &left} {
		redacttest.Oracle(t, name, strings.ReplaceAll(b.String(), filler, ""))
	}
}

// What the test above looks for comes through from each spot, and is found,
// where nothing is redacted.
func TestSecretsComeThroughWithoutRedaction(t *testing.T) {
	w := sow(t, true, 4)
	found := map[string]int{}
	w.leak = func(_, spot, _, in, _ string) {
		if !strings.Contains(in, "error") && !strings.Contains(in, "result of a model") { // a server says what stands in any spot
			found[spot]++
		}
	}
	for _, group := range slices.Concat(spots(), cuts()) {
		w.plant(t.Context(), 6, group, whole)
		for _, at := range group {
			// Nobody is shown what a model thought or a subagent did.
			if silent := at.name == "thought" || at.name == "another tool"; found[at.name] == 0 && !silent {
				t.Errorf("nothing came through from the %s", at.name)
			}
		}
	}
	for p, x := range w.paths {
		kept := x.kept(t)
		kept["files"] = ""
		for what, text := range kept {
			if strings.HasPrefix(what, "file ") {
				kept["files"] += text
			}
		}
		for _, what := range []string{"list", "sessions", "records", "files"} {
			if len(w.search.In(kept[what])) == 0 {
				t.Errorf("%s: nothing in the %s", p, what)
			}
		}
	}
}

// Of an address in a path one slash goes where the path is cleaned: the password
// in it is known all the same.
func TestH2_AnAddressInAPath(t *testing.T) {
	kinds := redacttest.Plant(6)
	search := redacttest.NewSearch(kinds...)
	for _, s := range kinds {
		if !strings.Contains(s.Text(), "://") {
			continue
		}
		src := newSource(recap.Claude, "/homes/claude")
		src.add("a", "/home/dev/src/"+s.Text(), time.Hour)
		src.add("b", "/home/dev/src/"+s.Text()+"/x/y", time.Hour)
		w := newWorld(t, nil, agent.Source(src))
		for _, r := range w.list(t, engine.Query{}) {
			if found := search.In(plain(r.Session) + plain(r.Record)); len(found) > 0 {
				t.Errorf("%q", found)
			}
		}
	}
}
