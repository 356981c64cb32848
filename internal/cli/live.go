package cli

import (
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
)

// live are the settings of a daemon. They are read again when the file changed,
// which is looked at when they are asked for: no timer runs for it.
type live struct {
	load func() *config.Config
	log  *slog.Logger
	// changed is told of new settings, looked that the files of projects may
	// have changed.
	changed func(*config.Config)
	looked  func()

	mu    sync.Mutex
	cfg   *config.Config
	file  fs.FileInfo // of the settings file, nil where there is none
	since time.Time   // of the last look at the projects' files
}

// projectsFresh is how long the files of projects are not read again.
const projectsFresh = time.Second

func newLive(cfg *config.Config, load func() *config.Config, log *slog.Logger) *live {
	l := &live{load: load, log: log, cfg: cfg, changed: func(*config.Config) {}, looked: func() {}}
	l.file, _ = os.Stat(cfg.Path)
	return l
}

// config gives the settings as they are now.
func (l *live) config() *config.Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cfg
}

// follow gives what may be done in the background now. What may name a
// directory to leave out and can't be understood stops everything.
func (l *live) follow() engine.FollowSettings {
	l.refresh(false)
	c := l.config()
	s := engine.FollowSettings{
		Recap: c.Bool("assist.recap"), Suggestion: c.Bool("assist.suggestion"), Auto: c.Bool("assist.auto"), Window: c.Duration("assist.quiet_window"),
	}
	if c.Refusal() != nil || c.Home() == "" {
		s.Recap, s.Suggestion, s.Auto = false, false, false
	}
	return s
}

// refresh reads the settings again where the file changed, or at any rate.
func (l *live) refresh(anyway bool) {
	l.mu.Lock()
	now := time.Now()
	fi, _ := os.Stat(l.cfg.Path)
	moved := anyway || !sameFile(l.file, fi)
	look := moved || now.Sub(l.since) >= projectsFresh || now.Before(l.since)
	if look {
		l.since = now
	}
	var was, is *config.Config
	if moved {
		was = l.cfg
		l.cfg, l.file = l.load(), fi
		is = l.cfg
	}
	l.mu.Unlock()
	if look {
		l.looked()
	}
	if moved {
		l.tell(was, is)
		l.changed(is)
	}
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// tell logs which settings changed: their keys, never their values.
func (l *live) tell(was, is *config.Config) {
	old := map[string]string{}
	for _, v := range was.Values() {
		old[v.Key] = v.Text()
	}
	var keys, later []string
	for _, v := range is.Values() {
		text, known := old[v.Key]
		delete(old, v.Key)
		switch {
		case known && text == v.Text():
		case atStart(v.Key):
			later = append(later, v.Key)
		default:
			keys = append(keys, v.Key)
		}
	}
	for key := range old {
		if atStart(key) {
			later = append(later, key)
		} else {
			keys = append(keys, key)
		}
	}
	l.log.Info("settings read", "changed", strings.Join(keys, ","), "at_next_start", strings.Join(later, ","), "problems", len(is.Problems),
		"refused", is.Refusal() != nil)
}

// atStart reports whether a setting counts when the daemon is started.
func atStart(key string) bool {
	for _, end := range []string{".url", ".username", ".password", ".metadata_namespace"} {
		if strings.HasPrefix(key, "sources.") && strings.HasSuffix(key, end) {
			return false // of a server: another is followed from then on
		}
	}
	for _, p := range []string{"sources.", "store.", "log.", "server.", "privacy.redact"} {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}
