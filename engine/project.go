package engine

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// projects finds the repository a directory belongs to, and remembers it.
type projects struct {
	mu   sync.Mutex
	seen map[string]string
}

// of gives the root of the repository that dir lies in; the worktrees of a
// repository have the root of its main worktree. A directory outside any
// repository, or one that is gone, is its own project. Links are followed:
// one directory has one project, by whatever name it is reached.
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
		p.seen = map[string]string{}
	}
	got := findProject(dir)
	if to, err := filepath.EvalSymlinks(got); err == nil {
		got = to
	}
	p.seen[dir] = got
	return got
}

// foreign reports whether a path can't be of this system: looking it up would
// only wake an automounter.
func foreign(dir string) bool {
	return runtime.GOOS == "darwin" && (strings.HasPrefix(dir, "/home/") || strings.HasPrefix(dir, "/net/"))
}

// maxGitFile is the longest .git file that is read: it holds one path.
const maxGitFile = 8 << 10

func findProject(dir string) string {
	for d := dir; ; {
		git := filepath.Join(d, ".git")
		if fi, err := os.Stat(git); err == nil {
			if fi.Mode().IsRegular() && fi.Size() <= maxGitFile {
				if main := mainWorktree(git); main != "" {
					return main
				}
			}
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return dir
		}
		d = up
	}
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
