package agenttest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

func testRecords(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.build.Begin(t, work, at(0))
	h.build.Add(t, id,
		Event{Kind: Noise, At: at(0), Size: 20_000},
		Event{Kind: Prompt, At: at(0), Text: "Почини тест 🙂\nвторая строка"},
		Event{Kind: Command, At: at(1), Text: "go test ./x", Output: "--- FAIL: TestX", Exit: 1},
		Event{Kind: Command, At: at(2), Text: "go test ./y", Output: "ok  y"},
		Event{Kind: Answer, At: at(3), Text: "Починил \"тест\"."},
		Event{Kind: Noise, At: at(3), Size: 20_000},
		Event{Kind: Picture, At: at(4), Text: "What is this?", Size: 1000},
		Event{Kind: Answer, At: at(5), Text: "A cat."},
		Event{Kind: Prompt, At: at(6), Text: "Count"},
		Event{Kind: Command, At: at(6), Text: "sleep 1", Output: strings.Repeat("long output ", 3000)},
		Event{Kind: Interrupt, At: at(7)},
	)
	got := h.read(id)
	if want := []string{"Почини тест 🙂\nвторая строка", "What is this?", "Count"}; !slices.Equal(texts(got, recap.RoleUser), want) {
		t.Errorf("prompts = %q, want %q", texts(got, recap.RoleUser), want)
	}
	if want := []string{"Починил \"тест\".", "A cat."}; !slices.Equal(texts(got, recap.RoleAssistant), want) {
		t.Errorf("answers = %q, want %q", texts(got, recap.RoleAssistant), want)
	}
	testTools(t, m, tools(got))
	ids := map[string]bool{}
	interrupted, files := false, 0
	var last time.Time
	for i, r := range got {
		if r.ID == "" || ids[r.ID] {
			t.Errorf("record %d: id %q", i, r.ID)
		}
		ids[r.ID] = true
		if r.Created.IsZero() || r.Created.Before(last) {
			t.Errorf("record %d: created %v after %v", i, r.Created, last)
		}
		last = r.Created
		interrupted = interrupted || r.Interrupted
		for _, p := range r.Parts {
			if p.Kind == recap.PartFile && p.File != nil {
				files++
			}
		}
		if r.Role != recap.RoleAssistant {
			continue
		}
		stop := len(texts([]recap.Message{r}, recap.RoleAssistant)) > 0
		if stop && (r.Finish != recap.FinishStop || r.Completed.IsZero()) {
			t.Errorf("answer %d: finish %q, completed %v", i, r.Finish, r.Completed)
		}
	}
	if !interrupted {
		t.Error("no record is interrupted")
	}
	if files != 1 {
		t.Errorf("%d files", files)
	}
}

func testTools(t *testing.T, m Member, got []recap.Tool) {
	t.Helper()
	if len(got) != 3 {
		t.Fatalf("%d tool calls: %+v", len(got), got)
	}
	for i, want := range []struct {
		cmd, out string
		exit     int
	}{{"go test ./x", "--- FAIL: TestX", 1}, {"go test ./y", "ok  y", 0}, {"sleep 1", "long output", 0}} {
		c := got[i]
		if c.Kind != recap.ToolCommand || c.Command != want.cmd || !strings.Contains(c.Output, want.out) || c.CallID == "" || c.Name == "" {
			t.Errorf("call %d = %+v", i, c)
		}
		if c.Status != recap.ToolDone && (want.exit == 0 || c.Status != recap.ToolFailed) {
			t.Errorf("call %d: status %q", i, c.Status)
		}
		if !m.NoExit && (c.Exit == nil || *c.Exit != want.exit) {
			t.Errorf("call %d: exit %v, want %d", i, c.Exit, want.exit)
		}
		if len([]rune(c.Output)) > recap.MaxToolOutput {
			t.Errorf("call %d: output of %d characters", i, len([]rune(c.Output)))
		}
	}
}

func testPages(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 12, "apples")
	want := h.read(id)
	if n := len(texts(want, recap.RoleUser)); n != 12 {
		t.Fatalf("%d prompts", n)
	}
	for _, n := range []int{1, 2, 3, 5, 1000} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			got, problems, err := h.pages(id, n)
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("pages of %d: %d records, want %d\n%+v\n%+v", n, len(got), len(want), got, want)
			}
		})
	}
	p, err := h.src.Page(t.Context(), h.ref(id), "", 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Next == "" || len(p.Records) == 0 || len(p.Records) >= len(want) {
		t.Errorf("a page of 1 has %d of %d records, next %q", len(p.Records), len(want), p.Next)
	}
	if _, err := h.src.Page(t.Context(), h.ref(id), "no cursor", 1); err == nil {
		t.Error("a cursor that is none was taken")
	}
}

func testUnknown(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	for _, bad := range []string{
		"", "no-such-session", "../" + id, "x/../" + id, "./" + id, id + "/", "/" + id, "..", ".", "/etc/passwd",
		"../../etc/passwd", id + "\x00", strings.Repeat("a", 5000), "%2e%2e", "*", "' OR 1=1 --",
	} {
		_, err := h.src.Page(t.Context(), h.ref(bad), "", 1)
		if recap.CodeOf(err) != recap.CodeSessionNotFound {
			t.Errorf("id %.40q: %v", bad, err)
		}
	}
	other := h.ref(id)
	other.Root = "/somewhere/else"
	if _, err := h.src.Page(t.Context(), other, "", 1); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("another root: %v", err)
	}
	other = h.ref(id)
	other.Agent = "somebody"
	if _, err := h.src.Page(t.Context(), other, "", 1); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("another agent: %v", err)
	}
}

func testConcurrent(t *testing.T, m Member) {
	h := newHome(t, m)
	ids := []string{h.session(work, 0, 3, "apples"), h.session(work, 30, 3, "pears")}
	want := len(h.read(ids[0]))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for s, err := range h.src.Sessions(t.Context(), agent.Query{}) {
				if err != nil || s.Ref.ID == "" {
					t.Errorf("listing: %v", err)
				}
			}
			got, _, _, err := readAll(t, h.src, h.ref(ids[i%2]), 2)
			if err != nil || len(got) != want {
				t.Errorf("%d records, want %d: %v", len(got), want, err)
			}
		})
	}
	wg.Wait()
}

func testCancelled(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	var last error
	n := 0
	for _, err := range h.src.Sessions(canceled(t), agent.Query{}) {
		last = err
		n++
	}
	if n != 1 || !isCanceled(last) {
		t.Errorf("listing: %d values, error %v", n, last)
	}
	if _, err := h.src.Page(canceled(t), h.ref(id), "", 1); !isCanceled(err) {
		t.Errorf("page: %v", err)
	}
}
