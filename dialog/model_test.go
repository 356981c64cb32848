package dialog_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// drawSession makes a session that breaks every habit of an agent, but for
// ids: each record has its own.
func drawSession(t *rapid.T) []recap.Message {
	n := rapid.SampledFrom([]int{0, 1, 2, 4, 8, 16, 32, 64}).Draw(t, "records")
	var out []recap.Message
	users := []string{"nowhere"}
	for i := range n {
		id := "m" + strconv.Itoa(i)
		parent := func() string {
			switch k := rapid.IntRange(0, 9).Draw(t, "parent"); {
			case k < 2:
				return ""
			case k < 7:
				return users[len(users)-1]
			case k < 8:
				return "m" + strconv.Itoa(i+1) // a page out of order
			}
			return rapid.SampledFrom(users).Draw(t, "older")
		}
		switch kind := rapid.IntRange(0, 11).Draw(t, "kind"); kind {
		case 0, 1:
			out = append(out, user(id, text("request "+id)))
			users = append(users, id)
		case 2:
			out = append(out, user(id, synthetic("go on")))
			users = append(users, id)
		case 3:
			s := with(service(id), func(m *recap.Message) {
				m.ParentID, m.Parts = parent(), []recap.Part{tool(id, recap.ToolDone)}
			})
			out = append(out, s)
		case 4:
			out = append(out, user(id, file("image/png")))
			users = append(users, id)
		case 5:
			out = append(out, with(answer(id, parent(), text("summary "+id)), func(m *recap.Message) { m.Summary = true }))
		default:
			m := answer(id, parent())
			if rapid.Bool().Draw(t, "text") {
				m.Parts = append(m.Parts, text("answer "+id))
			}
			for k := range rapid.IntRange(0, 2).Draw(t, "tools") {
				m.Parts = append(m.Parts, tool(fmt.Sprintf("%s.%d", id, k), recap.ToolDone))
			}
			switch rapid.IntRange(0, 6).Draw(t, "finish") {
			case 0:
				m.Finish = recap.FinishToolCalls
			case 1:
				m.Failure = &recap.Failure{Code: "500"}
			case 2:
				m.Interrupted = true
			case 3:
				m.Finish, m.Completed = "", time.Time{}
			}
			out = append(out, m)
		}
	}
	return out
}

// forward tells the turns in the plainest way: from the beginning, with
// everything in memory.
func forward(records []recap.Message, limit int) (turns []recap.Turn, last string, ready bool) {
	type stretch struct {
		open recap.Message
		ids  map[string]bool
		from int
		to   int
	}
	var all []stretch
	for i, m := range records {
		switch {
		case m.Role == recap.RoleUser && !m.Parts[0].Synthetic:
			all = append(all, stretch{open: m, ids: map[string]bool{m.ID: true}, from: i, to: i + 1})
		case len(all) > 0:
			s := &all[len(all)-1]
			s.to = i + 1
			if m.Role == recap.RoleUser {
				s.ids[m.ID] = true
			}
		}
	}
	all = all[max(0, len(all)-limit):]
	counted := ""
	for _, s := range all {
		t := recap.Turn{UserID: s.open.ID}
		counted = ""
		nearest := s.open.ID
		for i, m := range records[s.from:] {
			if m.Role == recap.RoleUser {
				nearest = m.ID
			}
			parent := m.ParentID
			if parent == "" {
				parent = nearest
			}
			if m.Role == recap.RoleUser || !s.ids[parent] || m.Summary {
				continue
			}
			for _, p := range m.Parts {
				if p.Tool != nil {
					t.Tools = append(t.Tools, *p.Tool)
				}
			}
			if s.from+i >= s.to || m.Role == recap.RoleService {
				continue
			}
			visible := ""
			if len(m.Parts) > 0 {
				visible = m.Parts[0].Text
			}
			counted = m.ID
			t.Complete = visible != "" && m.Finish == recap.FinishStop && m.Failure == nil && !m.Interrupted
			t.Failure, t.Interrupted = m.Failure, m.Interrupted
			if visible != "" {
				t.AnswerID, t.Answer = m.ID, visible
			}
		}
		turns = append(turns, t)
	}
	for _, m := range records {
		if m.Role != recap.RoleService {
			last = m.ID
		}
	}
	ready = len(turns) > 0 && turns[len(turns)-1].Complete && counted == last
	return turns, last, ready
}

func TestReadAgreesWithReadingForward(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := drawSession(t)
		limit := rapid.IntRange(1, 5).Draw(t, "turns")
		d, err := dialog.Read(context.Background(), &session{records: records}, dialog.Limits{Turns: limit, PageSize: rapid.IntRange(1, 9).Draw(t, "page")})
		if err != nil {
			t.Fatal(err)
		}
		turns, last, ready := forward(records, limit)
		if d.Last != last || d.Ready != ready || len(d.Turns) != len(turns) {
			t.Fatalf("last %q ready %v turns %d, want %q %v %d", d.Last, d.Ready, len(d.Turns), last, ready, len(turns))
		}
		for i, want := range turns {
			got := d.Turns[i]
			if got.UserID != want.UserID || got.AnswerID != want.AnswerID || got.Answer != want.Answer || got.Complete != want.Complete ||
				got.Interrupted != want.Interrupted || got.Failure != want.Failure || !reflect.DeepEqual(got.Tools, want.Tools) {
				t.Fatalf("turn %d\n got %+v\nwant %+v", i, got, want)
			}
		}
		checkDialog(t, d, records, limit)
	})
}

