package codex

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// rollout is one file.
type rollout struct {
	file     filelog.File
	zst      bool
	archived bool
	thread   string // by its name
	segment  string // by its name; "" for the first file of a thread
	entry    agent.Entry
	facts    facts
}

// key is the name by which history_base means this file.
func (r *rollout) key() string {
	if r.segment != "" {
		return r.segment
	}
	return r.entry.Session.Ref.ID
}

// catalog is what a listing found.
type catalog struct {
	threads map[string][]*rollout
	byKey   map[string]*rollout
	folders map[string]time.Time // the folders that were walked, as of then
}

// link is a file of a history with the place up to which it holds.
type link struct {
	*rollout
	endOrdinal, endOffset int64 // -1: to its end
}

// newest gives the file that a thread goes on in.
func newest(files []*rollout) *rollout {
	best := files[0]
	for _, f := range files[1:] {
		if f.facts.start > best.facts.start || f.facts.start == best.facts.start && f.file.Path > best.file.Path {
			best = f
		}
	}
	return best
}

// chain gives the files of a thread's history from the newest back: its own,
// and those of the thread it was forked from.
func (c *catalog) chain(id string) (own, foreign []link) {
	files := c.threads[id]
	if len(files) == 0 {
		return nil, nil
	}
	l := link{newest(files), -1, -1}
	seen := map[*rollout]bool{}
	for !seen[l.rollout] {
		seen[l.rollout] = true
		if l.entry.Session.Ref.ID == id && len(foreign) == 0 {
			own = append(own, l)
		} else {
			foreign = append(foreign, l)
		}
		base, ok := c.byKey[l.facts.base]
		if l.facts.base == "" || !ok {
			break
		}
		l = link{base, l.facts.baseOrdinal, l.facts.baseOffset}
	}
	return own, foreign
}

// session merges the files of a thread.
func (c *catalog) session(files []*rollout) (recap.Session, bool) {
	last := newest(files)
	if last.entry.Skip != "" || last.entry.Session.Ref.ID == "" {
		return recap.Session{}, false
	}
	x := last.entry.Session
	x.Archived = last.archived
	own, foreign := c.chain(x.Ref.ID)
	if last.facts.base != "" && !last.facts.own && len(own) > 1 {
		x.Reverted = true
	}
	stamps := fnv.New128a()
	stamp := func(l link) {
		fmt.Fprintf(stamps, "%s %s %d %d\n", l.file.Path, l.file.Stamp(), l.endOrdinal, l.endOffset) //nolint:errcheck // a hash never fails
	}
	hasOwn := false
	for i, l := range own {
		e := l.entry.Session
		if e.CreatedAt.Before(x.CreatedAt) && !e.CreatedAt.IsZero() {
			x.CreatedAt = e.CreatedAt
		}
		if i > 0 && l.facts.named(l.endOrdinal) {
			x.Title = e.Title
		}
		x.Model = orModel(x.Model, e.Model)
		hasOwn = hasOwn || l.facts.own && (i == 0 || l.facts.named(l.endOrdinal))
		stamp(l)
	}
	if !hasOwn {
		for _, l := range slices.Backward(foreign) {
			if x.Title == "" && l.facts.named(l.endOrdinal) {
				x.Title = l.entry.Session.Title
			}
			x.Model = orModel(x.Model, l.entry.Session.Model)
			stamp(l)
		}
	}
	x.Stamp = hex.EncodeToString(stamps.Sum(nil))
	return x, true
}

func orModel(a, b recap.ModelRef) recap.ModelRef {
	if a.ID == "" && b.ID != "" {
		return b
	}
	return a
}

// parseName reads the name of a rollout file.
func parseName(name string) (thread, segment string, zst, ok bool) {
	stem, zst := strings.CutSuffix(name, ".zst")
	stem, isRow := strings.CutSuffix(stem, ".jsonl")
	stem, isRollout := strings.CutPrefix(stem, "rollout-")
	if !isRow || !isRollout {
		return "", "", false, false
	}
	const stamp = len("2026-11-30T00-04-59-")
	if len(stem) > stamp && stem[4] == '-' && stem[10] == 'T' {
		stem = stem[stamp:]
	}
	thread, segment, _ = strings.Cut(stem, "_")
	return thread, segment, zst, true
}

// scan finds the rollouts and learns what changed.
func (s *Source) scan(ctx context.Context, exclude []string, problem func(*agent.Problem)) (*catalog, error) {
	cat := &catalog{threads: map[string][]*rollout{}, byKey: map[string]*rollout{}, folders: map[string]time.Time{}}
	found, err := s.find(ctx, cat, problem)
	if err != nil {
		return nil, err
	}
	excluded := map[string]bool{}
	for _, r := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := s.learn(ctx, r, exclude)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if errors.Is(err, fs.ErrNotExist) {
				continue // moved or removed since the walk
			}
			problem(filelog.ProblemOf(r.file.Path, err))
			if e.Session.Ref.ID == "" {
				continue
			}
		}
		switch {
		case strings.HasPrefix(e.Skip, skipExcluded):
			excluded[r.thread] = true
		case e.Skip == skipUnreadable:
			problem(filelog.ProblemOf(r.file.Path, filelog.ErrNoRow))
		case e.Skip == skipEmpty && e.Size == 0 && !s.deep:
			problem(filelog.ProblemOf(r.file.Path, filelog.ErrEmpty))
		case e.Broken > 0:
			problem(filelog.Broken(r.file.Path, e.Broken))
		}
		if e.Session.Ref.ID == "" {
			continue
		}
		r.entry, r.facts = e, parseFacts(e.Facts)
		cat.threads[e.Session.Ref.ID] = append(cat.threads[e.Session.Ref.ID], r)
		cat.byKey[r.key()] = r
	}
	for id := range excluded {
		delete(cat.threads, id)
	}
	s.mu.Lock()
	s.known, s.exclude = cat, exclude
	s.mu.Unlock()
	return cat, nil
}

