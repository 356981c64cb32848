package dialog_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/prompt"
)

// vector is a reference answer, see testdata/turns/README.md.
type vector struct {
	Name  string
	Fault *struct {
		Kind string
		Page int
	} `json:"page_fault"`
	Pages  [][]record
	Expect struct {
		PagesRead *int `json:"pages_read"`
		None      bool
		Error     bool
		Last      string
		Turns     []wantTurn
	}
}

type wantTurn struct {
	User             string
	UserText         *string  `json:"user_text"`
	UserTextContains []string `json:"user_text_contains"`
	UserTextMax      int      `json:"user_text_max"`
	UserTextAnyOfCI  []string `json:"user_text_any_of_ci"`
	Authored         *string
	AuthoredContains []string `json:"authored_contains"`
	Answer           *string
	AnswerText       json.RawMessage `json:"answer_text"`
	Complete         bool
}

type cutText struct {
	Cut       bool
	Max       int
	Min       int
	Head      string
	Tail      string
	OnlyWhole string `json:"only_whole"`
}

// record is a message in the shape of OpenCode's message endpoint.
type record struct {
	Info struct {
		ID, Role, ParentID, Finish string
		ProviderID, ModelID        string
		Time                       struct{ Created, Completed int64 }
		Summary                    any
		Error                      *struct{ Name string }
	}
	Parts []struct {
		Type, Text, Tool   string
		Mime, Filename     string
		Synthetic, Ignored bool
		Metadata           map[string]map[string]any
		State              struct{ Status, Output string }
	}
}

func (r record) message() recap.Message {
	m := recap.Message{
		ID: r.Info.ID, ParentID: r.Info.ParentID, Finish: recap.Finish(r.Info.Finish),
		Created: time.UnixMilli(r.Info.Time.Created),
		Model:   recap.ModelRef{Provider: r.Info.ProviderID, ID: r.Info.ModelID},
		Summary: r.Info.Summary == true,
	}
	if r.Info.Time.Completed != 0 {
		m.Completed = time.UnixMilli(r.Info.Time.Completed)
	}
	switch r.Info.Role {
	case "user":
		m.Role = recap.RoleUser
	case "assistant":
		m.Role = recap.RoleAssistant
	default:
		m.Role = recap.RoleService
	}
	if e := r.Info.Error; e != nil {
		if e.Name == "MessageAbortedError" {
			m.Interrupted = true
		} else {
			m.Failure = &recap.Failure{Code: e.Name}
		}
	}
	for _, p := range r.Parts {
		part := recap.Part{Kind: recap.PartMarker, Text: p.Text, Synthetic: p.Synthetic, Ignored: p.Ignored}
		switch p.Type {
		case "text":
			part.Kind = recap.PartText
		case "reasoning":
			part.Kind = recap.PartReasoning
		case "file":
			part.Kind = recap.PartFile
			part.File = &recap.File{Name: p.Filename, MIME: p.Mime}
		case "tool":
			part.Kind = recap.PartTool
			part.Tool = &recap.Tool{Name: p.Tool, Status: recap.ToolDone, Output: p.State.Output}
		}
		for _, space := range []string{"aiworkerContext", "openchamberContext"} {
			if v, ok := p.Metadata[space]; ok {
				kind, _ := v["kind"].(string)
				part.Attached = &recap.Attached{Kind: kind, Values: v}
			}
		}
		if v, ok := p.Metadata["opencodeComment"]; ok {
			part.Attached = &recap.Attached{Kind: "opencode-comment", Values: v}
		}
		m.Parts = append(m.Parts, part)
	}
	return m
}

func loadVectors(t testing.TB, file string) []vector {
	t.Helper()
	f, err := os.Open("testdata/turns/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // read only
	var out []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var v vector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

var errPage = errors.New("connection reset")

// vectorPager serves the pages of a vector with its fault, and counts them.
type vectorPager struct {
	v     vector
	pages int
}

func (p *vectorPager) Page(_ context.Context, before string, _ int) (dialog.Page, error) {
	p.pages++
	i := 0
	if before != "" {
		i, _ = strconv.Atoi(before)
	}
	f := p.v.Fault
	if f != nil && f.Kind == "fail" && f.Page == i {
		return dialog.Page{}, errPage
	}
	var page dialog.Page
	for _, r := range p.v.Pages[i] {
		page.Records = append(page.Records, r.message())
	}
	if i+1 < len(p.v.Pages) {
		page.Next = strconv.Itoa(i + 1)
	}
	if f != nil && f.Kind == "repeat" && f.Page == i-1 {
		page.Next = strconv.Itoa(i)
	}
	return page, nil
}

func TestReferenceAnswers(t *testing.T) {
	t.Parallel()
	for file, count := range map[string]int{"vectors.jsonl": 340, "improvements.jsonl": 14} {
		vectors := loadVectors(t, file)
		if len(vectors) != count {
			t.Fatalf("%s holds %d vectors, want %d", file, len(vectors), count)
		}
		for _, v := range vectors {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				testVector(t, v)
			})
		}
	}
}

