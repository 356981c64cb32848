package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
)

// Who removes one of the locks, or the folder it is in, has one daemon still.
func TestH7_ALockThatIsRemovedIsHeldStill(t *testing.T) {
	for _, c := range []struct {
		name string
		gone func(o Options) string
		back bool // the store's lock is held again when something happened
	}{
		{"the lock's file", func(o Options) string { return o.Lock }, true},
		{"the store's folder", func(o Options) string { return filepath.Dir(o.Lock) }, false},
		{"the status's lock", func(o Options) string { return statusLock(o.Status) }, true},
		{"the status's folder", func(o Options) string { return filepath.Dir(o.Status) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				o := options(t.TempDir(), f)
				o.Lock = filepath.Join(t.TempDir(), "data", "recap.db.lock")
				d := start(t, o)
				synctest.Wait()
				if err := os.RemoveAll(c.gone(o)); err != nil {
					t.Fatal(err)
				}
				if seen := Look(o.Lock, o.Status); !seen.Running || seen.Status.PID != os.Getpid() {
					t.Errorf("seen %+v", seen)
				}
				other := o
				other.Follower = &fake{}
				if _, err := Start(t.Context(), other); recap.CodeOf(err) != recap.CodeRunning {
					t.Errorf("a second one starts: %v", err)
				}
				if s := f.options().Settings(); !s.Recap { // as before any reading
					t.Errorf("settings %+v", s)
				}
				d.Tell(t.Context())
				if _, held := holder(o.Lock); held != c.back {
					t.Errorf("the store's lock is held: %v", held)
				}
				f.options().Settings()
				if seen := Look(o.Lock, o.Status); !seen.Running || !seen.Told {
					t.Errorf("seen later: %+v", seen)
				}
				if err := d.Stop(); err != nil {
					t.Error(err)
				}
				if _, held := holder(statusLock(o.Status)); held {
					t.Error("a lock is held after the stop")
				}
				if s := file(t, o.Status); !s.Stopped {
					t.Errorf("the status file does not say that it stopped: %+v", s)
				}
			})
		})
	}
}

// Where both locks were removed and another daemon has them, this one ends and
// writes nothing any more.
func TestH7_ADaemonWhoseLocksAreAnothersEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := options(t.TempDir(), f)
		d := start(t, o)
		synctest.Wait()
		for _, path := range []string{o.Lock, statusLock(o.Status)} {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		other := o
		other.Follower = &fake{}
		b := start(t, other)
		defer b.Stop() //nolint:errcheck // tested elsewhere
		said := file(t, o.Status)
		if s := f.options().Settings(); s != (engine.FollowSettings{}) {
			t.Errorf("settings %+v", s)
		}
		<-d.Done()
		d.Reloaded()
		synctest.Wait()
		if err := d.Stop(); recap.CodeOf(err) != recap.CodeRunning || !errors.Is(err, d.Err()) {
			t.Errorf("it ended with %v", err)
		}
		if s := file(t, o.Status); !s.StartedAt.Equal(b.Status().StartedAt) || !s.WrittenAt.Equal(said.WrittenAt) {
			t.Errorf("the other's status file says %+v", s)
		}
		if seen := Look(o.Lock, o.Status); !seen.Running || !seen.Told {
			t.Errorf("seen %+v", seen)
		}
	})
}

// One that is asked to stop, and finds only then that another has its locks,
// stops in order and leaves the other's file alone.
func TestH7_TheEndFindsTheLocksAnothers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t.TempDir(), &fake{})
		d := start(t, o)
		for _, path := range []string{o.Lock, statusLock(o.Status)} {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		other := o
		other.Follower = &fake{}
		b := start(t, other)
		if err := d.Stop(); err != nil {
			t.Errorf("it ended with %v", err)
		}
		if s := file(t, o.Status); s.Stopped || !s.StartedAt.Equal(b.Status().StartedAt) {
			t.Errorf("the other's status file says %+v", s)
		}
		if err := b.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// A look holds a lock for a moment: that is no other daemon.
func TestALookIsNoDaemon(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	l, err := take(o.Lock, o.Status, Holder{PID: os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.release()
	if err := os.Remove(o.Lock); err != nil {
		t.Fatal(err)
	}
	looks, err := os.Create(o.Lock)
	if err != nil {
		t.Fatal(err)
	}
	if err := tryLock(looks, false); err != nil {
		t.Fatal(err)
	}
	if err := l.check(); err != nil || l.store.there() {
		t.Errorf("%v, taken: %v", err, l.store.there())
	}
	looks.Close() //nolint:errcheck // gives it up
	if err := l.check(); err != nil || !l.store.there() {
		t.Errorf("%v, taken: %v", err, l.store.there())
	}
}
