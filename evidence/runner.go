package evidence

import (
	"slices"
	"strings"
)

// class says what a simple command is for.
type class uint8

const (
	classOther class = iota
	classTest
	classBuild  // builds, type checks, linters
	classCommit // makes a commit
	classPush
	classPR      // opens a pull request
	classMerge   // merges a branch or a pull request
	classDeploy  // deploys or publishes
	classSearch  // reads and searches: a failure is an answer
	classEdit    // changes files
	classUndo    // throws edits away
	classReset   // takes commits back
	classRestore // throws the edits of some files away
	classHost    // tags, closes or deletes on a server of code
)

// known is a command that was recognised.
type known struct {
	class   class
	runner  string // "go test"
	partial bool   // a chosen few of the tests
	paths   []string
}

// classify recognises a simple command without its wrappers.
func classify(w []string) known {
	k := recognise(w)
	if k.class == classTest && runsNothing(k.runner, w[1:]) {
		return known{class: classSearch, runner: k.runner}
	}
	return k
}

func recognise(w []string) known {
	if len(w) == 0 {
		return known{}
	}
	name := strings.ToLower(strings.TrimSuffix(base(w[0]), ".exe"))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".cmd"), ".bat")
	args := w[1:]
	switch name {
	case "go":
		return classifyGo(args)
	case "python", "python3", "python2", "py", "pypy3":
		return classifyPython(args)
	case "pytest", "py.test", "nose2", "nosetests", "behave", "robot", "gotestsum", "ginkgo", "trial", "nextest":
		return known{class: classTest, runner: name, partial: chosen(args)}
	case "vitest", "jest", "mocha", "ava", "tap", "karma", "playwright", "cypress", "wdio", "jasmine", "uvu", "qunit", "c8", "nyc":
		return classifyJS(name, args)
	case "rspec", "phpunit", "pest", "paratest", "ctest", "tox", "nox", "minitest", "cucumber", "codecept", "bats", "busted", "prove", "lein", "sbt", "stack", "cabal", "dune", "zig", "gleam", "rebar3", "crystal", "julia", "elm-test", "flutter", "dart", "xcodebuild", "swift", "mix", "deno", "bazel", "bazelisk", "buck2", "pants", "dotnet", "rails", "rake", "hatch", "turbo", "nx", "lerna", "composer", "meson", "ninja", "rush", "moon", "vstest.console":
		return classifyTool(name, args)
	case "npm", "pnpm", "yarn", "bun":
		return classifyNode(name, args)
	case "cargo":
		return classifyCargo(args)
	case "mvn", "mvnw", "gradle", "gradlew":
		return classifyJVM(name, args)
	case "make", "gmake", "just", "task", "mage", "invoke", "inv":
		return classifyMake(name, args)
	case "git":
		return classifyGit(args)
	case "hg", "sl", "jj", "svn":
		return classifyOther(name, args)
	case "gh", "glab", "hub":
		return classifyForge(name, args)
	case "tsc", "vue-tsc", "eslint", "prettier", "biome", "golangci-lint", "staticcheck", "ruff", "mypy", "pyright", "flake8", "pylint", "black", "rubocop", "clippy", "shellcheck", "gofmt", "gofumpt", "webpack", "vite", "rollup", "esbuild", "gcc", "g++", "clang", "clang++", "javac", "rustc", "cmake", "ktlint", "detekt", "checkstyle", "phpstan", "psalm", "oxlint", "stylelint", "svelte-check", "tsup", "next", "govulncheck":
		return known{class: classBuild, runner: name}
	case "rg", "grep", "egrep", "fgrep", "ag", "ack", "find", "fd", "ls", "cat", "head", "tail", "less", "diff", "cmp", "test", "[", "[[", "which", "type", "whereis", "wc", "stat", "file", "pgrep", "pwd", "tree", "sort", "uniq", "cut", "awk", "jq", "yq", "date", "env", "printenv", "ps", "df", "du", "lsof", "id", "whoami", "uname", "cd", "echo", "printf", "true", "false", "sleep", "kill", "pkill", "basename", "dirname", "realpath", "readlink", "nl", "column", "tr", "xxd", "hexdump", "strings", "expr", "seq", "xargs":
		return known{class: classSearch, runner: name}
	case "rm", "mv", "cp", "touch", "truncate", "unlink", "ln", "patch", "install", "mkdir", "rmdir", "tee", "sed", "perl", "apply_patch", "chmod":
		return classifyFiles(name, args)
	}
	return classifyDeploy(name, args)
}

