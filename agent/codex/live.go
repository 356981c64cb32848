package codex

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

var _ agent.Watcher = (*Source)(nil)

// Watch implements agent.Watcher.
//
// Rows tell when a turn begins and ends. Where the system says which process
// has a rollout open for writing, a turn without an end is busy, or waits,
// while that process lives, and is over when it died.
func (s *Source) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		filewatch.Watch(ctx, s.watching(maxDays))(yield)
	}
}

func (s *Source) watching(days int) filewatch.Config {
	return filewatch.Config{Roots: s.roots(days), List: s.live().list}
}

// live lists the threads of a home again and again.
type live struct {
	s       *Source
	writers writers
}

func (s *Source) live() *live {
	own := &Source{home: s.home, index: filewatch.Remember(s.index), unread: s.unread, deep: true}
	return &live{s: own, writers: newWriters()}
}

func (l *live) list(ctx context.Context) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		s := l.s
		var problems []*agent.Problem
		cat, err := s.scan(ctx, s.unread, func(p *agent.Problem) { problems = append(problems, p) })
		for _, p := range problems {
			if !yield(recap.Session{}, p) {
				return
			}
		}
		if err != nil {
			yield(recap.Session{}, err)
			return
		}
		s.mu.Lock()
		s.known = nil // it is for pages, which nobody asks of this source
		s.mu.Unlock()
		all := s.list(cat)
		l.pulse(cat, all)
		await(cat, all)
		for i := range all {
			if chosen(&all[i], agent.Query{}) && !cat.borrowed(all[i].Ref.ID) && !yield(all[i], nil) {
				return
			}
		}
	}
}

// borrowed reports a fork in which nothing was asked yet: all it shows is what
// was done in another thread.
func (c *catalog) borrowed(id string) bool {
	own, foreign := c.chain(id)
	return len(own) == 1 && !own[0].facts.own && (len(foreign) > 0 || own[0].facts.copies)
}

// pulse puts what is known of processes into the states of open turns.
func (l *live) pulse(cat *catalog, all []recap.Session) {
	var files []*rollout
	for i := range all {
		x := &all[i]
		r := newest(cat.threads[x.Ref.ID])
		if x.State == recap.StateIdle && !r.facts.ends {
			x.State = recap.StateUnknown // the rows of this version do not tell
		}
		if x.State == recap.StateUnknown && !r.zst {
			files = append(files, r)
		}
	}
	l.writers.look(files)
	for i := range all {
		x := &all[i]
		if x.State != recap.StateUnknown {
			continue
		}
		switch l.writers.of(newest(cat.threads[x.Ref.ID]).file.Path) {
		case alive:
			x.State = recap.StateBusy
			if x.WaitingFor != "" {
				x.State = recap.StateWaiting
			}
		case dead:
			x.State = recap.StateInterrupted
		case unseen:
		}
	}
}

// await keeps a thread from being idle while sub-agents of it are at work. One
// that nobody is known to work on counts while the turn lasts that it was at
// work in: one that died must not hold up its parent for ever.
func await(cat *catalog, all []recap.Session) {
	byID := make(map[string]*recap.Session, len(all))
	for i := range all {
		byID[all[i].Ref.ID] = &all[i]
	}
	for i := range all {
		x := &all[i]
		if x.ParentID == "" || atWork(x.State) == 0 {
			continue
		}
		seen := map[string]bool{x.Ref.ID: true} // parents may name each other
		for p := byID[x.ParentID]; p != nil && !seen[p.Ref.ID]; p = byID[p.ParentID] {
			seen[p.Ref.ID] = true
			if atWork(p.State) >= atWork(x.State) {
				continue
			}
			turn := newest(cat.threads[p.Ref.ID]).facts.turn
			if x.State != recap.StateUnknown || x.UpdatedAt.UnixMilli() >= turn {
				p.State = recap.StateUnknown
				if x.State != recap.StateUnknown {
					p.State = recap.StateBusy
				}
			}
		}
	}
}

// atWork orders states by how sure it is that somebody is at work.
func atWork(s recap.State) int {
	switch s {
	case recap.StateBusy, recap.StateWaiting:
		return 2
	case recap.StateUnknown:
		return 1
	case recap.StateIdle, recap.StateInterrupted, recap.StateFailed:
	}
	return 0
}

// maxDays is how many folders of days are watched, the newest. A thread that
// is taken up again goes on in the folder of the day on which it was begun: of
// the days before those its prompt in history.jsonl, or the database that
// Codex keeps of its threads, tells that something moved.
const maxDays = 1000

// roots are the folders to watch.
func (s *Source) roots(days int) []filewatch.Root {
	oldest := oldestOf(filepath.Join(s.home.Root, "sessions"), days)
	keep := func(rel string, dir bool) bool {
		top, day, below := strings.Cut(rel, "/")
		switch {
		case !below && dir:
			return top == "sessions" || top == "archived_sessions"
		case !below:
			return oldest != "" && (rel == "history.jsonl" || strings.HasPrefix(rel, "state_") && strings.HasSuffix(rel, ".sqlite-wal"))
		case top == "archived_sessions" && !dir, top == "sessions" && !dir:
			_, _, _, ok := parseName(rel[strings.LastIndexByte(rel, '/')+1:])
			return ok
		case top != "sessions":
			return false
		}
		return oldest == "" || day >= oldest[:min(len(day), len(oldest))]
	}
	return []filewatch.Root{{Path: s.home.Root, Keep: keep}}
}

// oldestOf gives the oldest of the newest n days that have a folder, as
// "2026/11/30"; "" where there are no more than n.
func oldestOf(sessions string, n int) string {
	var days []string
	for _, y := range numbers(sessions) {
		for _, m := range numbers(filepath.Join(sessions, y)) {
			for _, d := range numbers(filepath.Join(sessions, y, m)) {
				if len(days) == n {
					return days[n-1]
				}
				days = append(days, y+"/"+m+"/"+d)
			}
		}
	}
	return ""
}

// numbers gives the folders that are named by a number, the greatest first.
func numbers(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the listing names what can't be read
	}
	var names []string
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") == "" {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names
}
