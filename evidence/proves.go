package evidence

import (
	"slices"
	"strings"
)

// proven: what was changed lies in the reach of a run that passed since. A run
// of one package proves nothing of another one.
func (f *Facts) proven(t *Run) bool {
	for e, s := range f.spots {
		if e.Seq > t.Seq || s.gone || !f.left(s) && e.Turn != t.Turn || !isCode(s.file) {
			continue
		}
		tested := false
		for i := len(f.Tests) - 1; i >= 0 && f.Tests[i].Seq > e.Seq && !tested; i-- {
			tested = f.Tests[i].Passed && f.testsFile(&f.Tests[i].reach, s.file)
		}
		if !tested {
			return false
		}
	}
	return true
}

// isCode: tests can tell whether the file is right.
func isCode(file string) bool {
	switch file[strings.LastIndexByte(file, '.')+1:] {
	case "go", "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte", "rs", "java", "kt", "scala", "rb", "php", "c", "cc", "cpp", "cxx", "h", "hpp", "cs", "swift", "m", "ex", "exs", "erl", "hs", "ml", "clj", "dart", "lua", "zig":
		return true
	}
	return false
}

// testsFile: the run may test the file, by the folder that it was started in and
// the packages that it names.
func (f *Facts) testsFile(r *reach, file string) bool {
	dir := full(f.dir, r.dir)
	if r.dir != "" && r.family != "all" && !below(file, dir) && below(dir, f.root) && dir != f.root && !aside(base(dir)) {
		return false
	}
	if r.family != "go" || len(r.pkgs) == 0 || !strings.HasSuffix(file, ".go") {
		return true
	}
	folder := file[:max(strings.LastIndexByte(file, '/'), 0)]
	return slices.ContainsFunc(r.pkgs, func(p string) bool { return inPackage(p, dir, folder) })
}

// aside: a folder in which tests of all the rest are kept or built.
func aside(name string) bool {
	switch name {
	case "test", "tests", "spec", "specs", "e2e", "integration", "build", "out", "target", "bin", "obj", "ci", "scripts", "docker", "tools", "_build", "cmake-build-debug", "cmake-build-release":
		return true
	}
	return strings.HasSuffix(name, "-test") || strings.HasSuffix(name, "-tests") || strings.HasSuffix(name, "-e2e") || strings.HasSuffix(name, "_test") || strings.HasSuffix(name, "_tests") || strings.HasPrefix(name, "build")
}

// inPackage: the folder is one of the packages that an argument of go names.
func inPackage(p, dir, folder string) bool {
	if p == "all" || p == "std" || strings.ContainsAny(p, "$`") {
		return true
	}
	p, deep := strings.CutSuffix(strings.TrimSuffix(p, "/"), "...")
	p = strings.TrimSuffix(p, "/")
	if p == "" || p == "." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		at := full(dir, p)
		switch {
		case deep:
			return below(folder, at) || at == "" || !isRooted(at)
		case !isRooted(at) || !isRooted(folder):
			return strings.HasSuffix(folder, at) || strings.HasSuffix(at, folder)
		}
		// Shells keep their folder from call to call.
		return folder == at || dir == "" || strings.HasPrefix(p, "./") && p != "." && strings.HasSuffix(folder, p[1:])
	}
	// An import path: its end is the end of the folder.
	for rest := p; ; {
		if strings.HasSuffix(folder, "/"+rest) || folder == rest || deep && strings.Contains(folder+"/", "/"+rest+"/") {
			return true
		}
		_, next, ok := strings.Cut(rest, "/")
		if !ok {
			return deep && !strings.Contains(p, "/")
		}
		rest = next
	}
}

// goPackages gives the packages that "go test" names.
func goPackages(words []string) []string {
	i := slices.Index(words, "test")
	if i < 0 {
		return nil
	}
	var list []string
	for i++; i < len(words); i++ {
		a := words[i]
		if !strings.HasPrefix(a, "-") {
			list = append(list, a)
			continue
		}
		switch name := strings.TrimLeft(a, "-"); name {
		case "args":
			i = len(words)
		case "run", "skip", "bench", "benchtime", "count", "cpu", "timeout", "tags", "parallel", "p", "coverprofile", "covermode", "coverpkg", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "o", "exec", "vet", "shuffle", "fuzz", "fuzztime", "ldflags", "gcflags", "mod", "modfile", "overlay", "outputdir", "C", "list", "asmflags":
			i++
		}
	}
	if len(list) == 0 {
		return []string{"."}
	}
	return list
}

// partOf: what stands behind the run shows a part of its output only, which
// may leave out that something failed.
func partOf(cmds []simple, i int, r *Run, out string) bool {
	reads := len(cmds[i].writes) > 0
	for j := i + 1; j < len(cmds); j++ {
		if cmds[j-1].op != opPipe && !reads {
			break
		}
		if hides(cmds[j].words, cmds[j-1].op == opPipe, r, out) {
			return true
		}
	}
	return false
}

