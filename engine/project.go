package engine

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/store"
)

// projects finds the repository a directory belongs to, and remembers it.
type projects struct {
	mu   sync.Mutex
	seen map[string]string
	// known gives the worktrees that earlier runs met, each with its project. It
	// is asked when a directory is gone, once.
	known     func() map[string]string
	worktrees map[string]string
	// met are the worktrees of this run whose project their place does not tell.
	met map[string]string
}

// of gives the root of the repository that dir lies in; the worktrees of a
// repository have the root of its main worktree, also when they were removed. A
// directory outside any repository, or one that is gone, is its own project.
// Links are followed: one directory has one project, by whatever name it is
// reached.
func (p *projects) of(dir string) string {
	if dir == "" || !filepath.IsAbs(dir) || foreign(dir) {
		return dir
	}
	dir = filepath.Clean(dir)
	p.mu.Lock()
	defer p.mu.Unlock()
	if got, ok := p.seen[dir]; ok {
		return got
	}
	if p.seen == nil {
		p.seen, p.met = map[string]string{}, map[string]string{}
	}
	got, worktree := p.find(dir)
	got = linkTarget(got)
	if worktree != "" {
		// Where the folder above tells the same, nothing is lost with it.
		if up, _ := p.find(filepath.Dir(worktree)); linkTarget(up) != got {
			p.met[worktree] = got
			p.met[linkTarget(worktree)] = got
		}
	}
	p.seen[dir] = got
	return got
}

// linkTarget is the path that links lead to, where there is one.
func linkTarget(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// news gives what this run met and no other run is known to have met.
func (p *projects) news() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.met) == 0 {
		return nil
	}
	p.load()
	out := map[string]string{}
	for worktree, project := range p.met {
		if p.worktrees[worktree] != project {
			out[worktree] = project
			p.worktrees[worktree] = project
		}
	}
	return out
}

// forget has every worktree told again that is met again.
func (p *projects) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen, p.worktrees, p.met = nil, nil, nil
}

// load asks for the worktrees of earlier runs.
func (p *projects) load() {
	if p.worktrees != nil {
		return
	}
	p.worktrees = map[string]string{}
	if p.known != nil {
		maps.Copy(p.worktrees, p.known())
	}
}

// foreign reports whether a path can't be of this system: looking it up would
// only wake an automounter.
func foreign(dir string) bool {
	return runtime.GOOS == "darwin" && (strings.HasPrefix(dir, "/home/") || strings.HasPrefix(dir, "/net/"))
}

// maxGitFile is the longest .git file that is read: it holds one path.
const maxGitFile = 8 << 10

// find gives the project of a directory, and the root of the worktree it lies
// in where that is not the main one.
func (p *projects) find(dir string) (project, worktree string) {
	gone := isMissing(dir)
	for d := dir; ; {
		git := filepath.Join(d, ".git")
		if fi, err := os.Stat(git); err == nil {
			if fi.Mode().IsRegular() && fi.Size() <= maxGitFile {
				if main := mainWorktree(git); main != "" {
					return main, d
				}
			}
			return d, ""
		}
		if gone && isMissing(d) {
			p.load()
			if main := p.worktrees[d]; main != "" {
				return main, ""
			}
		}
		up := filepath.Dir(d)
		if up == d {
			return dir, ""
		}
		d = up
	}
}

// isMissing reports whether there is nothing at a path.
func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// mainWorktree reads a worktree's .git file ("gitdir: /repo/.git/worktrees/x")
// and gives /repo; "" where it says something else (a submodule).
func mainWorktree(file string) string {
	b, err := os.ReadFile(file) //nolint:gosec // a .git file above a session's directory
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	gitdir, ok := strings.CutPrefix(strings.TrimSpace(line), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(gitdir) {
		gitdir = filepath.Join(filepath.Dir(file), gitdir)
	}
	gitdir = filepath.Clean(gitdir)
	worktrees := filepath.Dir(gitdir)
	if filepath.Base(worktrees) != "worktrees" {
		return ""
	}
	dotgit := filepath.Dir(worktrees)
	if name := filepath.Base(dotgit); !strings.HasPrefix(name, ".") {
		return dotgit // a bare repository, "project.git"
	}
	return filepath.Dir(dotgit) // ".git", or a bare one that hides, ".bare"
}

// worktrees gives what earlier runs noted of worktrees.
func (e *Engine) worktrees() map[string]string {
	known, err := e.o.Store.Marked(context.Background(), store.MarkWorktree)
	if err != nil {
		return nil
	}
	return known
}

// noteWorktrees keeps which project each worktree has: once it is removed,
// nothing else tells. What is excluded or muted with a project stays so.
func (e *Engine) noteWorktrees(ctx context.Context) {
	for worktree, project := range e.projects.news() {
		if e.cleanPath(worktree) != worktree || e.cleanPath(project) != project {
			continue // a secret
		}
		if err := e.o.Store.SetMark(ctx, store.MarkWorktree, worktree, project); err != nil {
			e.o.Log.DebugContext(ctx, "worktree not noted", "code", recap.CodeOf(err))
			return
		}
	}
}

// forgetWorktrees removes the notes of the worktrees whose projects match. What
// keeps a directory unread or silent stays.
func (e *Engine) forgetWorktrees(ctx context.Context, w store.Which) error {
	if !w.All && w.Project == "" {
		return nil
	}
	muted := e.muted(ctx)
	for worktree, project := range e.worktrees() {
		if _, silent := muted[project]; silent || !w.All && !agent.Within(project, w.Project) || e.Excluded(worktree) {
			continue
		}
		if err := e.o.Store.SetMark(ctx, store.MarkWorktree, worktree, ""); err != nil {
			return err
		}
	}
	e.projects.forget()
	return nil
}

// Project gives the project of a directory, as sessions have it.
func (e *Engine) Project(dir string) string { return e.projects.of(dir) }

// answers remembers an answer for each directory.
type answers struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (a *answers) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = nil
}

func (a *answers) of(dir string, ask func() bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	got, ok := a.seen[dir]
	if !ok {
		got = ask()
		if a.seen == nil {
			a.seen = map[string]bool{}
		}
		a.seen[dir] = got
	}
	return got
}