func classifyGo(args []string) known {
	switch first(args) {
	case "test":
		for i, a := range args {
			a = strings.TrimLeft(a, "-")
			switch {
			case a == "c" || a == "list" || strings.HasPrefix(a, "list="):
				return known{class: classBuild, runner: "go test -c"}
			case a == "run" && i+1 < len(args) && (args[i+1] == "^$" || args[i+1] == "NONE" || args[i+1] == "xxx"):
				return known{runner: "go test -bench"}
			}
		}
		return known{class: classTest, runner: "go test", partial: chosen(args)}
	case "build", "vet", "install", "generate":
		return known{class: classBuild, runner: "go " + args[0]}
	case "tool", "run":
		for _, a := range args[1:] {
			switch b := base(a); {
			case strings.HasPrefix(b, "gotestsum"), strings.HasPrefix(b, "ginkgo"):
				return known{class: classTest, runner: "gotestsum"}
			case strings.HasPrefix(b, "golangci-lint"), strings.HasPrefix(b, "staticcheck"):
				return known{class: classBuild, runner: "golangci-lint"}
			}
		}
	case "fmt":
		return known{class: classBuild, runner: "go fmt"}
	}
	return known{}
}

func classifyPython(args []string) known {
	for i := range args {
		a := args[i]
		if a == "-m" && i+1 < len(args) {
			rest := args[i+1:]
			switch rest[0] {
			case "pytest", "unittest", "nose2", "tox", "nox", "doctest", "behave":
				return known{class: classTest, runner: rest[0], partial: chosen(rest[1:])}
			case "coverage":
				if len(rest) > 3 && rest[1] == "run" && rest[2] == "-m" {
					return classifyPython(rest[2:])
				}
			case "mypy", "ruff", "pylint", "flake8", "black", "pyright", "compileall", "py_compile", "build":
				return known{class: classBuild, runner: rest[0]}
			case "twine":
				return known{class: classDeploy, runner: "twine"}
			}
			return known{}
		}
		if strings.HasPrefix(a, "-") {
			continue
		}
		switch b := base(a); {
		case b == "manage.py" && i+1 < len(args) && args[i+1] == "test":
			return known{class: classTest, runner: "manage.py test", partial: chosen(args[i+2:])}
		case b == "setup.py" && i+1 < len(args) && args[i+1] == "test":
			return known{class: classTest, runner: "setup.py test"}
		case b == "runtests.py" || b == "run_tests.py":
			return known{class: classTest, runner: b}
		case strings.HasPrefix(b, "test_") && strings.HasSuffix(b, ".py"), strings.HasSuffix(b, "_test.py"):
			return known{class: classTest, runner: "python", partial: true}
		}
		return known{}
	}
	return known{}
}

func classifyJS(name string, args []string) known {
	switch name {
	case "playwright", "cypress":
		if a := first(args); a != "test" && a != "run" {
			return known{}
		}
	case "c8", "nyc":
		i := flags(args, 0)
		if i < len(args) {
			return classify(unwrap(args[i:]))
		}
		return known{}
	case "vitest":
		if a := first(args); a == "bench" || a == "list" {
			return known{}
		}
	}
	return known{class: classTest, runner: name, partial: chosen(args)}
}