// find walks the home. Of a plain and a compressed copy the plain one counts,
// of a live and an archived copy the live one.
func (s *Source) find(ctx context.Context, cat *catalog, problem func(*agent.Problem)) ([]*rollout, error) {
	byName := map[string]*rollout{}
	var order []string
	keep := func(rel string, dir bool) bool {
		_, _, _, ok := parseName(path.Base(rel))
		if dir && !ok {
			in := rel == "sessions" || rel == "archived_sessions" || strings.HasPrefix(rel, "sessions/") || strings.HasPrefix(rel, "archived_sessions/")
			if in {
				cat.note(filepath.Join(s.home.Root, filepath.FromSlash(rel)))
			}
			return in
		}
		return ok && !dir && strings.Contains(rel, "/")
	}
	cat.note(s.home.Root)
	err := filelog.Walk(ctx, s.home.Root, keep, func(f filelog.File) {
		name := path.Base(f.Rel)
		thread, segment, zst, _ := parseName(name)
		r := &rollout{file: f, zst: zst, archived: strings.HasPrefix(f.Rel, "archived_sessions/"), thread: thread, segment: segment}
		name = strings.TrimSuffix(name, ".zst")
		old, ok := byName[name]
		if !ok {
			order = append(order, name)
		}
		if !ok || better(r, old) {
			byName[name] = r
		}
	}, problem)
	if err != nil {
		return nil, err
	}
	found := make([]*rollout, 0, len(order))
	for _, n := range order {
		found = append(found, byName[n])
	}
	return found, nil
}

// better reports that a counts rather than b.
func better(a, b *rollout) bool {
	if a.archived != b.archived {
		return !a.archived
	}
	return !a.zst && b.zst
}

// note remembers how a folder stands.
func (c *catalog) note(folder string) {
	if fi, err := os.Stat(folder); err == nil {
		c.folders[folder] = fi.ModTime()
	}
}

// fresh reports that no file came, went or moved since.
func (c *catalog) fresh() bool {
	for folder, was := range c.folders {
		fi, err := os.Stat(folder)
		if err != nil || !fi.ModTime().Equal(was) {
			return false
		}
	}
	return true
}

// learn gives what a file tells of its session, from the index where the file
// has not changed. Where it can't be read what was known is returned too.
func (s *Source) learn(ctx context.Context, r *rollout, exclude []string) (agent.Entry, error) {
	e, ok := s.index.Lookup(r.file.Path)
	if ok && current(e.Facts) && filelog.Unchanged(e, r.file) && agent.Excluded(e.Session.Directory, exclude) {
		e.Session, e.Skip, e.Facts, e.Broken = recap.Session{}, excludedBy(exclude), facts{}.list(), 0
		s.index.Remember(r.file.Path, e)
		return e, nil
	}
	usable := ok && current(e.Facts) && (!strings.HasPrefix(e.Skip, skipExcluded) || e.Skip == excludedBy(exclude)) &&
		!agent.Excluded(e.Session.Directory, exclude)
	if usable && filelog.Unchanged(e, r.file) {
		return e, nil
	}
	var ends filelog.Ends
	var entry agent.Entry
	var err error
	if usable && e.Size == r.file.Size { // only the times moved, maybe
		if ends, err = filelog.ReadEnds(r.file.Path); err != nil {
			return e, err
		}
		if entry = ends.Entry(); entry.Head == e.Head && entry.Tail == e.Tail && entry.Size == e.Size {
			entry.Session, entry.Skip, entry.Facts, entry.Broken = e.Session, e.Skip, e.Facts, e.Broken
			s.index.Remember(r.file.Path, entry)
			return entry, nil
		}
	}
	if r.zst {
		ends, entry, err = zstEnds(ctx, r.file.Path)
	} else if entry.Size == 0 {
		ends, err = filelog.ReadEnds(r.file.Path)
		entry = ends.Entry()
	}
	if err != nil {
		return e, err
	}
	d := s.derive(&ends, r)
	entry.Session, entry.Skip, entry.Facts, entry.Broken = d.session, d.skip, d.facts.list(), d.broken
	if agent.Excluded(d.session.Directory, exclude) {
		entry.Session, entry.Skip, entry.Facts, entry.Broken = recap.Session{}, excludedBy(exclude), facts{}.list(), 0
	}
	s.index.Remember(r.file.Path, entry)
	return entry, nil
}

const (
	skipExcluded   = "excluded"
	skipUnreadable = "no readable row"
	skipInternal   = "made by Codex for itself"
	skipHeadless   = "headless call with a program's prompt"
	skipEmpty      = "empty"
	skipUnasked    = "nothing was asked yet"
)

// excludedBy names the list that a file was left out by: with another list it
// has to be read again.
func excludedBy(exclude []string) string {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(exclude, "\x00"))) //nolint:gosec // a hash never fails
	return skipExcluded + " " + hex.EncodeToString(h.Sum(nil))
}
