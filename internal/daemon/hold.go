package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	recap "github.com/sessionrecap/recap"
)

// statusLock is the lock beside a status file.
func statusLock(status string) string { return status + ".lock" }

// holds are the locks of a daemon: that beside its status file and that beside
// its store. Who removes a file whose lock is held lets others make it anew and
// lock that: so there are two, in two folders, and both are looked at again
// before anything is read or written.
type holds struct {
	h Holder

	mu            sync.Mutex
	status, store held
	lost          error
}

// held is a lock and its file as it was taken.
type held struct {
	path string
	f    *os.File // nil: not taken
	as   fs.FileInfo
}

// take takes both locks, the store's last: who has that one runs. The folder of
// the other may be one that can't be written; then the store's serves alone.
func take(store, status string, h Holder) (*holds, error) {
	l := &holds{h: h, status: held{path: statusLock(status)}, store: held{path: store}}
	f, err := lock(l.status.path, h)
	if _, ok := errors.AsType[*RunningError](err); ok {
		return nil, err
	}
	l.status.set(f)
	if f, err = lock(store, h); err != nil {
		l.release()
		return nil, err
	}
	l.store.set(f)
	return l, nil
}

func (x *held) set(f *os.File) {
	if f == nil {
		return
	}
	x.close()
	as, err := f.Stat()
	if err != nil { // then it is taken anew
		as = nil
	}
	x.f, x.as = f, as
}

// close gives the lock up, as would the end of the process.
func (x *held) close() {
	if x.f != nil {
		x.f.Close() //nolint:errcheck,gosec // nothing to do about it
		x.f = nil
	}
}

// there reports whether the file has its name still, as far as can be told.
func (x *held) there() bool {
	if x.f == nil {
		return false
	}
	is, err := os.Stat(x.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return x.as != nil && os.SameFile(x.as, is)
}

// retake takes a lock anew whose file is gone, in a folder that is there. It is
// errHeld where another daemon has it.
func (x *held) retake(h Holder) error {
	f, err := os.OpenFile(x.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err = tryLock(f, true); err == nil {
		err = sign(f, h)
	} else if errors.Is(err, errHeld) && tryLock(f, false) == nil {
		err = errLooked
	}
	if err != nil {
		f.Close() //nolint:errcheck,gosec // the first error counts
		return err
	}
	x.set(f)
	return nil
}

// errLooked: somebody looks at the lock in this moment, and holds it no longer.
var errLooked = errors.New("the lock is looked at")

// check looks whether the locks are held under their names still, and takes
// anew what was removed. It is an error, for good, where another daemon has the
// store's by now. What can't be taken otherwise is tried again next time.
func (l *holds) check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return l.lost
	}
	if !l.status.there() {
		l.status.retake(l.h) //nolint:errcheck,gosec // the store's decides
	}
	if !l.store.there() && errors.Is(l.store.retake(l.h), errHeld) {
		other, _ := holder(l.store.path)
		l.lost = lostTo(other)
	}
	return l.lost
}

func lostTo(h Holder) error {
	who := "another recap serve"
	if h.PID != 0 {
		who += fmt.Sprintf(" (pid %d)", h.PID)
	}
	return &recap.Error{
		Code: recap.CodeRunning, Message: "this recap serve ends: its lock was removed, and " + who + " has it now",
		Hint: "recap doctor shows what that one does",
	}
}

// release gives both locks up.
func (l *holds) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.close()
	l.store.close()
}
