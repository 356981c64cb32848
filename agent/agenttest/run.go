package agenttest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Run holds a source to the contract.
func Run(t *testing.T, m Member) {
	t.Helper()
	for _, c := range []struct {
		name  string
		lines bool // only for members with Lines
		big   bool // not for Quick members
		test  func(*testing.T, Member)
	}{
		{"lists newest first with what a person looks for", false, false, testList},
		{"a home that is not there is no error", false, false, testNoHome},
		{"records are what happened", false, false, testRecords},
		{"page sizes give the same records and end with an empty cursor", false, false, testPages},
		{"F16 a second listing opens no transcript", false, false, testUnread},
		{"F16 a grown session is noticed", false, false, testGrown},
		{"F16 a rewrite of the same size and time is noticed", true, false, testRewritten},
		{"F16 a file cut or replaced while it is paged", true, false, testReplaced},
		{"F1 a torn last row", true, false, testTorn},
		{"F2 a row over every limit", true, true, testGiant},
		{"F2 a long row that can be read", true, true, testLong},
		{"F3 bookkeeping is not decoded and history not read", true, true, testNoise},
		{"F21 a FIFO, a folder and a loop where a transcript should be", true, false, testStrangers},
		{"F4 broken rows", true, false, testBroken},
		{"F2 damaged rows are counted and no session vanishes", true, false, testDamaged},
		{"C17 a session names its home", false, false, testName},
		{"C18 transcripts that can't be used are problems", true, false, testUnreadable},
		{"C18 a linked folder of transcripts is read", true, false, testLinked},
		{"C21 times that are missing, wrong or to come", true, false, testTimes},
		{"an excluded directory is neither listed nor remembered", false, false, testExcluded},
		{"since leaves out what is older", false, false, testSince},
		{"unknown sessions and ids that are paths", false, false, testUnknown},
		{"concurrent use", false, false, testConcurrent},
		{"a cancelled context", false, false, testCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.lines && !m.Lines {
				t.Skip("this agent keeps no files of rows")
			}
			if c.big && m.Quick {
				t.Skip("the same reader read it in another form")
			}
			c.test(t, m)
		})
	}
}

// start is when all sessions of the suite begin.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

// work is the directory sessions work in. It does not exist.
const work = "/home/dev/src/shop app_ü"

type home struct {
	t     *testing.T
	m     Member
	root  string
	build Builder
	index *Index
	src   agent.Source
}

func newHome(t *testing.T, m Member) *home {
	t.Helper()
	root := filepath.Join(t.TempDir(), "agent home")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, m: m, root: root, index: NewIndex()}
	h.build = m.Build(t, root)
	h.src = m.Open(root, "", h.index)
	return h
}

// session writes a session of turns: prompt, command and answer each.
func (h *home) session(dir string, minute, turns int, word string) string {
	h.t.Helper()
	id := h.build.Begin(h.t, dir, at(minute))
	for i := range turns {
		h.turn(id, minute+2*i, fmt.Sprintf("%s %d", word, i+1))
	}
	return id
}

func (h *home) turn(id string, minute int, word string) {
	h.t.Helper()
	h.build.Add(h.t, id,
		Event{Kind: Prompt, At: at(minute), Text: "Please look at " + word},
		Event{Kind: Command, At: at(minute).Add(10 * time.Second), Text: "go test ./" + word[:1], Output: "FAIL: " + word, Exit: 1},
		Event{Kind: Answer, At: at(minute).Add(20 * time.Second), Text: "Done with " + word + "."})
}

// list lists and proves that the listing touched nothing.
func (h *home) list(q agent.Query) []recap.Session {
	h.t.Helper()
	s, problems := h.listed(q)
	if len(problems) > 0 {
		h.t.Fatalf("problems: %v", problems)
	}
	return s
}

func (h *home) listed(q agent.Query) (out []recap.Session, problems []error) {
	h.t.Helper()
	before := Snapshot(h.t, h.root)
	for s, err := range h.src.Sessions(h.t.Context(), q) {
		if err != nil {
			if p, ok := errors.AsType[*agent.Problem](err); !ok || p.Reason == "" || p.Count < 1 {
				h.t.Fatalf("listing failed: %v", err)
			}
			problems = append(problems, err)
			continue
		}
		out = append(out, s)
	}
	same(h.t, before, Snapshot(h.t, h.root))
	return out, problems
}

func (h *home) find(id string) recap.Session {
	h.t.Helper()
	list, _ := h.listed(agent.Query{})
	for _, s := range list {
		if s.Ref.ID == id {
			return s
		}
	}
	h.t.Fatalf("session %s is not in the list", id)
	return recap.Session{}
}

func (h *home) ref(id string) recap.SessionRef {
	return recap.SessionRef{Agent: h.m.Agent, Root: h.root, ID: id}
}

// pages reads the session to its start.
func (h *home) pages(id string, n int) (records []recap.Message, problems []agent.Problem, err error) {
	h.t.Helper()
	before := Snapshot(h.t, h.root)
	records, problems, _, err = readAll(h.t, h.src, h.ref(id), n)
	same(h.t, before, Snapshot(h.t, h.root))
	return records, problems, err
}

func readAll(t testing.TB, src agent.Source, ref recap.SessionRef, n int) (records []recap.Message, problems []agent.Problem, bytes int64, err error) {
	t.Helper()
	seen := map[agent.Cursor]bool{}
	for c := agent.Cursor(""); ; {
		p, err := src.Page(t.Context(), ref, c, n)
		if err != nil {
			return records, problems, bytes, err
		}
		records = append(slices.Clone(p.Records), records...)
		problems = append(problems, p.Problems...)
		bytes += p.Bytes
		if p.Next == "" {
			return records, problems, bytes, nil
		}
		if seen[p.Next] {
			t.Fatalf("cursor %q came twice", p.Next)
		}
		seen[p.Next] = true
		c = p.Next
	}
}

func (h *home) read(id string) []recap.Message {
	h.t.Helper()
	r, problems, err := h.pages(id, 50)
	if err != nil {
		h.t.Fatal(err)
	}
	if len(problems) > 0 {
		h.t.Fatalf("problems: %+v", problems)
	}
	return r
}

// texts are the visible texts of a role, in order.
func texts(records []recap.Message, role recap.Role) []string {
	var out []string
	for _, r := range records {
		if r.Role != role || r.Summary {
			continue
		}
		var b strings.Builder
		for _, p := range r.Parts {
			if p.Kind == recap.PartText && !p.Synthetic && !p.Ignored {
				b.WriteString(p.Text)
			}
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
	}
	return out
}

// tools are the tool calls in order.
func tools(records []recap.Message) []recap.Tool {
	var out []recap.Tool
	for _, r := range records {
		for _, p := range r.Parts {
			if p.Tool != nil {
				out = append(out, *p.Tool)
			}
		}
	}
	return out
}

// Snapshot describes each entry below root: kind, size, times and a hash.
func Snapshot(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%v %d %d", fi.Mode(), fi.Size(), fi.ModTime().UnixNano())
		if fi.Mode().IsRegular() && fi.Size() < 8<<20 {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			h := sha256.Sum256(b)
			line += " " + hex.EncodeToString(h[:])
		}
		out[p] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t testing.TB, before, after map[string]string) {
	t.Helper()
	for p, was := range before {
		if after[p] != was {
			t.Errorf("%s was touched: %s, was %s", p, after[p], was)
		}
	}
	for p := range after {
		if _, ok := before[p]; !ok {
			t.Errorf("%s appeared", p)
		}
	}
}

func canceled(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