func classifyNode(name string, args []string) known {
	i := flags(args, 0, "--filter", "-F", "-C", "--dir", "--prefix", "--cwd", "-w", "--workspace")
	if i >= len(args) {
		return known{}
	}
	if args[i] == "workspace" && len(args) > i+2 { // yarn workspace NAME SCRIPT
		i += 2
	}
	script := args[i]
	rest := args[i+1:]
	if (script == "run" || script == "run-script" || script == "workspaces") && len(rest) > 0 {
		j := flags(rest, 0, "-w", "--workspace", "--filter")
		if j >= len(rest) {
			return known{}
		}
		script, rest = rest[j], rest[j+1:]
	}
	switch {
	case script == "t" || script == "tst" || script == "test" || strings.HasPrefix(script, "test:") || strings.HasPrefix(script, "test-") || script == "spec" || script == "e2e":
		return known{class: classTest, runner: name + " test", partial: chosen(rest)}
	case script == "publish":
		if has(args, "--dry-run") {
			return known{}
		}
		return known{class: classDeploy, runner: name + " publish"}
	case strings.HasPrefix(script, "deploy") || strings.HasPrefix(script, "release"):
		return known{class: classDeploy, runner: name + " run " + script}
	case strings.HasPrefix(script, "build") || strings.HasPrefix(script, "lint") || strings.HasPrefix(script, "typecheck") || strings.HasPrefix(script, "type-check") || script == "tsc" || script == "check" || script == "compile" || strings.HasPrefix(script, "check:"):
		return known{class: classBuild, runner: name + " run " + script}
	}
	// yarn and pnpm run a program by its bare name.
	if name != "npm" {
		switch script {
		case "vitest", "jest", "mocha", "ava", "playwright", "cypress", "tsc", "eslint":
			return classify(append([]string{script}, rest...))
		}
	}
	return known{}
}

func classifyCargo(args []string) known {
	if len(args) > 0 && strings.HasPrefix(args[0], "+") {
		args = args[1:]
	}
	switch first(args) {
	case "test", "t", "nextest":
		if has(args, "--no-run") || len(args) > 1 && args[1] == "list" {
			return known{class: classBuild, runner: "cargo build"}
		}
		rest := args[1:]
		partial := chosen(rest)
		for i, a := range rest {
			if a == "--" {
				break
			}
			if !strings.HasPrefix(a, "-") && a != "run" && (i == 0 || !strings.HasPrefix(rest[i-1], "-") || rest[i-1] == "--release" || rest[i-1] == "--workspace" || rest[i-1] == "--all") {
				partial = true
			}
		}
		return known{class: classTest, runner: "cargo " + args[0], partial: partial}
	case "build", "b", "check", "c", "clippy", "fmt", "doc":
		return known{class: classBuild, runner: "cargo " + args[0]}
	case "publish":
		if has(args, "--dry-run") {
			return known{}
		}
		return known{class: classDeploy, runner: "cargo publish"}
	}
	return known{}
}

func classifyJVM(name string, args []string) known {
	name = strings.TrimSuffix(name, "w")
	k := known{}
	for _, a := range args {
		task := a[strings.LastIndexByte(a, ':')+1:]
		switch {
		case strings.HasPrefix(a, "-DskipTests"), strings.HasPrefix(a, "-Dmaven.test.skip"):
			return known{class: classBuild, runner: name}
		case task == "test" || task == "verify" || task == "check" || task == "integrationTest" || task == "allTests" || strings.HasPrefix(task, "test") || strings.HasPrefix(task, "connected"):
			if !strings.HasPrefix(a, "-") {
				k.class, k.runner = classTest, name+" "+task
			}
		case task == "build" || task == "assemble" || task == "compile" || task == "package" || task == "install" || task == "compileJava" || task == "compileKotlin":
			if k.class == classOther {
				k.class, k.runner = classBuild, name+" "+task
			}
		case task == "publish" || task == "deploy":
			k.class, k.runner = classDeploy, name+" "+task
		}
		if strings.HasPrefix(a, "--tests") || strings.HasPrefix(a, "-Dtest=") {
			k.partial = true
		}
	}
	return k
}

