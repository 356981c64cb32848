package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Build says what a program was built of.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Date    string `json:"date"` // RFC 3339, of the commit
}

// Holder is who holds the lock.
type Holder struct {
	PID       int       `json:"pid"`
	StartedAt time.Time `json:"startedAt"`
	Build
}

// errHeld: another process holds the lock.
var errHeld = errors.New("the lock is held")

// RunningError says that another daemon follows the store.
type RunningError struct {
	// Holder has PID 0 where the other is just starting.
	Holder Holder
}

// Error says who runs.
func (e *RunningError) Error() string {
	if e.Holder.PID == 0 {
		return "another recap serve is starting"
	}
	return fmt.Sprintf("recap serve runs already (pid %d, since %s)", e.Holder.PID, e.Holder.StartedAt.Local().Format("Jan 2 15:04"))
}

// Unwrap gives the coded error.
func (e *RunningError) Unwrap() error {
	hint := "recap doctor shows what it does"
	if e.Holder.PID != 0 {
		hint += fmt.Sprintf("; kill %d stops it", e.Holder.PID)
	}
	return &recap.Error{Code: recap.CodeRunning, Message: e.Error(), Hint: hint}
}

// LockPath is the lock beside a store: one for all names of the store.
func LockPath(store string) string {
	if to, err := filepath.EvalSymlinks(store); err == nil {
		store = to
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(store)); err == nil {
		store = filepath.Join(dir, filepath.Base(store))
	}
	return store + ".lock"
}

// A look at the lock takes it for a moment, so one that is held is tried again.
const (
	lockTries = 5
	lockPause = 20 * time.Millisecond
)

// lock makes the lock's folder, takes the lock and writes the holder into its
// file. The file stays when the lock is given up: removing it would let two
// hold two files of one name.
func lock(path string, h Holder) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil { //nolint:gosec // beside the store
		return nil, lockError(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // beside the store
	if err != nil {
		return nil, lockError(path, err)
	}
	for try := 1; ; try++ {
		err = tryLock(f, true)
		if !errors.Is(err, errHeld) || try == lockTries {
			break
		}
		time.Sleep(lockPause)
	}
	if errors.Is(err, errHeld) {
		held := holderOf(f)
		f.Close() //nolint:errcheck,gosec // read only
		return nil, &RunningError{Holder: held}
	}
	if err == nil {
		err = sign(f, h)
	}
	if err != nil {
		f.Close() //nolint:errcheck,gosec // the first error counts
		return nil, lockError(path, err)
	}
	return f, nil
}

// sign writes into the lock's file who holds it.
func sign(f *os.File, h Holder) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt(append(b, '\n'), 0)
	}
	return err
}

func lockError(path string, err error) error {
	why := err
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		why = pe.Err
	}
	return &recap.Error{
		Code: recap.CodeStore, Message: "the lock " + path + " can't be taken: " + why.Error(),
		Hint: "check who owns its folder and the space on its disk, or set store.url to another place", Err: nil,
	}
}

// holderOf reads who holds the lock, zero where that is not written yet.
func holderOf(f *os.File) Holder {
	var h Holder
	b, err := io.ReadAll(io.NewSectionReader(f, 0, maxStatus))
	if err != nil || json.Unmarshal(b, &h) != nil || !alive(h.PID) {
		return Holder{}
	}
	return h
}

// holder tells whether the lock at path is held, and by whom.
func holder(path string) (h Holder, held bool) {
	f, err := os.Open(path) //nolint:gosec // beside the store
	if err != nil {
		return h, false
	}
	defer f.Close() //nolint:errcheck // read only
	if !errors.Is(tryLock(f, false), errHeld) {
		return h, false // closing gives it up
	}
	return holderOf(f), true
}
