package dialog_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// made makes the records of a session of any length when they are asked for.
type made struct {
	count  int
	record func(i int) recap.Message
	look   func(page int)
	calls  int
}

func (s *made) Page(_ context.Context, before string, n int) (dialog.Page, error) {
	s.calls++
	if s.look != nil {
		s.look(s.calls)
	}
	end := s.count
	if before != "" {
		var err error
		if end, err = strconv.Atoi(before); err != nil {
			return dialog.Page{}, err
		}
	}
	start := max(0, end-n)
	p := dialog.Page{Bytes: int64(1000 * (end - start))}
	for i := start; i < end; i++ {
		p.Records = append(p.Records, s.record(i))
	}
	if start > 0 {
		p.Next = strconv.Itoa(start)
	}
	return p, nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A turn of 100,000 records is read in the memory of what is kept of it. Not
// parallel: it looks at the heap.
func TestHugeTurnIsBounded(t *testing.T) {
	const records = 100_000
	s := &made{count: records, record: func(i int) recap.Message {
		id := "m" + strconv.Itoa(i)
		switch {
		case i == 0:
			return user(id, text("do it all"))
		case i == records-1:
			return answer(id, "m0", text("done"))
		case i%1000 == 7:
			return user(id, synthetic("go on"))
		}
		p := tool(id, recap.ToolDone)
		p.Tool.Output = strings.Repeat("x", 1900) + id
		return step(id, []string{"m0", "", "late" + id}[i%3], text(strings.Repeat("progress ", 700)+id), p)
	}}
	start := heap()
	var most uint64
	s.look = func(page int) {
		if page%250 == 0 {
			most = max(most, heap()-min(start, heap()))
		}
	}
	d, err := dialog.Read(t.Context(), s, dialog.FileLimits())
	if err != nil {
		t.Fatal(err)
	}
	if !d.Ready || len(d.Turns) != 1 || d.Turns[0].Answer != "done" || d.Records != records {
		t.Errorf("ready %v, %d turns, %d records", d.Ready, len(d.Turns), d.Records)
	}
	tools := d.Turns[0].Tools
	if len(tools) < dialog.MaxTools/2 || len(tools) > dialog.MaxTools || tools[len(tools)-1].CallID != "m99997" {
		t.Errorf("%d tools, the newest %+v", len(tools), tools[len(tools)-1].CallID)
	}
	output := 0
	for _, x := range tools {
		output += len(x.Output)
	}
	if output > dialog.MaxOutput || tools[0].Output != "" || tools[len(tools)-1].Output == "" {
		t.Errorf("%d bytes of output", output)
	}
	if len(d.Messages) != dialog.MaxMessages || d.Messages[0].ID != "m0" || d.Messages[len(d.Messages)-1].Text != "done" {
		t.Errorf("%d messages from %q", len(d.Messages), d.Messages[0].ID)
	}
	if most > 12<<20 {
		t.Errorf("held %d MB", most>>20)
	}
	t.Logf("held at most %d KB", most>>10)
	runtime.KeepAlive(d)
}

// The work follows what is kept and not the size of the session.
func TestPagesReadFollowWhatIsKept(t *testing.T) {
	t.Parallel()
	var bytes int64
	for _, count := range []int{100, 10_000, 1_000_000} {
		s := &made{count: count, record: func(i int) recap.Message {
			id := "m" + strconv.Itoa(i)
			if i%20 == 0 {
				return user(id, text("request"))
			}
			return answer(id, "m"+strconv.Itoa(i-i%20), text("answer"))
		}}
		d, err := dialog.Read(t.Context(), s, dialog.FileLimits())
		if err != nil {
			t.Fatal(err)
		}
		if s.calls != 2 || d.Pages != 2 || len(d.Turns) != 3 || d.Records != 60 || bytes != 0 && d.Bytes != bytes {
			t.Errorf("%d records: %d pages, %d turns, %d records, %d bytes", count, s.calls, len(d.Turns), d.Records, d.Bytes)
		}
		bytes = d.Bytes
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	record := func(i int) recap.Message {
		if i == 0 {
			return user("m0", text("request"))
		}
		return answer("m"+strconv.Itoa(i), "m0", text("answer"))
	}
	for _, tt := range []struct {
		name       string
		limits     dialog.Limits
		pages      int
		turns      int
		truncated  bool
		ready      bool
		wantReason string
	}{
		{"server", dialog.ServerLimits(), 8, 0, true, false, dialog.NoRequest},
		{"file", dialog.FileLimits(), 20, 1, false, true, ""},
		{"bytes", dialog.Limits{MaxBytes: 100_000}, 2, 0, true, false, dialog.NoRequest},
		{"zero", dialog.Limits{}, 20, 1, false, true, ""},
		{"just enough pages", dialog.Limits{MaxPages: 20}, 20, 1, false, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &made{count: 1000, record: record}
			d, err := dialog.Read(t.Context(), s, tt.limits)
			if err != nil {
				t.Fatal(err)
			}
			if s.calls != tt.pages || len(d.Turns) != tt.turns || d.Truncated != tt.truncated || d.Ready != tt.ready || d.NotReady != tt.wantReason {
				t.Errorf("%d pages, %+v", s.calls, d)
			}
			if d.Last != "m999" || d.End != dialog.EndComplete {
				t.Errorf("last %q, end %s", d.Last, d.End)
			}
		})
	}
	if l := dialog.FileLimits(); l.Turns != 3 || l.PageSize != 50 || l.MaxPages != 0 || l.MaxBytes != 256<<20 {
		t.Errorf("%+v", l)
	}
	if l := dialog.ServerLimits(); l.Turns != 3 || l.PageSize != 50 || l.MaxPages != 8 {
		t.Errorf("%+v", l)
	}
}

func TestCanceledReadingStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &made{count: 1_000_000, record: func(i int) recap.Message { return service(strconv.Itoa(i)) }, look: func(page int) {
		if page == 3 {
			cancel()
		}
	}}
	if _, err := dialog.Read(ctx, s, dialog.FileLimits()); err == nil || s.calls != 3 {
		t.Errorf("%d pages, %v", s.calls, err)
	}
}

