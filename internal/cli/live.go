package cli

import (
	"hash/fnv"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
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

	begun map[string]string // the settings that count at the start, as they were

	mu    sync.Mutex
	cfg   *config.Config
	file  fs.FileInfo // of the settings file, nil where there is none
	since time.Time   // of the last look at the projects' files
	// broken: the file can't be understood now. cfg is what it said before.
	broken bool
}

// projectsFresh is how long the files of projects are not read again.
const projectsFresh = time.Second

func newLive(cfg *config.Config, load func() *config.Config, log *slog.Logger) *live {
	l := &live{load: load, log: log, cfg: cfg, begun: atStart(cfg), changed: func(*config.Config) {}, looked: func() {}}
	l.file, _ = os.Stat(cfg.Path)
	return l
}

// config gives the settings as they are now.
func (l *live) config() *config.Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cfg
}

// follow gives what may be done in the background now. A file that can't be
// understood stops everything.
func (l *live) follow() engine.FollowSettings {
	l.refresh(false)
	l.mu.Lock()
	c, broken := l.cfg, l.broken
	l.mu.Unlock()
	s := engine.FollowSettings{
		Recap: c.Bool("assist.recap"), Suggestion: c.Bool("assist.suggestion"), Auto: c.Bool("assist.auto"), Window: c.Duration("assist.quiet_window"),
	}
	if broken || c.Broken() || c.Refusal() != nil || c.Home() == "" {
		s.Recap, s.Suggestion, s.Auto = false, false, false
	}
	if c.NoCalls() != nil {
		s.Auto = false
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
		was, is = l.cfg, l.load()
		l.file, l.broken = fi, is.Broken()
		if l.broken {
			moved = false // who is followed stays as it was said last
		} else {
			l.cfg = is
		}
	}
	l.mu.Unlock()
	if is != nil && is.Broken() {
		l.log.Warn("the settings file can't be understood: nothing is made until it can", "problems", len(is.Problems))
	}
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
	var keys []string
	for _, v := range is.Values() {
		if text, known := old[v.Key]; !known || text != v.Text() {
			keys = append(keys, v.Key)
		}
		delete(old, v.Key)
	}
	keys = slices.AppendSeq(keys, maps.Keys(old))
	slices.Sort(keys)
	l.log.Info("settings read", "changed", strings.Join(keys, ","), "problems", len(is.Problems), "refused", is.Refusal() != nil)
	if later := differ(l.begun, atStart(is)); len(later) > 0 {
		l.log.Warn("a restart is needed: these count when recap serve is started", "settings", strings.Join(later, ","))
	}
}

// atStart gives the settings that count when the daemon is started: hashes of
// their values, by key.
func atStart(c *config.Config) map[string]string {
	out := map[string]string{}
	for key, v := range map[string]string{
		"store.url": c.StorePath(), "log.file": c.LogPath(), "log.level": c.Text("log.level"), "privacy.redact": strconv.FormatBool(c.Bool("privacy.redact")),
	} {
		h := fnv.New64a()
		h.Write([]byte(v)) //nolint:gosec // a hash never fails
		out[key] = strconv.FormatUint(h.Sum64(), 16)
	}
	return out
}

// differ names the settings that are others now, in order. Of what was not
// noted nothing is known.
func differ(was, is map[string]string) []string {
	var out []string
	for key, v := range was {
		if is[key] != v {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
