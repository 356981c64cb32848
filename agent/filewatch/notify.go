package filewatch

import (
	"errors"

	"github.com/fsnotify/fsnotify"
)

// Notifier tells of changes in folders.
type Notifier interface {
	// Add watches a folder, not what is below its folders.
	Add(dir string) error
	// Remove stops watching it.
	Remove(dir string) error
	// Changes gives what changed. It is closed when nothing more comes.
	Changes() <-chan Change
	Close() error
}

// Change is something that happened in a watched folder.
type Change struct {
	// Path of what changed; "" where changes were lost and anything may have.
	Path string
	// Created and Removed say that the path came or went.
	Created, Removed bool
	// Err is a fault of the system, with no path.
	Err error
}

// system watches by what the operating system offers.
type system struct {
	w    *fsnotify.Watcher
	out  chan Change
	stop chan struct{}
	done chan struct{}
}

func newSystem() (Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	s := &system{w: w, out: make(chan Change), stop: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s, nil
}

func (s *system) run() {
	defer close(s.done)
	defer close(s.out)
	for {
		var c Change
		select {
		case <-s.stop:
			return
		case e, ok := <-s.w.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			c = Change{Path: e.Name, Created: e.Has(fsnotify.Create), Removed: e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)}
		case err, ok := <-s.w.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				c.Err = err
			}
		}
		select {
		case <-s.stop:
			return
		case s.out <- c:
		}
	}
}

func (s *system) Add(dir string) error    { return s.w.Add(dir) }
func (s *system) Remove(dir string) error { return s.w.Remove(dir) }
func (s *system) Changes() <-chan Change  { return s.out }

func (s *system) Close() error {
	close(s.stop)
	err := s.w.Close()
	<-s.done
	return err
}
