package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// childEnv tells the test binary to be the program that is killed.
const childEnv = "RECAP_TEST_CRASH_STORE"

func session(id string) recap.SessionRef {
	return recap.SessionRef{Agent: recap.Codex, Root: "/home/dev/.codex", ID: id}
}

// TestCrashChild writes until it is killed, and says what was confirmed.
func TestCrashChild(t *testing.T) {
	path := os.Getenv(childEnv)
	if path == "" {
		t.Skip("runs in a process of its own")
	}
	fmt.Println("opening")
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		// Each round changes, adds and forgets.
		ref := session(strconv.Itoa(i % 40))
		c := store.Claim{Session: ref, Owner: "child", Fingerprint: strconv.Itoa(i)}
		now := time.Unix(int64(i), 0)
		r := recap.Record{
			Session: ref, Fingerprint: strconv.Itoa(i), UpdatedAt: now,
			Recap: fmt.Sprintf("round%d ", i) + strings.Repeat("text ", i%900),
		}
		steps := []error{
			s.Claim(context.Background(), c, now, time.Minute),
			s.Put(context.Background(), r, store.Condition{Claim: &c}),
			s.Decide(context.Background(), store.Decision{Session: ref, Action: strconv.Itoa(i)}),
			s.Release(context.Background(), c),
		}
		for _, err := range steps {
			if err != nil {
				fmt.Println("error", err)
				os.Exit(1)
			}
		}
		fmt.Println("put", i)
		if i%7 == 6 {
			gone := session(strconv.Itoa((i + 3) % 40))
			if _, err := s.Forget(context.Background(), store.Which{Session: &gone}); err != nil {
				fmt.Println("error", err)
				os.Exit(1)
			}
			fmt.Println("forgot", (i+3)%40)
		}
	}
}

func TestH8_KillAtAnyPointLeavesAWholeStore(t *testing.T) {
	if testing.Short() {
		t.Skip("starts thirty processes")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(8, 30))
	path := filepath.Join(t.TempDir(), "recap.db")
	for round := range 30 {
		if round%3 == 0 { // in every third round the store is being made
			path = filepath.Join(t.TempDir(), "new", "recap.db")
		}
		lines := random.IntN(40)
		if round%6 == 0 {
			lines = 0
		}
		confirmed := killAfter(t, exe, path, lines, random)
		check(t, path, confirmed, fmt.Sprintf("round %d, killed after %d lines", round, lines))
	}
}

// killAfter runs the child, kills it while it works on what comes after so
// many lines, and gives the fingerprint ("" = forgotten) of each session that
// the child confirmed.
func killAfter(t *testing.T, exe, path string, lines int, random *rand.Rand) map[string]string {
	t.Helper()
	cmd := exec.Command(exe, "-test.run=^TestCrashChild$")
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	confirmed := map[string]string{}
	in := bufio.NewScanner(out)
	for n := 0; in.Scan(); n++ {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "put":
			i, err := strconv.Atoi(rest)
			if err != nil {
				t.Fatal(err)
			}
			confirmed[strconv.Itoa(i%40)] = rest
		case "forgot":
			confirmed[rest] = ""
		case "error":
			t.Fatalf("child: %s", rest)
		}
		if n == lines {
			// Somewhere inside the next steps: up to some milliseconds on.
			for range random.IntN(1 << random.IntN(25)) {
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	return confirmed
}

func check(t *testing.T, path string, confirmed map[string]string, when string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	for id, want := range confirmed {
		r, err := s.Record(t.Context(), session(id))
		if want == "" {
			continue // forgotten, and perhaps written again
		}
		got, aerr := strconv.Atoi(r.Fingerprint)
		least, berr := strconv.Atoi(want)
		// The child may have gone on, also to forget it: then the record is
		// newer or gone, with a later round stored.
		if err == nil && (aerr != nil || berr != nil || got < least) {
			t.Errorf("%s: session %s has %q, confirmed was %q", when, id, r.Fingerprint, want)
		}
		if err == nil && !strings.HasPrefix(r.Recap, "round"+r.Fingerprint+" ") {
			t.Errorf("%s: session %s is a mix: %q, %.20q", when, id, r.Fingerprint, r.Recap)
		}
	}
	all, err := s.Records(t.Context(), nil)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	missing := 0
	for id, want := range confirmed {
		if want != "" && !hasID(all, id) {
			missing++
		}
	}
	if missing > 1 { // the child forgets one session between two lines
		t.Errorf("%s: %d confirmed records are missing", when, missing)
	}
	for _, r := range all {
		found, err := s.Search(t.Context(), []string{"round" + r.Fingerprint + " "}, 0)
		if err != nil || !hasID(found, r.Session.ID) {
			t.Errorf("%s: the index lacks session %s: %v", when, r.Session.ID, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	wholeFile(t, path)
}

func hasID(rs []recap.Record, id string) bool {
	for _, r := range rs {
		if r.Session.ID == id {
			return true
		}
	}
	return false
}

// wholeFile asks SQLite whether the file and the search index are whole.
func wholeFile(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var answer string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		t.Errorf("integrity_check: %q, %v", answer, err)
	}
	// With a rank of 1 the index is compared with the texts.
	if _, err := db.Exec("INSERT INTO record_text (record_text, rank) VALUES ('integrity-check', 1)"); err != nil {
		t.Errorf("search index: %v", err)
	}
}