func classifyMake(name string, args []string) known {
	k := known{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "-C" || a == "-f" {
			i++
			continue
		}
		if a == "-n" || a == "--dry-run" {
			return known{}
		}
		if strings.HasPrefix(a, "-") || isAssignment(a) {
			continue
		}
		l := strings.ToLower(a)
		switch {
		case l == "test" || l == "tests" || l == "check" || l == "spec" || l == "e2e" || l == "unit" || strings.HasPrefix(l, "test-") || strings.HasPrefix(l, "test_") || strings.HasPrefix(l, "test:") || strings.HasPrefix(l, "unit-test") || strings.HasSuffix(l, "-test") || strings.HasSuffix(l, "-tests"):
			return known{class: classTest, runner: name + " " + a}
		case strings.HasPrefix(l, "deploy") || strings.HasPrefix(l, "release") || strings.HasPrefix(l, "publish"):
			k = known{class: classDeploy, runner: name + " " + a}
		case k.class == classOther && (strings.HasPrefix(l, "build") || strings.HasPrefix(l, "lint") || l == "all" || l == "vet" || l == "fmt" || l == "compile"):
			k = known{class: classBuild, runner: name + " " + a}
		}
	}
	if len(args) == 0 && (name == "make" || name == "gmake") {
		return known{class: classBuild, runner: name}
	}
	return k
}

// classifyTool knows programs whose first words name what they do.
func classifyTool(name string, args []string) known {
	test := known{class: classTest, runner: name, partial: chosen(args)}
	switch name {
	case "rspec", "phpunit", "pest", "paratest", "ctest", "tox", "nox", "minitest", "cucumber", "bats", "busted", "prove", "elm-test", "vstest.console":
		for _, a := range args {
			if !strings.HasPrefix(a, "-") && strings.Contains(a, ":") {
				test.partial = true
			}
		}
		if has(args, "--list-tests") || has(args, "-N") {
			return known{}
		}
		return test
	}
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		switch {
		case a == "test" || a == "tests" || a == "runtest" || a == "eunit" || a == "ct" || a == "spec" || strings.HasPrefix(a, "test:") || strings.HasPrefix(a, "spec:"):
			test.runner = name + " " + a
			test.partial = chosen(args[i+1:])
			if name == "mix" {
				for _, p := range args[i+1:] {
					test.partial = test.partial || strings.Contains(p, ".exs:")
				}
			}
			return test
		case a == "build" || a == "compile" || a == "lint" || a == "analyze" || a == "check" || a == "typecheck":
			return known{class: classBuild, runner: name + " " + a}
		case a == "publish" || a == "deploy" || a == "pub":
			return known{class: classDeploy, runner: name + " " + a}
		case name == "turbo" || name == "nx" || name == "composer" || name == "lerna":
			continue // "turbo run test"
		}
		if name == "xcodebuild" || name == "bazel" || name == "bazelisk" || name == "meson" || name == "ninja" {
			continue
		}
		return known{}
	}
	return known{}
}