// hides: the command passes on a part of what it reads.
func hides(w []string, piped bool, r *Run, out string) bool {
	if len(w) == 0 {
		return false
	}
	args := w[1:]
	switch base(w[0]) {
	case "head":
		limit := 10
		for k, a := range args {
			n := number(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(a, "--lines="), "-n"), "-"))
			switch {
			case strings.HasPrefix(a, "-c"), strings.HasPrefix(a, "--bytes"):
				return true
			case a == "-n" && k+1 < len(args):
				limit = number(args[k+1])
			case strings.HasPrefix(a, "-") && n > 0:
				limit = n
			}
		}
		return strings.Count(strings.TrimRight(out, "\n"), "\n")+1 >= limit
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "findstr":
		return grepHides(args, r, out)
	case "sed":
		return has(args, "-n") || slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, "q") || strings.HasSuffix(a, "d") })
	case "awk", "gawk", "cut", "jq", "perl", "python", "python3", "ruby", "node":
		return piped
	}
	return false
}

// grepHides: the pattern leaves out what would tell of a failure.
func grepHides(args []string, r *Run, out string) bool {
	inverted := slices.ContainsFunc(args, func(a string) bool {
		return a == "--invert-match" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "v") && !strings.ContainsAny(a, "e")
	})
	fails := slices.ContainsFunc(args, func(a string) bool {
		a = lower(a)
		return strings.Contains(a, "fail") || strings.Contains(a, "not ok") || strings.Contains(a, "error") && inverted
	})
	switch {
	case inverted:
		return fails
	case fails:
		return false
	}
	// These tell in one line what passed and what failed.
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Tests:") || strings.HasPrefix(line, "Tests ") || strings.HasPrefix(line, "test result:") || r.reach.family == "py" && strings.Contains(line, " passed") {
			return false
		}
	}
	return true
}

// neverRan: the runner, or what stands before it, says that it could not start
// the tests at all.
func neverRan(runner, out string) bool {
	low := lower(out)
	for _, p := range [...]string{
		"missing script:", "err_pnpm_no_script", "script not found \"", "no test specified", "*** no rule to make target", "go.mod file not found", "cannot find main module", "could not find `cargo.toml`", "cannot connect to the docker daemon",
		"unrecognized arguments:", "flag provided but not defined:", "error: unexpected argument", "error: unknown option", "' not found in root project", "' not found in project", "don't know how to build task", "does not contain recipe", "no justfile found", "\" does not exist", "error: no such command:", "is not recognized as an internal or external command", "no configuration file provided: not found",
	} {
		if strings.Contains(low, p) {
			return true
		}
	}
	for line := range strings.Lines(low) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "error command \"") && strings.HasSuffix(line, " not found."),
			strings.Contains(line, "cd: ") && (strings.HasSuffix(line, ": no such file or directory") || strings.HasSuffix(line, ": not a directory")),
			strings.HasPrefix(line, "npm err") && strings.HasSuffix(line, "/package.json") && strings.Contains(low, "enoent"),
			runner != "" && strings.HasSuffix(line, ": no module named "+runner), strings.HasSuffix(line, ": command not found"), strings.HasSuffix(line, ": not found") && strings.HasPrefix(line, "sh: "):
			return true
		}
	}
	return false
}

// timedOut: the call was ended by a limit of time, and has no result.
func timedOut(out string) bool {
	head := lower(clip(out, 300))
	return strings.Contains(head, "command timed out") || strings.Contains(head, "timed out after") && !strings.Contains(head, "test timed out after") || strings.Contains(head, "exceeded the timeout") || strings.Contains(head, "exceeded timeout of") && strings.Contains(head, "command")
}

// sends reads from the output of a push what went to the server.
type sends struct {
	refs   []string // by their names here
	hashes []string
	tags   bool // only tags, or nothing but what was deleted
	none   bool // all was there already
}

func readSends(out string) sends {
	var s sends
	branches, tags := false, false
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		i := slices.Index(words, "->")
		if i < 1 || i+1 >= len(words) || words[0] == "!" {
			continue
		}
		if strings.Contains(line, "[new tag]") {
			tags = true
			continue
		}
		branches = true
		s.refs = append(s.refs, words[i-1])
		for _, w := range words[:i] {
			if _, to, ok := strings.Cut(w, ".."); ok {
				s.hashes = append(s.hashes, strings.TrimPrefix(to, "."))
			}
		}
	}
	s.tags = tags && !branches
	low := lower(out)
	s.none = !branches && (strings.Contains(low, "everything up-to-date") || strings.Contains(low, "nothing changed.") || strings.Contains(low, "no changes found"))
	return s
}

// carries: the push took the commit to the server, as far as it says.
func (f *Facts) carries(p *Run, c *Commit) bool {
	s := &p.sends
	if !p.Passed || p.Seq < c.Seq || s.tags || s.none {
		return false
	}
	if len(s.refs) == 0 || c.branch == "" || slices.Contains(s.refs, c.branch) || slices.Contains(s.refs, "HEAD") {
		return true
	}
	if slices.ContainsFunc(s.hashes, func(h string) bool {
		return len(h) >= 7 && c.Hash != "" && (strings.HasPrefix(h, c.Hash) || strings.HasPrefix(c.Hash, h))
	}) {
		return true
	}
	for i := range f.Commands {
		// It may have gone into the branch that was sent.
		if m := &f.Commands[i]; m.Seq > c.Seq && m.Seq < p.Seq && (m.class == classMerge && m.Passed || m.Runner == "git rebase" || m.Runner == "git branch -m") {
			return true
		}
	}
	return false
}
