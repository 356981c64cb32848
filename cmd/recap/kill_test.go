//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store/sqlite"
)

// Lives of the daemon in TestH8_KilledAtRandom, in homes at once, and its seed.
// A hundred take a minute: make kill.
const (
	homesAtOnce = 4
	manyLives   = 25 // in each, with RECAP_TEST_LONG
	fewLives    = 5  // and without
	killSeed    = 20261130

	longestLife = 3 * time.Second
)

// tailModel answers chat completions and counts the requests about each tail.
type tailModel struct {
	*httptest.Server
	mu   sync.Mutex
	rnd  *rand.Rand
	seen map[string]int // by tail: requests that came
	done map[string]int // and those that were answered whole
}

var tailName = regexp.MustCompile(`tail[0-9]{5}`)

func newTailModel(t *testing.T, seed uint64) *tailModel {
	m := &tailModel{rnd: rand.New(rand.NewPCG(seed, 2)), seen: map[string]int{}, done: map[string]int{}}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *tailModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	names := tailName.FindAllString(string(b), -1)
	if err != nil || len(names) == 0 {
		http.Error(w, "no tail", http.StatusBadRequest)
		return
	}
	tail := names[0]
	for _, n := range names {
		tail = max(tail, n) // the newest
	}
	m.mu.Lock()
	m.seen[tail]++
	wait := time.Duration(m.rnd.IntN(120)) * time.Millisecond
	m.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-r.Context().Done():
		return
	}
	said, _ := json.Marshal(map[string]string{"recap": "The page " + tail + " has its new words.", "away": "The page " + tail + " has its new words.", "suggestion": ""})
	body, _ := json.Marshal(map[string]any{
		"id": "1", "object": "chat.completion", "model": "tiny",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": string(said)}}},
		"usage":   map[string]int{"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960},
	})
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(body); err == nil && r.Context().Err() == nil {
		m.mu.Lock()
		m.done[tail]++
		m.mu.Unlock()
	}
}

// all counts every request.
func (m *tailModel) all() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, k := range m.seen {
		n += k
	}
	return n
}

func (m *tailModel) requests(tail string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[tail]
}

// mover moves sessions of two agents that keep files.
type mover struct {
	home, dir string
	rnd       *rand.Rand
	turns     int
	sessions  []string // ids; the odd ones are Codex's
	tails     map[string]string
}

func (m *mover) turn() error {
	m.turns++
	k := m.rnd.IntN(len(m.sessions) + 6) // often a new one: a killed claim holds a session for a while
	if k >= len(m.sessions) {
		k = len(m.sessions)
		m.sessions = append(m.sessions, fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0x10000000+k))
	}
	id, tail := m.sessions[k], fmt.Sprintf("tail%05d", m.turns)
	m.tails[tail] = id
	now := time.Now()
	if k%2 == 0 {
		return claudeTurn(m.home, m.dir, id, "Give the page "+tail+" new words", now)
	}
	return codexTurn(m.home, m.dir, id, "Give the page "+tail+" new words", m.turns, now)
}

