package outbound_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// crashEnv tells the test binary to be the program that is killed: the file of
// the store, the address of the server, the numbers of the store and of the round.
const crashEnv = "RECAP_TEST_CRASH_CALLS"

// TestCrashChild makes calls, some at a time, until it is killed.
func TestCrashChild(t *testing.T) {
	args := strings.Split(os.Getenv(crashEnv), "|")
	if len(args) != 4 {
		t.Skip("runs in a process of its own")
	}
	s, err := sqlite.Open(context.Background(), args[0])
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	sender := outbound.New(outbound.Options{
		Client: func(p llm.Provider) (llm.Client, error) { return web{p, h}, nil }, Ledger: s, Caps: store.NoCaps,
	})
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				c := call(fmt.Sprintf("round%s-%d-%d", args[3], worker, i))
				c.Request.Session = args[2] + " " + c.Session.ID
				c.Provider.BaseURL = args[1]
				if _, err := sender.Send(context.Background(), c); err != nil {
					t.Errorf("%v", err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestH8_KillAtAnyPointKeepsTheLedgerWhole kills the program fifty times at
// random points. Each request that the server saw is in the ledger and in the
// egress log, and what was not settled counts at its estimate.
func TestH8_KillAtAnyPointKeepsTheLedgerWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("starts fifty processes")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu   sync.Mutex
		made int // number of the store, so that no late request of an older one counts
		seen map[string]bool
		came = make(chan struct{}, 1<<16)
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		store, id, _ := strings.Cut(q.Header.Get("X-Session"), " ")
		if store == strconv.Itoa(made) {
			seen[id] = true
		}
		mu.Unlock()
		came <- struct{}{}
		_, _ = io.Copy(io.Discard, q.Body)
		_, _ = io.WriteString(w, "done")
	}))
	defer server.Close()
	random := rand.New(rand.NewPCG(8, 50))
	path := filepath.Join(t.TempDir(), "recap.db")
	unsettled := 0
	for round := range 50 {
		if round%10 == 0 { // in every tenth round the store is being made
			path = filepath.Join(t.TempDir(), "new", "recap.db")
			mu.Lock()
			made, seen = round, map[string]bool{}
			mu.Unlock()
		}
		killAfter(t, exe, fmt.Sprintf("%s|%s|%d|%d", path, server.URL, made, round), random, came)
		server.CloseClientConnections()
		mu.Lock()
		unsettled += booked(t, path, seen, round)
		mu.Unlock()
	}
	if unsettled == 0 {
		t.Error("no call was cut by a kill: the test proves nothing")
	}
}

// killAfter runs the child and kills it some way behind its nth request.
func killAfter(t *testing.T, exe, args string, random *rand.Rand, came <-chan struct{}) {
	t.Helper()
	cmd := exec.Command(exe, "-test.run=^TestCrashChild$")
	cmd.Env = append(os.Environ(), crashEnv+"="+args)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range random.IntN(60) + 1 {
		select {
		case <-came:
		case err := <-ended:
			t.Fatalf("the child ended by itself: %v\n%s", err, out.String())
		}
	}
	for range random.IntN(1 << random.IntN(22)) { // up to some milliseconds on
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Fatal("the child ended by itself")
	}
	for len(came) > 0 {
		<-came
	}
}

// booked opens the store and compares it with what the server saw; it gives
// how many calls were never settled.
func booked(t *testing.T, path string, seen map[string]bool, round int) (unsettled int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("round %d: the store does not open: %v", round, err)
	}
	defer func() { _ = s.Close() }()
	es, err := s.Entries(t.Context(), time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	gs, err := s.Egress(t.Context(), time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	inLedger, inLog := map[string]bool{}, map[string]bool{}
	for _, e := range es {
		inLedger[e.Session.ID] = true
		if e.Settled == nil {
			unsettled++
			if e.Tokens() != e.InputTokens+e.OutputTokens || e.Tokens() < 100 {
				t.Errorf("round %d: an unsettled call counts %d", round, e.Tokens())
			}
		}
	}
	for _, g := range gs {
		inLog[g.Session.ID] = true
	}
	for id := range seen {
		if !inLedger[id] || !inLog[id] {
			t.Errorf("round %d: the server saw %s: in the ledger %v, in the egress log %v", round, id, inLedger[id], inLog[id])
		}
	}
	if len(seen) == 0 {
		t.Errorf("round %d: the server saw nothing", round)
	}
	return unsettled
}