func classifyGit(args []string) known {
	i := flags(args, 0, "-C", "-c", "--git-dir", "--work-tree")
	if i >= len(args) {
		return known{}
	}
	sub, rest := args[i], args[i+1:]
	switch sub {
	case "commit":
		if has(rest, "--dry-run") || has(rest, "--help") {
			return known{}
		}
		return known{class: classCommit, runner: "git commit"}
	case "revert", "cherry-pick", "am":
		if has(rest, "--abort") || has(rest, "--no-commit") || has(rest, "-n") {
			return known{class: classOther, runner: "git " + sub}
		}
		return known{class: classCommit, runner: "git " + sub}
	case "push":
		if has(rest, "--dry-run") || has(rest, "-n") || has(rest, "--help") {
			return known{}
		}
		for _, a := range rest {
			if a == "--delete" || a == "-d" || strings.HasPrefix(a, ":") {
				return known{class: classHost, runner: "git push --delete"}
			}
		}
		if k := first(rest[flags(rest, 0):]); k == "heroku" || k == "dokku" || k == "production" {
			return known{class: classDeploy, runner: "git push " + k}
		}
		return known{class: classPush, runner: "git push"}
	case "tag":
		if len(operands(rest)) == 0 || has(rest, "-l") || has(rest, "--list") || has(rest, "-n") || has(rest, "--contains") || has(rest, "-d") || has(rest, "--points-at") {
			return known{class: classSearch, runner: "git tag"}
		}
		return known{class: classHost, runner: "git tag"}
	case "branch":
		if has(rest, "-d") || has(rest, "-D") || has(rest, "--delete") {
			return known{class: classHost, runner: "git branch -d"}
		}
		return known{class: classSearch, runner: "git branch"}
	case "merge":
		if has(rest, "--abort") || has(rest, "--no-commit") || has(rest, "--squash") || has(rest, "--quit") {
			return known{}
		}
		return known{class: classMerge, runner: "git merge"}
	case "rebase":
		return known{runner: "git rebase"}
	case "reset":
		if has(rest, "--hard") || has(rest, "--merge") || has(rest, "--keep") {
			return known{class: classUndo, runner: "git reset", paths: rest}
		}
		if target := first(operands(rest)); strings.HasPrefix(target, "HEAD") || strings.HasPrefix(target, "@") || isHash(target) || strings.HasPrefix(target, "origin/") || has(rest, "--soft") || has(rest, "--mixed") {
			return known{class: classReset, runner: "git reset", paths: rest}
		}
		return known{}
	case "checkout", "restore", "switch":
		return classifyRestore(sub, rest)
	case "stash":
		if f := first(rest); f == "" || f == "push" || f == "save" || strings.HasPrefix(f, "-") {
			return known{class: classUndo, runner: "git stash"}
		}
		if f := first(rest); f == "pop" || f == "apply" {
			return known{class: classEdit, runner: "git stash " + f}
		}
		return known{class: classSearch, runner: "git stash"}
	case "apply", "mv", "rm":
		if has(rest, "--check") || has(rest, "--cached") || has(rest, "--stat") || has(rest, "--dry-run") || has(rest, "-n") {
			return known{}
		}
		k := known{class: classEdit, runner: "git " + sub}
		if sub != "apply" {
			k.paths = operands(rest) // those of a patch stand in it
		}
		return k
	case "status", "diff", "log", "show", "blame", "grep", "rev-parse", "ls-files", "remote", "describe", "config", "fetch", "merge-base", "shortlog", "reflog", "cat-file", "rev-list", "check-ignore":
		return known{class: classSearch, runner: "git " + sub}
	}
	return known{}
}

// classifyRestore tells a change of branch from a throwing away of edits.
func classifyRestore(sub string, rest []string) known {
	k := known{class: classUndo, runner: "git " + sub}
	if sub == "restore" && has(rest, "--staged") && !has(rest, "--worktree") && !has(rest, "-W") {
		return known{}
	}
	if sub != "restore" && (has(rest, "-f") || has(rest, "--force") || has(rest, "--discard-changes")) {
		return k
	}
	files, dashes := operands(rest), false
	for i, a := range rest {
		if a == "--" {
			files, dashes = rest[i+1:], true
		}
	}
	for _, a := range files {
		if a == "." || a == ":/" || a == "*" {
			return k
		}
	}
	if older := olderFiles(sub, rest, files, dashes); len(older) > 0 {
		return known{class: classEdit, runner: "git " + sub, paths: older}
	}
	if sub == "restore" && len(files) > 0 || sub == "checkout" && dashes && len(files) > 0 {
		return known{class: classRestore, runner: "git " + sub, paths: files}
	}
	return known{}
}

// classifyOther knows the other programs that keep versions.
func classifyOther(name string, args []string) known {
	i := flags(args, 0, "-R", "--repository", "--cwd", "--config")
	if i >= len(args) || has(args, "--help") || has(args, "--dry-run") || has(args, "-n") && name == "hg" {
		return known{}
	}
	sub := args[i]
	k := known{class: classSearch, runner: name + " " + sub}
	switch name + " " + sub {
	case "hg commit", "hg ci", "hg amend", "sl commit", "sl ci", "sl amend", "jj commit", "jj ci", "jj describe", "jj desc", "jj squash", "svn commit", "svn ci":
		k.class = classCommit
		if has(args, "-i") || has(args, "--interactive") {
			k.class = classOther // which parts, nobody knows
		}
	case "hg push", "sl push":
		k.class = classPush
	case "jj git":
		if k.class = classOther; i+1 < len(args) && args[i+1] == "push" {
			k.class = classPush
		}
	case "hg revert", "sl revert", "svn revert", "jj restore", "jj abandon", "jj undo", "hg strip", "hg rollback", "hg update", "jj new", "jj edit", "hg merge", "svn update":
		k.class = classOther
	}
	return k
}