// again says something that moves no content of a session of Claude Code.
func (m *mover) again() error {
	if len(m.sessions) == 0 {
		return nil
	}
	path := filepath.Join(m.home, ".claude", "projects", claudeSlug(m.dir), m.sessions[m.rnd.IntN(len(m.sessions))]+".jsonl")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil //nolint:nilerr // Codex's
	}
	_, err = fmt.Fprintf(f, `{"type":"mode","mode":"normal","sessionId":"x"}`+"\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// codexTurn appends what Codex writes of a request and its answer.
func codexTurn(home, dir, id, request string, n int, at time.Time) error {
	folder := filepath.Join(home, ".codex", "sessions", "2026", "11", "30")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := filepath.Join(folder, "rollout-2026-11-30T02-00-00-"+id+".jsonl")
	_, missing := os.Stat(path)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	stamp := at.UTC().Format("2006-01-02T15:04:05.000Z")
	var b strings.Builder
	row := func(typ, payload string) {
		fmt.Fprintf(&b, `{"timestamp":%q,"type":%q,"payload":%s}`+"\n", stamp, typ, payload)
	}
	if missing != nil {
		row("session_meta", fmt.Sprintf(`{"id":%q,"timestamp":%q,"cwd":%q,"originator":"codex_cli_rs","cli_version":"0.98.0","source":"cli","model_provider":"local"}`, id, stamp, dir))
	}
	turn := fmt.Sprintf("turn-%d", n)
	answer := "Done: " + request + ". The page has its new words now."
	row("event_msg", fmt.Sprintf(`{"type":"task_started","turn_id":%q}`, turn))
	row("response_item", fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, request))
	row("event_msg", fmt.Sprintf(`{"type":"user_message","message":%q}`, request))
	row("event_msg", fmt.Sprintf(`{"type":"agent_message","message":%q}`, answer))
	row("response_item", fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}`, answer))
	row("event_msg", fmt.Sprintf(`{"type":"task_complete","turn_id":%q,"last_agent_message":%q}`, turn, answer))
	_, err = f.WriteString(b.String())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// startServe starts the daemon and gives its process once it follows.
func startServe(t *testing.T, program string, env []string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, "serve")
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	if line, err := in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "following ") {
		_ = cmd.Process.Kill()
		t.Fatalf("%q, %v\n%s", line, err, errs.String())
	}
	go io.Copy(io.Discard, in) //nolint:errcheck // until it ends
	return cmd
}

// TestH8_KilledAtRandom kills the daemon at random moments while sessions of
// two agents move and a model answers: each time the store opens, no call is
// made about a tail whose recap is stored, and the ledger holds every call that
// the model saw.
func TestH8_KilledAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	// Under the race detector the program takes too long to get anywhere in its
	// short life.
	program := filepath.Join(t.TempDir(), "recap")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var kept, cut atomic.Int64
	t.Run("homes", func(t *testing.T) {
		for n := range uint64(homesAtOnce) {
			t.Run(strconv.FormatUint(n, 10), func(t *testing.T) {
				t.Parallel()
				stored, unanswered := killAtRandom(t, program, killSeed+n)
				kept.Add(int64(stored))
				cut.Add(int64(unanswered))
			})
		}
	})
	if kept.Load()+cut.Load() < 10 {
		t.Errorf("%d recaps stored and %d calls cut off prove nothing", kept.Load(), cut.Load())
	}
}

func killAtRandom(t *testing.T, program string, seed uint64) (kept, cut int) {
	model := newTailModel(t, seed)
	home := t.TempDir()
	dir := filepath.Join(home, "src", "app")
	config := filepath.Join(home, "config.toml")
	for _, d := range []string{dir, filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".codex", "sessions", "2026", "11", "30")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := "[assist]\nauto = true\nquiet_window = \"40ms\"\n[budget]\ndaily_tokens = \"unlimited\"\ndaily_usd = \"unlimited\"\nsession_tokens = \"unlimited\"\n" +
		"[model]\noverride = \"local/tiny\"\n[model.providers.local]\nprotocol = \"openai\"\nbase_url = \"" + model.URL + "/v1\"\nmodels = [\"tiny\"]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "RECAP_CONFIG=" + config, "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0"}
	rnd := rand.New(rand.NewPCG(seed, 1))
	m := &mover{home: home, dir: dir, rnd: rnd, tails: map[string]string{}}
	storePath := filepath.Join(home, ".local", "share", "recap", "recap.db")

	stored := map[string]int{} // by tail: the requests that had come when its recap was seen stored
	var slowest time.Duration
	lives := fewLives
	if os.Getenv("RECAP_TEST_LONG") != "" {
		lives = manyLives
	}
	for life := range lives {
		begin := time.Now()
		cmd := startServe(t, program, env)
		slowest = max(slowest, time.Since(begin))
		// It dies a moment after the model was asked a few times, or before.
		asked, wanted := model.all(), rnd.IntN(4)
		more := time.Duration(rnd.IntN(150)) * time.Millisecond
		if wanted == 0 {
			more *= 3
		}
		var over time.Time
		for end := time.Now().Add(longestLife); time.Now().Before(end); {
			if over.IsZero() && model.all()-asked >= wanted {
				over = time.Now().Add(more)
			}
			if !over.IsZero() && time.Now().After(over) {
				break
			}
			if m.turns == 0 || rnd.IntN(4) == 0 {
				if err := m.turn(); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.again(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(5+rnd.IntN(20)) * time.Millisecond)
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() //nolint:errcheck // it was killed
		for tail := range storedTails(t, storePath, home) {
			if _, ok := stored[tail]; !ok {
				stored[tail] = model.requests(tail)
			}
		}
		if t.Failed() {
			t.Fatalf("in life %d", life)
		}
	}

	model.mu.Lock()
	defer model.mu.Unlock()
	calls, unanswered := 0, 0
	for tail, n := range model.seen {
		calls += n
		unanswered += n - model.done[tail]
		if at, ok := stored[tail]; ok && n > at {
			t.Errorf("%s: %d calls after its recap was stored", tail, n-at)
		}
	}
	t.Logf("%d lives, slowest start %v: %d turns of %d sessions, %d calls, %d of them cut off, %d recaps by the model seen stored",
		lives, slowest.Round(time.Millisecond), m.turns, len(m.sessions), calls, unanswered, len(stored))
	ledger(t, storePath, model.seen, m.tails)

	// What the commands do beside it takes nothing away while it is fresh.
	before := storedTails(t, storePath, home)
	cmd := exec.Command(program, "list", "--all")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("recap list: %v %s", err, out)
	}
	after := storedTails(t, storePath, home)
	newest := map[string]string{}
	for tail, id := range m.tails {
		newest[id] = max(newest[id], tail)
	}
	for tail := range before {
		if !after[tail] && newest[m.tails[tail]] == tail {
			t.Errorf("recap list took the model's recap of %s away", tail)
		}
	}
	// E66, E67: each call is in the log with its model and tokens, and no text.
	log, err := os.ReadFile(filepath.Join(filepath.Dir(statusOf(home)), "recap.log"))
	if err != nil || !strings.Contains(string(log), "model=tiny background=true") || !strings.Contains(string(log), "inputTokens=900 outputTokens=60") {
		t.Errorf("the log does not say what was asked, %v", err)
	}
	if words := regexp.MustCompile(`tail[0-9]{5}|new words`).FindString(string(log)); words != "" {
		t.Errorf("%q of a session is in the log", words)
	}
	return len(stored), unanswered
}

// storedTails opens the store and gives the tails with a model's recap; what is
// half written is an error.
func storedTails(t *testing.T, path, home string) map[string]bool {
	t.Helper()
	st, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Errorf("the store does not open: %v", err)
		return nil
	}
	defer st.Close() //nolint:errcheck // read only
	recs, err := st.Records(context.Background(), nil)
	if err != nil {
		t.Errorf("the records can't be read: %v", err)
	}
	out := map[string]bool{}
	for _, r := range recs {
		if r.Source == recap.FromModel {
			out[tailName.FindString(r.Request)] = true
			if name := tailName.FindString(r.Recap); name != tailName.FindString(r.Request) {
				t.Errorf("%s: a recap of %s stands at a request of %s", r.Session, name, r.Request)
			}
		}
	}
	state := filepath.Dir(statusOf(home))
	if b, err := os.ReadFile(statusOf(home)); err != nil || !json.Valid(b) {
		t.Errorf("the status file holds %q, %v", b, err)
	}
	left, err := filepath.Glob(filepath.Join(state, "*.new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return out
}

// ledger holds the ledger to what the model saw.
func ledger(t *testing.T, path string, seen map[string]int, sessions map[string]string) {
	t.Helper()
	st, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close() //nolint:errcheck // read only
	entries, err := st.Entries(context.Background(), time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	booked, open := map[string]int{}, 0
	for _, e := range entries {
		if e.Settled == nil {
			open++
		}
		if e.Settled == nil || e.Settled.Sent {
			booked[e.Session.ID]++
			if e.Tokens() == 0 {
				t.Errorf("entry %d of %s counts nothing", e.ID, e.Session)
			}
		}
	}
	asked := map[string]int{}
	for tail, n := range seen {
		asked[sessions[tail]] += n
	}
	for id, n := range asked {
		if booked[id] < n {
			t.Errorf("session %s: %d calls seen, %d booked", id, n, booked[id])
		}
	}
	t.Logf("ledger: %d entries, %d left reserved", len(entries), open)
}