func TestDialogView(t *testing.T) {
	t.Parallel()
	turns := func(n, steps int) (m []recap.Message) {
		for i := range n {
			u := fmt.Sprintf("u%d", i)
			m = append(m, user(u, text(u)))
			for k := range steps {
				m = append(m, step(fmt.Sprintf("a%d.%d", i, k), u, text("x")), step(fmt.Sprintf("t%d.%d", i, k), u, tool("t", recap.ToolDone)))
			}
		}
		return m
	}
	for _, tt := range []struct {
		name        string
		records     []recap.Message
		count       int
		first, last string
	}{
		{"all of a short one", turns(3, 2), 9, "u0", "a2.1"},
		{"moved forward to a user's", turns(3, 12), 26, "u1", "a2.11"},
		{"exactly full", turns(2, 14), 30, "u0", "a1.13"},
		{"reaches back to a user's", turns(3, 40), 30, "u2", "a2.39"},
		{"ends with a user's", append(turns(1, 40), user("u9", text("now"))), 1, "u9", "u9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := read(t, tt.records...).Messages
			if len(m) != tt.count || m[0].ID != tt.first || m[len(m)-1].ID != tt.last {
				t.Errorf("%d messages from %s to %s", len(m), m[0].ID, m[len(m)-1].ID)
			}
		})
	}
}

func TestTimesAndModel(t *testing.T) {
	t.Parallel()
	a := answer("a", "u", text("done"))
	a.Model = recap.ModelRef{}
	d := read(t, user("u", text("q")), step("s", "u", text("on it")), a)
	turn := d.Turns[0]
	if !turn.At.Equal(when("u")) || !turn.AnswerAt.Equal(a.Completed) || !d.LastAt.Equal(a.Completed) || turn.Model.String() != "p/m" {
		t.Errorf("%+v %v", turn, d.LastAt)
	}
}
