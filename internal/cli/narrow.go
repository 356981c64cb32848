package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
)

// projectFiles reads the .recap.toml of directories, once each. One speaks for
// its directory and everything below it.
type projectFiles struct {
	mu   sync.Mutex
	seen map[string]config.Narrow
	ask  func(dir string) bool
}

// out reports whether a directory is excluded in any way.
func (p *projectFiles) out(dir string) bool { return p.ask != nil && p.ask(dir) }

// of gives what the file of a directory says.
func (p *projectFiles) of(dir string) config.Narrow {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok := p.seen[dir]
	if !ok {
		n = config.ReadProject(dir)
		if p.seen == nil {
			p.seen = map[string]config.Narrow{}
		}
		p.seen[dir] = n
	}
	return n
}

// excluded reports whether a file takes the directory out.
func (p *projectFiles) excluded(project, dir string) bool {
	_, out := p.by(project, dir)
	return out
}

// by gives the file that takes the directory out: one of its project or of a
// folder above either, whether or not that is a repository.
func (p *projectFiles) by(project, dir string) (config.Narrow, bool) {
	names := []string{dir}
	if to, err := filepath.EvalSymlinks(dir); err == nil && to != dir {
		names = append(names, to)
	}
	for _, start := range append(slices.Clone(names), project) {
		if !filepath.IsAbs(start) {
			continue
		}
		for d := filepath.Clean(start); ; d = filepath.Dir(d) {
			n := p.of(d)
			if n.Off || slices.ContainsFunc(names, func(name string) bool {
				return agent.Excluded(name, n.Exclude)
			}) {
				return n, true
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return config.Narrow{}, false
}

// forget reads the files anew when they are asked for.
func (p *projectFiles) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = nil
}

// follow gives what the files of a session's project, and of the folders above,
// leave of what may be made in the background.
func (p *projectFiles) follow(project, dir string, s engine.FollowSettings) engine.FollowSettings {
	for _, start := range []string{dir, project} {
		if !filepath.IsAbs(start) {
			continue
		}
		for d := filepath.Clean(start); ; d = filepath.Dir(d) {
			n := p.of(d)
			s.Auto = s.Auto && !n.NoAuto
			s.Recap = s.Recap && !n.NoRecap
			s.Suggestion = s.Suggestion && !n.NoSuggestion
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return s
}

// problems are what is wrong in the files that were read so far, in the order
// of their paths.
func (p *projectFiles) problems() []config.Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []config.Problem
	for _, n := range p.seen {
		out = append(out, n.Problems...)
	}
	slices.SortFunc(out, func(a, b config.Problem) int {
		return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return out
}

// speaking are the folders whose files speak for a directory of a project.
func speaking(project, dir string) map[string]bool {
	starts := []string{dir, project}
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		starts = append(starts, to)
	}
	out := map[string]bool{}
	for _, start := range starts {
		if !filepath.IsAbs(start) {
			continue
		}
		for d := filepath.Clean(start); !out[d]; d = filepath.Dir(d) {
			out[d] = true
		}
	}
	return out
}

// leavesOut counts the files, but for those of some folders, that were read so
// far and leave something out because of a mistake in them.
func (p *projectFiles) leavesOut(but map[string]bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for dir, f := range p.seen {
		if f.Off && len(f.Problems) > 0 && !but[dir] {
			n++
		}
	}
	return n
}

// leftOut says why nothing of a directory is read, nil where that is not so.
func (a *app) leftOut(e *engine.Engine, dir string) error {
	if !e.Excluded(dir) {
		return nil
	}
	n, ok := a.narrow.by(e.Project(dir), dir)
	if !ok {
		return &recap.Error{
			Code: recap.CodeExcluded, Message: "this directory is left out by privacy.exclude", Hint: "recap config get privacy.exclude shows what is left out",
		}
	}
	err := &recap.Error{Code: recap.CodeExcluded, Message: "this directory is left out by " + n.Path, Hint: "remove that from the file to have recaps here"}
	if len(n.Problems) > 0 {
		err.Message = "this directory is left out: " + n.Problems[0].String()
		err.Hint = "mend " + n.Path + " to have recaps here"
	}
	return err
}

// fewProblems is how many mistakes in project files are named beside a list.
const fewProblems = 3

// tellProjectFiles names what is wrong in the files that speak for this
// directory. In an answer about all projects it also counts the others that
// leave sessions out by mistake; recap doctor names them.
func (a *app) tellProjectFiles(all bool) {
	dir, err := config.WorkDir()
	own := map[string]bool{}
	if err == nil {
		own = speaking(a.eng.Project(dir), dir)
		for d := range own {
			a.narrow.of(d)
		}
	}
	ps := slices.DeleteFunc(a.narrow.problems(), func(p config.Problem) bool { return !own[filepath.Dir(p.Origin)] })
	for i, p := range ps {
		if i == fewProblems {
			a.notice(fmt.Sprintf("and %d more: recap doctor", len(ps)-i))
			break
		}
		a.notice(p.String())
	}
	if n := a.narrow.leavesOut(own); all && n > 0 {
		a.notice(fmt.Sprintf("sessions may be left out by %d %s of other projects that can't be understood; recap doctor names %s",
			n, plural(n, config.ProjectFile, config.ProjectFile+" files"), plural(n, "it", "them")))
	}
}