// olderFiles gives the files that are set to what they were in another commit:
// that is a change of them.
func olderFiles(sub string, rest, files []string, dashes bool) []string {
	source := ""
	for i, a := range rest {
		if a == "--" {
			break
		}
		value, ok := strings.CutPrefix(a, "--source=")
		switch {
		case ok:
			source = value
		case (a == "-s" || a == "--source") && i+1 < len(rest):
			source = rest[i+1]
		case sub == "checkout" && dashes && !strings.HasPrefix(a, "-"):
			source = a
		}
	}
	if source == "" || source == "HEAD" || source == "@" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return f == source })
}

func classifyForge(name string, args []string) known {
	if len(args) < 2 {
		return known{}
	}
	switch args[0] + " " + args[1] {
	case "pr create", "mr create", "pr new", "mr new":
		if has(args, "--dry-run") || has(args, "--web") || has(args, "-w") || has(args, "--help") {
			return known{} // the browser asks on
		}
		return known{class: classPR, runner: name + " " + args[0] + " create"}
	case "pr merge", "mr merge":
		if has(args, "--auto") || has(args, "--disable-auto") || has(args, "--when-pipeline-succeeds") || has(args, "--auto-merge") {
			return known{runner: name} // later, or never
		}
		return known{class: classMerge, runner: name + " " + args[0] + " merge"}
	case "release create":
		if has(args, "--draft") || has(args, "-d") {
			return known{runner: name}
		}
		return known{class: classDeploy, runner: name + " release create"}
	}
	switch args[1] {
	case "close", "comment", "delete", "edit", "reopen", "lock", "note", "review", "approve", "label":
		return known{class: classHost, runner: name + " " + args[0] + " " + args[1]}
	}
	if args[0] == "pull-request" {
		return known{class: classPR, runner: "hub pull-request"}
	}
	return known{class: classSearch, runner: name}
}

func classifyFiles(name string, args []string) known {
	k := known{class: classEdit, runner: name}
	switch name {
	case "sed", "perl":
		inPlace := false
		for _, a := range args {
			inPlace = inPlace || strings.HasPrefix(a, "-i") || a == "--in-place" || strings.HasPrefix(a, "-pi") || strings.HasPrefix(a, "-i.")
		}
		if !inPlace {
			return known{class: classSearch, runner: name}
		}
		if ops := operands(args); len(ops) > 1 {
			k.paths = ops[1:] // the first operand is the script
		} else {
			k.paths = ops
		}
		return k
	case "mkdir", "rmdir", "chmod", "install":
		return known{runner: name}
	case "patch":
		if has(args, "--dry-run") {
			return known{}
		}
	}
	k.paths = fileOperands(name, args)
	return k
}

// fileOperands gives the files that a command changes.
func fileOperands(name string, args []string) []string {
	valued := map[string][]string{
		"truncate": {"-s", "--size", "-r", "--reference"}, "touch": {"-d", "--date", "-r", "--reference", "-t"},
		"patch": {"-i", "--input", "-d", "-o", "-D"}, "cp": {"-t"}, "mv": {"-t"}, "ln": {"-t"},
	}[name]
	var ops []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(valued, a):
			i++
			if a == "-t" && name != "touch" && i < len(args) {
				return args[i : i+1]
			}
		case !strings.HasPrefix(a, "-") && a != "":
			ops = append(ops, a)
		}
	}
	switch {
	case (name == "cp" || name == "ln") && len(ops) > 1:
		return ops[len(ops)-1:]
	case name == "patch" && len(ops) > 1:
		return ops[:1]
	}
	return ops
}