// checkDialog proves what holds of every dialog, whatever the records.
func checkDialog(t interface{ Fatalf(string, ...any) }, d dialog.Dialog, records []recap.Message, limit int) {
	byID := map[string]recap.Message{}
	place := map[string]int{}
	for i, m := range records {
		byID[m.ID], place[m.ID] = m, i
	}
	if len(d.Turns) > limit || len(d.Messages) > dialog.MaxMessages || d.Records > len(records) {
		t.Fatalf("%d turns, %d messages, %d records", len(d.Turns), len(d.Messages), d.Records)
	}
	if d.Ready != (d.NotReady == "") || d.Ready && d.End != dialog.EndComplete || d.End == "" {
		t.Fatalf("ready %v, reason %q, end %q", d.Ready, d.NotReady, d.End)
	}
	if d.Ready && (len(d.Turns) == 0 || d.Turns[len(d.Turns)-1].AnswerID != d.Last) {
		t.Fatalf("ready without an answer: %+v", d)
	}
	if _, ok := byID[d.Last]; !ok && d.Last != "" {
		t.Fatalf("last %q is no record", d.Last)
	}
	before := -1
	for _, turn := range d.Turns {
		u, ok := byID[turn.UserID]
		if !ok || u.Role != recap.RoleUser || place[turn.UserID] <= before {
			t.Fatalf("turn of %q", turn.UserID)
		}
		before = place[turn.UserID]
		if (turn.AnswerID == "") != (turn.Answer == "") || turn.Complete && turn.Answer == "" {
			t.Fatalf("answer %q without text", turn.AnswerID)
		}
		if turn.AnswerID != "" {
			a, ok := byID[turn.AnswerID]
			if !ok || a.Role != recap.RoleAssistant || a.Summary || place[a.ID] < place[u.ID] {
				t.Fatalf("answer %q", turn.AnswerID)
			}
			if p, ok := byID[a.ParentID]; ok && a.ParentID != "" && place[p.ID] < place[u.ID] {
				t.Fatalf("late answer %q was given to %q", a.ID, u.ID)
			}
		}
		if len(turn.Tools) > dialog.MaxTools {
			t.Fatalf("%d tools", len(turn.Tools))
		}
		for s, most := range map[string]int{turn.Text: dialog.MaxUserText, turn.Authored: dialog.MaxUserText, turn.Answer: dialog.MaxAnswerText} {
			if utf8.RuneCountInString(s) > most || !utf8.ValidString(s) || s != strings.TrimSpace(s) {
				t.Fatalf("text %.50q of %d characters", s, utf8.RuneCountInString(s))
			}
		}
	}
	for i, l := range d.Messages {
		if _, ok := byID[l.ID]; !ok || i == 0 && l.Role != recap.RoleUser {
			t.Fatalf("line %d: %+v", i, l)
		}
	}
}

// shuffled pages the records in pieces of drawn sizes, with empty pages and
// records that stand on two pages.
type shuffled struct {
	pages []dialog.Page
}

func (s *shuffled) Page(_ context.Context, before string, _ int) (dialog.Page, error) {
	i := 0
	if before != "" {
		var err error
		if i, err = strconv.Atoi(before); err != nil {
			return dialog.Page{}, err
		}
	}
	return s.pages[i], nil
}

func drawPages(t *rapid.T, records []recap.Message) *shuffled {
	s := &shuffled{}
	for end := len(records); ; {
		start := max(0, end-rapid.IntRange(0, 12).Draw(t, "size"))
		over := min(len(records), end+rapid.IntRange(0, 3).Draw(t, "overlap"))
		s.pages = append(s.pages, dialog.Page{Records: slices.Clone(records[start:over]), Bytes: 1, Next: strconv.Itoa(len(s.pages) + 1)})
		if end = start; end == 0 {
			s.pages[len(s.pages)-1].Next = ""
			return s
		}
	}
}

func TestResultDoesNotDependOnPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := drawSession(t)
		l := dialog.Limits{StopUnready: rapid.Bool().Draw(t, "stop")}
		one, err := dialog.Read(context.Background(), &session{records: records, n: 1000}, l)
		if err != nil {
			t.Fatal(err)
		}
		other, err := dialog.Read(context.Background(), drawPages(t, records), l)
		if err != nil {
			t.Fatal(err)
		}
		one.Pages, one.Bytes, other.Pages, other.Bytes = 0, 0, 0, 0
		if !reflect.DeepEqual(one, other) {
			t.Fatalf("one page\n%+v\nseveral\n%+v", one, other)
		}
	})
}

func TestFingerprintIsOfTextsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := drawSession(t)
		renamed := slices.Clone(records)
		for i := range renamed {
			m := &renamed[i]
			m.ID = "renamed-" + m.ID
			if m.ParentID != "" {
				m.ParentID = "renamed-" + m.ParentID
			}
			m.Created = m.Created.Add(time.Duration(rapid.IntRange(0, 1e9).Draw(t, "later")))
			if !m.Completed.IsZero() {
				m.Completed = m.Completed.Add(time.Hour)
			}
		}
		a, err := dialog.Read(context.Background(), &session{records: records}, dialog.FileLimits())
		if err != nil {
			t.Fatal(err)
		}
		b, err := dialog.Read(context.Background(), drawPages(t, renamed), dialog.FileLimits())
		if err != nil {
			t.Fatal(err)
		}
		if a.Fingerprint() != b.Fingerprint() {
			t.Fatalf("%s and %s", a.Fingerprint(), b.Fingerprint())
		}
	})
}
