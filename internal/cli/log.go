package cli

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	recap "github.com/sessionrecap/recap"
)

// logger writes to the log file, made when the first line comes. That it can't
// be written is told once; what was to be done is done all the same.
func (a *app) logger() *slog.Logger {
	if a.log != nil {
		return a.log
	}
	var level slog.Level // info
	if a.cfg == nil || a.cfg.LogPath() == "" || a.homeless(a.cfg.LogPath()) != nil || level.UnmarshalText([]byte(a.cfg.Text("log.level"))) != nil {
		a.log = slog.New(slog.DiscardHandler)
		return a.log
	}
	a.logFile = &logFile{path: a.cfg.LogPath(), may: a.homeless, failed: func(err error) {
		if a.logTold.CompareAndSwap(false, true) {
			a.notice(logProblem(a.logFile.path, err))
		}
	}}
	a.log = slog.New(slog.NewTextHandler(a.logFile, &slog.HandlerOptions{Level: level}))
	return a.log
}

// tryLog says in words why the log can't be written, "" where it can, or is
// off.
func (a *app) tryLog() string {
	a.logger()
	if err := a.logFile.try(); err != nil {
		return logProblem(a.logFile.path, err)
	}
	return ""
}

func logProblem(path string, err error) string {
	return recap.Line("the log " + path + " can't be written: " + pathless(err).Error())
}

// logFile is the log. It is opened at the first line, again where it was
// removed or replaced, and rotated once at maxLog.
type logFile struct {
	path   string
	may    func(path string) error // whether the folder may be made
	failed func(error)             // told of a line that could not be written

	mu  sync.Mutex
	f   *os.File
	as  fs.FileInfo // f as it was opened
	err error       // of the last line that was to be written to an open file
}

const maxLog = 5 << 20

// Write appends a line to the log. One that can't be written is lost; the next
// is tried again.
func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	err := l.open()
	if err == nil {
		_, err = l.f.Write(b)
		l.err = err
	}
	l.mu.Unlock()
	if err != nil {
		l.failed(err)
	}
	return len(b), nil
}

// try opens the log, and says why that, or its last line, failed.
func (l *logFile) try() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(); err != nil {
		return err
	}
	return l.err
}

// open has f be the file of that name, with room for a line.
func (l *logFile) open() error {
	is, err := os.Stat(l.path)
	if l.f != nil {
		if err == nil && os.SameFile(l.as, is) && !tooLong(is) {
			return nil
		}
		l.f.Close() //nolint:errcheck,gosec // nothing to do about it
		l.f = nil
	}
	how := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := l.may(l.path); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
			return err
		}
	case err == nil && tooLong(is):
		os.Rename(l.path, l.path+".1") //nolint:errcheck,gosec // then it grows a little more
	case err == nil && is.Mode()&fs.ModeNamedPipe != 0:
		how |= syscall.O_NONBLOCK // one that nobody reads would hold the program up
	}
	f, err := os.OpenFile(l.path, how, 0o600)
	if err != nil {
		return err
	}
	if l.as, err = f.Stat(); err != nil {
		f.Close() //nolint:errcheck,gosec // the first error counts
		return err
	}
	l.f = f
	return nil
}

func tooLong(fi fs.FileInfo) bool { return fi.Mode().IsRegular() && fi.Size() > maxLog }

func (l *logFile) close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f != nil {
		l.f.Close() //nolint:errcheck,gosec // nothing to do about it
		l.f = nil
	}
}