func classifyDeploy(name string, args []string) known {
	deploy := func(words ...string) known {
		if has(args, "--dry-run") || has(args, "--dry-run=client") || has(args, "--dry-run=server") || has(args, "--help") {
			return known{}
		}
		for _, a := range args {
			for _, w := range words {
				if a == w {
					return known{class: classDeploy, runner: name + " " + w}
				}
			}
		}
		return known{}
	}
	switch name {
	case "kubectl", "oc":
		return deploy("apply", "rollout", "set")
	case "helm":
		return deploy("upgrade", "install")
	case "terraform", "tofu":
		return deploy("apply")
	case "pulumi":
		return deploy("up")
	case "fly", "flyctl", "vercel", "netlify", "wrangler", "firebase", "serverless", "sls", "cdk", "sam", "gcloud", "railway", "cap", "kamal", "eb", "amplify", "now", "surge", "heroku", "az", "aws":
		if name == "vercel" || name == "netlify" {
			if !has(args, "--prod") && !has(args, "-p") {
				return known{runner: name} // a preview
			}
			return known{class: classDeploy, runner: name}
		}
		return deploy("deploy", "up", "publish", "--prod", "update-service", "create-deployment", "update-function-code", "release")
	case "ansible-playbook":
		if has(args, "--check") {
			return known{}
		}
		return known{class: classDeploy, runner: name}
	case "docker", "podman":
		if first(args) == "build" {
			return known{class: classBuild, runner: name + " build"}
		}
		return deploy("push")
	case "twine":
		return deploy("upload")
	case "goreleaser":
		return deploy("release")
	case "gem":
		return deploy("push")
	case "semantic-release", "deploy", "deploy.sh", "release.sh", "publish.sh":
		if has(args, "--dry-run") {
			return known{}
		}
		return known{class: classDeploy, runner: name}
	case "run_tests.sh", "run-tests.sh", "test.sh", "runtests.sh", "runtests", "tests.sh", "check.sh":
		return known{class: classTest, runner: name}
	case "node":
		if has(args, "--test") {
			return known{class: classTest, runner: "node --test", partial: chosen(args)}
		}
		for _, a := range args {
			if strings.Contains(base(a), ".test.") {
				return known{class: classTest, runner: "node", partial: true}
			}
		}
	case "ruby":
		for _, a := range args {
			if strings.HasSuffix(a, "_test.rb") || strings.HasPrefix(base(a), "test_") {
				return known{class: classTest, runner: "ruby", partial: true}
			}
		}
	case "php":
		if first(args) == "artisan" && len(args) > 1 && args[1] == "test" {
			return known{class: classTest, runner: "artisan test", partial: chosen(args[2:])}
		}
		if len(args) > 0 && strings.HasPrefix(base(args[0]), "phpunit") {
			return known{class: classTest, runner: "phpunit", partial: chosen(args[1:])}
		}
	}
	return known{}
}

// chosen: the arguments pick some of the tests.
func chosen(args []string) bool {
	for i, a := range args {
		if strings.Contains(a, "::") {
			return true
		}
		name, _, _ := strings.Cut(a, "=")
		switch name {
		case "-run", "--run":
			if strings.HasPrefix(a, "--run") && !strings.Contains(a, "=") && (i+1 >= len(args) || strings.HasPrefix(args[i+1], "-")) {
				continue // vitest --run
			}
			return true
		case "-k", "-t", "--filter", "--testNamePattern", "--test-name-pattern", "--grep", "-g", "-e", "--example", "-R", "--only", "--lf", "--last-failed", "-only-testing", "--tests", "-testNamePattern", "--test":
			return true
		case "-short", "--failfast":
			continue
		}
	}
	return false
}

func first(a []string) string {
	if len(a) == 0 {
		return ""
	}
	return a[0]
}

func has(args []string, want string) bool {
	return slices.Contains(args, want)
}

func operands(args []string) []string {
	var out []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && a != "" {
			out = append(out, a)
		}
	}
	return out
}
