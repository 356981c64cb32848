package evidence

import (
	"slices"
	"strings"
)

// reach is what a test run covers.
type reach struct {
	line    string   // the command without its noise
	family  string   // runners that stand for each other
	dir     string   // the folder it was started in, as far as the call says
	targets []string // packages, files, names of tests; none: everything
	picks   bool     // a selector chooses some of the tests
	pkgs    []string // packages of Go, as they were named
}

// reachOf reads the words of a test run.
func reachOf(k known, words []string, dir string) reach {
	r := reach{line: strings.Join(words, " "), family: family(k.runner), dir: dir, picks: k.partial}
	if k.runner == "go test" {
		r.pkgs = goPackages(words)
	}
	for i := 1; i < len(words); i++ {
		w := words[i]
		if strings.HasPrefix(w, "-") {
			name, value, has := strings.Cut(w, "=")
			switch name {
			case "-p", "--package", "--filter", "-F", "-w", "--workspace", "--project", "-C", "--prefix", "--dir", "--cwd", "-pl", "--manifest-path", "--pathfilter", "--testPathPattern", "--testPathPatterns", "--ignore", "--exclude", "--deselect", "-m", "--tags", "--tag", "-L", "--label", "--shard", "-short", "--lib", "--doc", "--bin", "--bins", "--spec", "--changed", "--onlyChanged", "-o", "--related":
				if name == "--workspace" && r.family == "cargo" || name == "-m" && i > 0 && r.family == "py" && i+1 < len(words) && (words[i+1] == "pytest" || words[i+1] == "unittest" || words[i+1] == "nose2" || words[i+1] == "coverage") {
					continue
				}
				if !has && i+1 < len(words) && name[0] == '-' && !strings.HasPrefix(words[i+1], "-") && name != "-short" && name != "--lib" && name != "--doc" && name != "--bins" && name != "--changed" && name != "--onlyChanged" && name != "-o" {
					i++
					value = words[i]
				}
				r.targets = append(r.targets, name+"="+value)
			case "-coverprofile", "-timeout", "-count", "-parallel", "-c", "--config", "--cov", "--timeout", "--maxfail", "-n", "-j", "--jobs", "--reporter", "--tb", "-cpu", "-o.", "--rootdir":
				if !has && i+1 < len(words) {
					i++
				}
			}
			continue
		}
		if isTarget(w) {
			r.targets = append(r.targets, strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/"))
		}
	}
	for _, t := range r.targets {
		if t == "..." || t == "." || t == "//..." || t == "" || t == ":all" {
			// Everything is among them.
			r.targets = slices.DeleteFunc(r.targets, func(s string) bool { return !strings.HasPrefix(s, "-") })
			break
		}
	}
	return r
}

// isTarget: a path, a package or the name of a test.
func isTarget(w string) bool {
	if w == "tests" || w == "test" || w == "spec" || w == "e2e" {
		return false // the whole of it, or the word of the runner
	}
	return strings.ContainsAny(w, "/.") && number(strings.ReplaceAll(w, ".", "")) < 0 && !strings.HasSuffix(w, "manage.py") && !strings.HasSuffix(w, "runtests.py") && !strings.HasSuffix(w, "setup.py") || strings.Contains(w, "::")
}

// family names runners that run the same tests.
func family(runner string) string {
	tool, _, _ := strings.Cut(runner, " ")
	switch tool {
	case "npm", "pnpm", "yarn", "bun", "vitest", "jest", "mocha", "ava", "node", "tap", "karma", "jasmine":
		return "js"
	case "pytest", "py.test", "unittest", "nose2", "nosetests", "python", "manage.py", "setup.py", "tox", "nox", "trial", "runtests.py", "run_tests.py":
		return "py"
	case "go", "gotestsum", "ginkgo":
		return "go"
	case "mvn", "gradle":
		return "jvm"
	case "make", "gmake", "just", "task", "mage", "invoke", "inv", "test.sh", "run_tests.sh", "run-tests.sh", "runtests.sh", "tests.sh", "check.sh":
		return "all"
	}
	return tool
}

// everything: the run chose nothing.
func (r *reach) everything() bool { return !r.picks && len(r.targets) == 0 }

// covers: every test of the other run is one of this run.
func (r *reach) covers(o *reach) bool {
	if r.dir != o.dir && r.dir != "" && o.dir != "" {
		return false
	}
	if r.line == o.line {
		return true
	}
	if r.family != o.family && (r.family != "all" || !r.everything()) {
		return false
	}
	if r.picks {
		return false
	}
	if len(r.targets) == 0 {
		return true
	}
	if len(o.targets) == 0 {
		return false
	}
	for _, t := range o.targets {
		if !slices.ContainsFunc(r.targets, func(w string) bool { return within(t, w) }) {
			return false
		}
	}
	return true
}

// within: the target is the other one, or a part of it.
func within(t, whole string) bool {
	if t == whole {
		return true
	}
	if rest, ok := strings.CutSuffix(whole, "/..."); ok {
		return t == rest || strings.HasPrefix(t, rest+"/")
	}
	return strings.HasPrefix(t, whole+"/") && !strings.HasPrefix(whole, "-") && !strings.HasSuffix(t, ".go") && strings.Contains(t, ".") || strings.HasPrefix(t, whole+"::")
}

// unanswered gives the newest failing run that no later run of the same or a
// wider reach has made good.
func (f *Facts) unanswered() (Run, bool) {
	for i := len(f.Tests) - 1; i >= 0; i-- {
		if t := &f.Tests[i]; t.Failed && !f.answered(t) {
			return *t, true
		}
	}
	return Run{}, false
}

func (f *Facts) answered(r *Run) bool {
	for i := range f.Tests {
		o := &f.Tests[i]
		if o.Seq <= r.Seq || !o.Passed {
			continue
		}
		if o.reach.covers(&r.reach) || o.reach.retries(r) {
			return true
		}
	}
	return false
}

// retries: the failing run named the packages or files that failed, and this
// run is of them all.
func (r *reach) retries(failed *Run) bool {
	if r.picks || len(r.targets) == 0 || len(failed.broken) == 0 || r.family != failed.reach.family {
		return false
	}
	for _, b := range failed.broken {
		if !slices.ContainsFunc(r.targets, func(t string) bool {
			t = strings.TrimSuffix(t, "/...")
			return b == t || strings.HasSuffix(b, "/"+t) || strings.HasPrefix(b, t+"/") || strings.HasPrefix(b, t+"::")
		}) {
			return false
		}
	}
	return true
}

// brokenOf gives the packages and files that a runner says failed.
func brokenOf(out string) []string {
	var found []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		rest, ok := strings.CutPrefix(line, "FAIL")
		rest = strings.TrimPrefix(rest, "ED")
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		if f := strings.Fields(rest); len(f) > 0 && strings.ContainsAny(f[0], "/.:") && len(found) < 64 {
			found = append(found, f[0])
		}
	}
	return found
}