func testVector(t *testing.T, v vector) {
	t.Helper()
	limits := dialog.ServerLimits()
	limits.StopUnready = true
	p := &vectorPager{v: v}
	d, err := dialog.Read(t.Context(), p, limits)
	if n := v.Expect.PagesRead; n != nil && p.pages > *n {
		t.Errorf("read %d pages, need %d", p.pages, *n)
	}
	if (err != nil) != v.Expect.Error {
		t.Fatalf("error %v, want one: %v", err, v.Expect.Error)
	}
	if err != nil {
		if recap.CodeOf(err) != recap.CodeUnreadable && !errors.Is(err, errPage) {
			t.Errorf("error %v has neither a code nor its cause", err)
		}
		if d.Ready || d.Turns != nil {
			t.Error("a dialog beside the error")
		}
		return
	}
	if d.Ready == v.Expect.None || (d.NotReady == "") == v.Expect.None {
		t.Fatalf("ready %v (%q), want none: %v", d.Ready, d.NotReady, v.Expect.None)
	}
	testUnready(t, v, d)
	if v.Expect.None {
		return
	}
	if d.Last != v.Expect.Last {
		t.Errorf("last %q, want %q", d.Last, v.Expect.Last)
	}
	if len(d.Turns) != len(v.Expect.Turns) {
		t.Fatalf("%d turns, want %d", len(d.Turns), len(v.Expect.Turns))
	}
	for i, want := range v.Expect.Turns {
		testTurn(t, d.Turns[i], want)
	}
}

// testUnready reads the vector for a free recap: the decision is the same, and
// where no model may be called the turns are there all the same.
func testUnready(t *testing.T, v vector, decided dialog.Dialog) {
	t.Helper()
	d, err := dialog.Read(t.Context(), &vectorPager{v: v}, dialog.ServerLimits())
	if err != nil {
		if v.Fault == nil || decided.Ready {
			t.Errorf("reading on: %v", err)
		}
		return
	}
	if d.Last != decided.Last || d.Ready != decided.Ready || d.NotReady != decided.NotReady ||
		d.End != decided.End && decided.End != dialog.EndSummary {
		t.Errorf("reading on: %q %v %q %q, decided: %q %v %q %q",
			d.Last, d.Ready, d.NotReady, d.End, decided.Last, decided.Ready, decided.NotReady, decided.End)
	}
	if len(d.Turns) == 0 && !d.Truncated {
		t.Error("no turn, though the whole history was read")
	}
}

func testTurn(t *testing.T, got recap.Turn, want wantTurn) {
	t.Helper()
	if got.UserID != want.User {
		t.Errorf("user record %q, want %q", got.UserID, want.User)
	}
	if want.UserText != nil && got.Text != *want.UserText {
		t.Errorf("user text %q, want %q", got.Text, *want.UserText)
	}
	for _, s := range want.UserTextContains {
		if !strings.Contains(got.Text, s) {
			t.Errorf("user text %q lacks %q", got.Text, s)
		}
	}
	limit := dialog.MaxUserText
	if want.UserTextMax > 0 {
		limit = want.UserTextMax
	}
	if n := utf8.RuneCountInString(got.Text); n > limit {
		t.Errorf("user text of %d characters, limit %d", n, limit)
	}
	if len(want.UserTextAnyOfCI) > 0 && !slices.ContainsFunc(want.UserTextAnyOfCI, func(s string) bool {
		return strings.Contains(strings.ToLower(got.Text), strings.ToLower(s))
	}) {
		t.Errorf("user text %q has none of %q", got.Text, want.UserTextAnyOfCI)
	}
	if want.Authored != nil && got.Authored != *want.Authored {
		t.Errorf("authored %q, want %q", got.Authored, *want.Authored)
	}
	for _, s := range want.AuthoredContains {
		if !strings.Contains(got.Authored, s) {
			t.Errorf("authored %q lacks %q", got.Authored, s)
		}
	}
	answer := ""
	if want.Answer != nil {
		answer = *want.Answer
	}
	if got.AnswerID != answer {
		t.Errorf("answer record %q, want %q", got.AnswerID, answer)
	}
	if got.Complete != want.Complete {
		t.Errorf("turn %s complete: %v, want %v", want.User, got.Complete, want.Complete)
	}
	testText(t, got.Answer, want.AnswerText)
}

func testText(t *testing.T, got string, want json.RawMessage) {
	t.Helper()
	var cut cutText
	if json.Unmarshal(want, &cut) != nil || !cut.Cut {
		var whole string
		if err := json.Unmarshal(want, &whole); err != nil {
			t.Fatal(err)
		}
		if got != whole {
			t.Errorf("answer %q, want %q", got, whole)
		}
		return
	}
	n := utf8.RuneCountInString(got)
	if n > cut.Max || n < cut.Min {
		t.Errorf("answer of %d characters, want %d to %d", n, cut.Min, cut.Max)
	}
	head, tail, ok := strings.Cut(got, prompt.OmissionMarker)
	if !ok || !strings.HasPrefix(head, cut.Head) || !strings.HasSuffix(tail, cut.Tail) {
		t.Errorf("answer %.40q ... %q is not an excerpt from %.40q to %q", got, got[max(0, len(got)-40):], cut.Head, cut.Tail)
	}
	if w := cut.OnlyWhole; w != "" {
		if rest := strings.ReplaceAll(got, w, ""); strings.ContainsAny(rest, w) {
			t.Errorf("a piece of %q is left", w)
		}
	}
}
