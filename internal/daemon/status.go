package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Status is what a daemon says of itself.
type Status struct {
	Holder
	WrittenAt time.Time `json:"writtenAt"`
	// Auto: model calls are allowed.
	Auto bool `json:"auto"`
	// Known counts the sessions that are followed, Phases those in each phase
	// of the quiet window, Runs what is being made, Parked what failed and
	// waits for its session to move on.
	Known  int            `json:"known"`
	Phases map[string]int `json:"phases"`
	Runs   int            `json:"runs"`
	Parked int            `json:"parked"`
	// Capped are sessions that a cap of the day holds, Cap says which.
	Capped int    `json:"capped,omitempty"`
	Cap    string `json:"cap,omitempty"`
	// Recaps made since the start, and of them by a model.
	Recaps  int        `json:"recaps"`
	ByModel int        `json:"byModel"`
	LastAt  *time.Time `json:"lastAt"` // null: none yet
	Servers []Server   `json:"servers"`
	// Store and AtStart are those of [Options].
	Store   string            `json:"store,omitempty"`
	AtStart map[string]string `json:"atStart,omitempty"`
	// Problem is what stands in the way of keeping anything, "" where nothing
	// does.
	Problem string `json:"problem"`
	// LogProblem is why the log can't be written, "" where it can.
	LogProblem string `json:"logProblem,omitempty"`
	// Stopped: it ended in order.
	Stopped bool `json:"stopped"`
	// Goroutines, and the bytes of live memory, are counted where the daemon was
	// told to.
	Goroutines int    `json:"goroutines,omitempty"`
	Heap       uint64 `json:"heap,omitempty"`
}

// Server is a server that the daemon follows.
type Server struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	Connected bool   `json:"connected"`
	Problem   string `json:"problem"` // why it is not
	// Connecting: it was not heard of yet.
	Connecting bool `json:"connecting"`
}

// maxStatus is the longest status or lock file that is read.
const maxStatus = 64 << 10

// same reports whether two say the same.
func (s Status) same(t Status) bool {
	s.WrittenAt, t.WrittenAt = time.Time{}, time.Time{}
	s.Goroutines, t.Goroutines, s.Heap, t.Heap = 0, 0, 0, 0
	return reflect.DeepEqual(s, t)
}

// write replaces the status file whole or not at all.
func (s Status) write(path string) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	// Start made the folder: where what it lies in is gone too, as with a home
	// directory that is not mounted, it is not made anew.
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// One name: only who holds the lock writes, and a killed one leaves no more
	// than one file behind.
	tmp := path + ".new"
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // our own file
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp) //nolint:errcheck,gosec // the first error counts
	}
	return err
}

// read reads a status file; what is unknown in it is passed over.
func read(path string) (Status, error) {
	var s Status
	fi, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	if !fi.Mode().IsRegular() {
		return s, fs.ErrInvalid
	}
	f, err := os.Open(path) //nolint:gosec // our own file
	if err != nil {
		return s, err
	}
	defer f.Close() //nolint:errcheck // read only
	b, err := io.ReadAll(io.LimitReader(f, maxStatus))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// Seen is what a look at a daemon found.
type Seen struct {
	// Running: a daemon follows the store. Then Status.Holder says who.
	Running bool
	// Status is its last word; only the Holder counts where Told is false.
	Status Status
	// Told: the status file speaks of this very daemon.
	Told bool
}

// Look says whether a daemon follows the store, and what it said last. It
// changes nothing. A status file whose daemon is gone is no daemon.
func Look(lockPath, statusPath string) Seen {
	h, held := holder(lockPath)
	if !held { // it may be removed
		h, held = holder(statusLock(statusPath))
	}
	if !held {
		return Seen{}
	}
	seen := Seen{Running: true, Status: Status{Holder: h}}
	if s, err := read(statusPath); err == nil && s.PID == h.PID && s.StartedAt.Equal(h.StartedAt) {
		seen.Status, seen.Told = s, true
	}
	return seen
}

// Elsewhere lists the daemons that run with another status file in the same
// folder: each keeps another store.
func Elsewhere(statusPath string) []Status {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(statusPath), "daemon*.json"))
	if err != nil {
		return nil
	}
	var out []Status
	for _, f := range files {
		if f == statusPath {
			continue
		}
		s, err := read(f)
		if err != nil || s.Store == "" {
			continue
		}
		if seen := Look(LockPath(s.Store), f); seen.Running && seen.Told {
			out = append(out, seen.Status)
		}
	}
	return out
}

// Compare says in words how a daemon's build relates to this command's: "" is
// the same.
func Compare(daemon, command Build) string {
	if daemon == command || daemon.Version == "" {
		return ""
	}
	d, derr := time.Parse(time.RFC3339, daemon.Date)
	c, cerr := time.Parse(time.RFC3339, command.Date)
	order, ok := compareVersions(daemon.Version, command.Version)
	if (!ok || order == 0) && derr == nil && cerr == nil {
		order = d.Compare(c)
	}
	word := "another build than"
	switch {
	case order < 0:
		word = "older than"
	case order > 0:
		word = "newer than"
	case daemon.Version == command.Version && daemon.Commit == command.Commit:
		return ""
	}
	return fmt.Sprintf("%s this command (%s, this is %s)", word, daemon.name(), command.name())
}

func (b Build) name() string {
	if len(b.Commit) >= 12 {
		return b.Version + " " + b.Commit[:12]
	}
	return b.Version
}

// compareVersions compares two release versions; false where one is none.
func compareVersions(a, b string) (order int, ok bool) {
	x, xok := release(a)
	y, yok := release(b)
	if !xok || !yok {
		return 0, false
	}
	return slices.Compare(x[:], y[:]), true
}

// release reads "v1.2.3" and what may stand behind it.
func release(version string) (out [3]int, ok bool) {
	core, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	core, _, _ = strings.Cut(core, "+")
	parts := strings.Split(core, ".")
	if len(parts) != len(out) {
		return out, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return out, false
		}
		out[i] = n
	}
	return out, true
}
