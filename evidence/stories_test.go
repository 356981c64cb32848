package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// TestWhatAPushSends: what is on the server is said only where the push says
// that it sent the commit.
func TestWhatAPushSends(t *testing.T) {
	const dir = "/home/dev/src/app"
	a := edit(dir + "/a.go")
	c := bash("git commit -am x", new(0), "[main 1a2b3c4] x\n 1 file changed, 2 insertions(+)")
	onFix := bash("git commit -am x", new(0), "[fix/login 1a2b3c4] x\n 1 file changed, 2 insertions(+)")
	detached := bash("git commit -am x", new(0), "[detached HEAD 1a2b3c4] x\n 1 file changed, 2 insertions(+)")
	ok := func(cmd, out string) recap.Tool { return bash(cmd, new(0), out) }
	bad := func(cmd string, code int, out string) recap.Tool { return bash(cmd, &code, out) }
	const sent = "To github.com:dev/app.git\n   9f8e7d6..1a2b3c4  main -> main"
	for _, tt := range []struct {
		name  string
		want  string
		tools []recap.Tool
	}{
		{"sent", "committed pushed", []recap.Tool{a, c, ok("git push", sent)}},
		{"sent, quiet", "committed pushed", []recap.Tool{a, c, ok("git push -q", "")}},
		{"new branch", "committed pushed", []recap.Tool{a, onFix, ok("git push -u origin HEAD", "To github.com:dev/app.git\n * [new branch]      HEAD -> fix/login\nbranch 'fix/login' set up to track 'origin/fix/login'.")}},
		{"forced", "committed pushed", []recap.Tool{a, c, ok("git push --force-with-lease", "To github.com:dev/app.git\n + 9f8e7d6...1a2b3c4 main -> main (forced update)")}},
		{"rejected", "command-failed committed", []recap.Tool{a, c, bad("git push", 1, "To github.com:dev/app.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:dev/app.git'")}},
		{"rejected, hidden", "command-failed committed", []recap.Tool{a, c, ok("git push 2>&1 | tail -3", " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:dev/app.git'")}},
		{"rejected by the hook", "command-failed committed", []recap.Tool{a, c, bad("git push", 1, " ! [remote rejected] main -> main (protected branch hook declined)\nerror: failed to push some refs")}},
		{"no upstream", "command-failed committed", []recap.Tool{a, onFix, bad("git push", 128, "fatal: The current branch fix/login has no upstream branch.")}},
		{"dry run", "committed", []recap.Tool{a, c, ok("git push --dry-run", sent)}},
		{"up to date, so not this commit", "committed", []recap.Tool{a, onFix, ok("git push origin main", "Everything up-to-date")}},
		{"up to date, after it was sent", "committed pushed", []recap.Tool{a, c, ok("git push", sent), ok("git push", "Everything up-to-date")}},
		{"another branch", "committed", []recap.Tool{a, onFix, ok("git push origin main", "To github.com:dev/app.git\n   9f8e7d6..5d6e7f8  main -> main")}},
		{"its branch under another name", "committed pushed", []recap.Tool{a, onFix, ok("git push origin HEAD:main", "To github.com:dev/app.git\n   9f8e7d6..1a2b3c4  HEAD -> main")}},
		{"detached", "committed pushed", []recap.Tool{a, detached, ok("git push origin HEAD:main", "To github.com:dev/app.git\n   9f8e7d6..1a2b3c4  HEAD -> main")}},
		{"the branch it was merged into", "committed pushed", []recap.Tool{a, onFix, ok("git checkout main && git merge fix/login && git push", "Switched to branch 'main'\nUpdating 9f8e7d6..1a2b3c4\nFast-forward\n"+sent)}},
		{"tags alone", "committed", []recap.Tool{a, c, ok("git push --tags", "To github.com:dev/app.git\n * [new tag]         v1.2.0 -> v1.2.0")}},
		{"a branch is deleted", "committed", []recap.Tool{a, c, ok("git push origin --delete old", "To github.com:dev/app.git\n - [deleted]         old")}},
		{"in the background", "committed", []recap.Tool{a, c, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "git push", Background: true, Exit: new(0)}}},
		{"stopped", "committed", []recap.Tool{a, c, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolStopped, Command: "git push"}}},
		{"timed out", "committed", []recap.Tool{a, c, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolFailed, Command: "git push", Output: "Command timed out after 2m 0.0s"}}},
		{"or true", "committed", []recap.Tool{a, c, ok("git push || true", "ssh: connect to host github.com port 22: Connection refused")}},
		{"a commit follows", "committed", []recap.Tool{a, c, ok("git push", sent), a, ok("git commit -am y", "[main 5d6e7f8] y\n 1 file changed, 2 insertions(+)")}},
		{"amended since", "committed", []recap.Tool{a, c, ok("git push", sent), ok("git commit --amend -m y", "[main 5d6e7f8] y\n 1 file changed, 2 insertions(+)")}},
		{"with changes left", "uncommitted", []recap.Tool{a, c, edit(dir + "/b.go"), ok("git push", sent)}},
		{"jj", "committed pushed", []recap.Tool{a, ok("jj commit -m x", "Parent commit (@-)      : kkmpptxz 1a2b3c4d x"), ok("jj git push --change @-", "Changes to push to origin:\n  Add bookmark push-kkmpptxz to 1a2b3c4d")}},
		{"jj, nothing", "committed", []recap.Tool{a, ok("jj commit -m x", ""), ok("jj git push", "Nothing changed.")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := toldOf(dir, "", "Pushed it to the server.", tt.tools...)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if strings.Contains(d.Recap, "Pushed") && !strings.Contains(tt.want, "pushed") && tt.name != "with changes left" {
				t.Errorf("%s claims %q", got, d.Recap)
			}
		})
	}
	for _, tt := range []struct {
		name, claim string
		holds       bool
		tool        recap.Tool
	}{
		{"merged", "Merged the pull request.", true, ok("gh pr merge 12 --squash", "✓ Squashed and merged pull request #12 (Fix login)")},
		{"merged, no terminal", "Merged the pull request.", true, ok("gh pr merge 12 --squash", "")},
		{"will be merged", "Merged the pull request.", false, ok("gh pr merge 12 --squash --auto", "✓ Pull request #12 will be automatically merged via squash when all requirements are met")},
		{"will be merged, no terminal", "Merged the pull request.", false, ok("gh pr merge 12 --auto", "")},
		{"in a queue", "Merged the pull request.", false, ok("gh pr merge 12", "✓ Pull request #12 will be added to the merge queue for main when ready")},
		{"refused", "Merged the pull request.", false, bad("gh pr merge 12", 1, "X Pull request #12 is not mergeable: the base branch policy prohibits the merge.")},
		{"conflicts", "Merged the branch into main.", false, bad("git merge fix", 1, "CONFLICT (content): Merge conflict in a.go")},
		{"conflicts, hidden", "Merged the branch into main.", false, ok("git merge fix | cat", "Auto-merging a.go\nCONFLICT (content): Merge conflict in a.go\nAutomatic merge failed; fix conflicts and then commit the result.")},
		{"aborted", "Merged the branch into main.", false, ok("git merge --abort", "")},
		{"squashed, not committed", "Merged the branch into main.", false, ok("git merge --squash fix", "Squash commit -- not updating HEAD")},
		{"pull request", "Opened a pull request.", true, ok("gh pr create --fill", "https://github.com/dev/app/pull/12")},
		{"pull request in the browser", "Opened a pull request.", false, ok("gh pr create --web", "Opening https://github.com/dev/app/compare/main...fix in your browser.")},
		{"pull request, dry run", "Opened a pull request.", false, ok("gh pr create --fill --dry-run", "Would have created a Pull Request with:")},
		{"pull request failed", "Opened a pull request.", false, bad("gh pr create --fill", 1, "aborted: you must first push the current branch to a remote, or use the --head flag")},
		{"release", "Published version 1.2.0.", true, ok("gh release create v1.2.0 --notes x", "https://github.com/dev/app/releases/tag/v1.2.0")},
		{"draft of a release", "Published version 1.2.0.", false, ok("gh release create v1.2.0 --draft --notes x", "https://github.com/dev/app/releases/tag/untagged-1")},
		{"deploy", "Deployed to production.", true, ok("kubectl apply -f k8s/", "deployment.apps/web configured")},
		{"deploy, dry run", "Deployed to production.", false, ok("kubectl apply -f k8s/ --dry-run=client", "deployment.apps/web configured (dry run)")},
		{"deploy to look at", "Deployed to production.", false, ok("vercel", "Preview: https://app-git-fix.vercel.app")},
		{"plan", "Deployed to production.", false, ok("terraform plan", "Plan: 1 to add, 0 to change, 0 to destroy.")},
		{"helm, dry run", "Deployed to production.", false, ok("helm upgrade web ./chart --dry-run", "Release \"web\" has been upgraded.")},
		{"npm publish, dry run", "Published version 1.2.0 to npm.", false, ok("npm publish --dry-run", "+ app@1.2.0")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, d := toldOf(dir, "", tt.claim, a, tt.tool)
			if got := strings.Contains(d.Recap, strings.TrimSuffix(tt.claim, ".")); got != tt.holds {
				t.Errorf("claims %v: %q", got, d.Recap)
			}
		})
	}
}

// TestWhatARunProves: tests passed only where tests of what was changed ran,
// to their end, and passed.
func TestWhatARunProves(t *testing.T) {
	const dir = "/home/dev/src/app"
	a := edit(dir + "/a/a.go")
	ok := func(cmd, out string) recap.Tool { return bash(cmd, new(0), out) }
	bad := func(cmd string, code int, out string) recap.Tool { return bash(cmd, &code, out) }
	const passed, failed, none = "tests-passed", "tests-failed", ""
	lines := strings.Repeat("ok  \tex.org/app/x\t0.1s\n", 6)
	for _, tt := range []struct {
		name  string
		want  string
		tools []recap.Tool
	}{
		{"all", passed, []recap.Tool{a, ok("go test ./...", "ok  \tex.org/app/a\t0.1s")}},
		{"its package", passed, []recap.Tool{a, ok("go test ./a", "ok  \tex.org/app/a\t0.1s")}},
		{"its package, by its import path", passed, []recap.Tool{a, ok("go test ex.org/app/a", "ok  \tex.org/app/a\t0.1s")}},
		{"its folder", passed, []recap.Tool{a, ok("cd a && go test", "PASS\nok  \tex.org/app/a\t0.1s")}},
		{"its package, from a folder", passed, []recap.Tool{edit(dir + "/a/b/x.go"), ok("cd a && go test ./b", "ok  \tex.org/app/a/b\t0.1s")}},
		{"another package", none, []recap.Tool{a, ok("go test ./b", "ok  \tex.org/app/b\t0.1s")}},
		{"another package, of two changed", none, []recap.Tool{a, edit(dir + "/b/b.go"), ok("go test ./b", "ok  \tex.org/app/b\t0.1s")}},
		{"one package, then the other", passed, []recap.Tool{a, edit(dir + "/b/b.go"), ok("go test ./a", "ok  \tex.org/app/a\t0.1s"), ok("go test ./b", "ok  \tex.org/app/b\t0.1s")}},
		{"another package, where only words changed", passed, []recap.Tool{edit(dir + "/a/README.md"), ok("go test ./b", "ok  \tex.org/app/b\t0.1s")}},
		{"a package and those below", passed, []recap.Tool{edit(dir + "/a/b/x.go"), ok("go test ./a/...", "ok  \tex.org/app/a\t0.1s")}},
		{"another folder of the project", none, []recap.Tool{edit(dir + "/api/x.py"), ok("cd web && npm test", "Tests:       2 passed, 2 total")}},
		{"its folder of the project", passed, []recap.Tool{edit(dir + "/web/x.ts"), ok("cd web && npm test", "Tests:       2 passed, 2 total")}},
		{"a folder of tests", passed, []recap.Tool{edit(dir + "/src/x.py"), ok("cd tests && pytest", "3 passed in 0.1s")}},
		{"a folder of a build", passed, []recap.Tool{edit(dir + "/src/x.cc"), ok("cd build && ctest", "100% tests passed, 0 tests failed out of 12")}},
		{"no tests to run", none, []recap.Tool{a, ok("go test -run Nope ./a", "testing: warning: no tests to run\nPASS\nok  \tex.org/app/a\t0.1s [no tests to run]")}},
		{"no tests to run, verbose", none, []recap.Tool{a, ok("go test -v -run Nope ./...", "testing: warning: no tests to run\nPASS\nok  \tex.org/app/a\t0.1s [no tests to run]")}},
		{"vet", none, []recap.Tool{a, ok("go vet ./...", "")}},
		{"compiled alone", none, []recap.Tool{a, ok("go test -c ./a", "")}},
		{"compiled alone, to nowhere", none, []recap.Tool{a, ok("go test -c -o /dev/null ./a", "")}},
		{"run none", none, []recap.Tool{a, ok("go test -run=NONE -bench=. ./...", "PASS\nok  \tex.org/app/a\t2.1s")}},
		{"exec true", none, []recap.Tool{a, ok("go test -exec true ./...", "ok  \tex.org/app/a\t0.1s")}},
		{"no script", "command-failed", []recap.Tool{a, bad("npm test", 1, "npm error Missing script: \"test\"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run")}},
		{"no script, old npm", "command-failed", []recap.Tool{a, bad("npm test", 1, "npm ERR! Missing script: \"test\"")}},
		{"no script, pnpm", "command-failed", []recap.Tool{a, bad("pnpm test", 1, " ERR_PNPM_NO_SCRIPT  Missing script: test")}},
		{"no script, yarn", "command-failed", []recap.Tool{a, bad("yarn test", 1, "error Command \"test\" not found.")}},
		{"no script, bun", "command-failed", []recap.Tool{a, bad("bun run test", 1, "error: Script not found \"test\"")}},
		{"the script of npm init", "command-failed", []recap.Tool{a, bad("npm test", 1, "> app@1.0.0 test\n> echo \"Error: no test specified\" && exit 1\n\nError: no test specified")}},
		{"no package.json", "command-failed", []recap.Tool{a, bad("npm test", 254, "npm error code ENOENT\nnpm error syscall open\nnpm error path /home/dev/src/app/package.json")}},
		{"no pytest", "command-failed", []recap.Tool{a, bad("python -m pytest", 1, "/usr/bin/python: No module named pytest")}},
		{"no target", "command-failed", []recap.Tool{a, bad("make test", 2, "make: *** No rule to make target 'test'.  Stop.")}},
		{"no module", "command-failed", []recap.Tool{a, bad("go test ./...", 1, "go: go.mod file not found in current directory or any parent directory; see 'go help modules'")}},
		{"no packages", none, []recap.Tool{a, ok("go test ./...", "go: warning: \"./...\" matched no packages\nno packages to test")}},
		{"no folder", "command-failed", []recap.Tool{a, bad("cd nope && go test ./...", 1, "bash: cd: nope: No such file or directory")}},
		{"no cargo.toml", "command-failed", []recap.Tool{a, bad("cargo test", 101, "error: could not find `Cargo.toml` in `/home/dev/src/app` or any parent directory")}},
		{"no docker", "command-failed", []recap.Tool{a, bad("docker compose run app pytest", 1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?")}},
		{"a wrong option", "command-failed", []recap.Tool{a, bad("pytest --nope", 4, "ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]\npytest: error: unrecognized arguments: --nope")}},
		{"gradle has no such task", "command-failed", []recap.Tool{a, bad("./gradlew test", 1, "* What went wrong:\nTask 'test' not found in root project 'app'.\n\nBUILD FAILED in 1s")}},
		{"not installed", "command-failed", []recap.Tool{a, bad("npm test", 127, "> app@1.0.0 test\n> jest\n\nsh: 1: jest: not found")}},
		{"collected alone", none, []recap.Tool{a, ok("pytest --collect-only", "10 tests collected in 0.02s")}},
		{"built alone", none, []recap.Tool{a, ok("cargo test --no-run", "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.5s")}},
		{"all skipped", none, []recap.Tool{a, ok("pytest", "========= 4 skipped in 0.03s =========")}},
		{"all deselected", none, []recap.Tool{a, bad("pytest -k nope", 5, "collected 9 items / 9 deselected / 0 selected\n\n==== 9 deselected in 0.02s ====")}},
		{"before the last edit", "tests-not-run", []recap.Tool{ok("go test ./...", "ok  \tex.org/app/a\t0.1s"), a}},
		{"before the last edit by the shell", "tests-not-run", []recap.Tool{ok("go test ./...", "ok  \tex.org/app/a\t0.1s"), ok("sed -i s/x/y/ a/a.go", "")}},
		{"before and after", passed, []recap.Tool{ok("go test ./...", "ok  \tex.org/app/a\t0.1s"), a, ok("go test ./...", "ok  \tex.org/app/a\t0.1s")}},
		{"tail", passed, []recap.Tool{a, ok("go test ./... 2>&1 | tail -5", lines)}},
		{"tail, failed", failed, []recap.Tool{a, ok("go test ./... 2>&1 | tail -2", "FAIL\tex.org/app/a\t0.1s\nFAIL")}},
		{"tail, no words", none, []recap.Tool{a, ok("make test | tail -1", "done")}},
		{"head shows the first lines", none, []recap.Tool{a, ok("go test ./... | head -6", lines)}},
		{"head shows all", passed, []recap.Tool{a, ok("go test ./... 2>&1 | head -40", lines)}},
		{"grep shows what passed", none, []recap.Tool{a, ok("go test ./... | grep ok", lines)}},
		{"grep shows both", passed, []recap.Tool{a, ok("go test ./... 2>&1 | grep -E '^(ok|FAIL)'", lines)}},
		{"grep leaves out what failed", none, []recap.Tool{a, ok("go test ./... 2>&1 | grep -v FAIL", lines)}},
		{"grep leaves out noise", passed, []recap.Tool{a, ok("go test ./... 2>&1 | grep -v 'no test files'", lines)}},
		{"grep for what passed, mocha", none, []recap.Tool{a, ok("npx mocha | grep passing", "  5 passing (12ms)")}},
		{"grep of the summary, pytest", passed, []recap.Tool{a, ok("pytest | grep passed", "======= 42 passed in 1.2s =======")}},
		{"sed shows the first lines", none, []recap.Tool{a, ok("go test ./... | sed -n 1,6p", lines)}},
		{"into a file, then grep", none, []recap.Tool{a, ok("go test ./... > out.txt 2>&1; grep ok out.txt", lines)}},
		{"into a file, then tail", passed, []recap.Tool{a, ok("go test ./... > out.log 2>&1; tail -6 out.log", lines)}},
		{"or true, passed", passed, []recap.Tool{a, ok("go test ./... || true", "ok  \tex.org/app/a\t0.1s")}},
		{"or true, failed", failed, []recap.Tool{a, ok("go test ./... || true", "--- FAIL: TestA (0.00s)\nFAIL")}},
		{"or true, silent", none, []recap.Tool{a, ok("npm test --silent || true", "")}},
		{"echo done", none, []recap.Tool{a, ok("npm test --silent; echo done", "done")}},
		{"and echo done", passed, []recap.Tool{a, ok("npm test --silent && echo done", "done")}},
		{"and echo, or echo", failed, []recap.Tool{a, ok("npm test --silent && echo PASSED || echo FAILED", "FAILED")}},
		{"background", none, []recap.Tool{a, ok("go test ./... &", "[1] 4711")}},
		{"background, into a file", none, []recap.Tool{a, ok("nohup go test ./... > out.log 2>&1 &", "")}},
		{"timed out", none, []recap.Tool{a, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolFailed, Command: "go test ./...", Output: "Command timed out after 2m 0.0s\nok  \tex.org/app/a\t0.1s"}}},
		{"timed out, with a status", none, []recap.Tool{a, bad("go test ./...", 143, "Command timed out after 2m 0.0s")}},
		{"timeout command", none, []recap.Tool{a, bad("timeout 60 npm test", 124, "")}},
		{"output cut, status", passed, []recap.Tool{a, ok("go test -v ./...", "=== RUN   TestA\n... [12345 characters truncated] ...\n")}},
		{"output cut, no status", none, []recap.Tool{a, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "go test -v ./...", Output: "=== RUN   TestA\n... [12345 characters truncated] ...\n--- PASS: TestZ (0.00s)"}}},
		{"no status, no words", none, []recap.Tool{a, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "npm test"}}},
		{"watch mode stopped", none, []recap.Tool{a, {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolStopped, Command: "npx vitest", Output: " Test Files  1 passed (1)"}}},
		{"printed by cat", none, []recap.Tool{a, ok("cat test.log", "42 passed")}},
		{"in a loop", none, []recap.Tool{a, ok("for i in 1 2 3; do npm test --silent; done", "")}},
		{"negated", none, []recap.Tool{a, ok("! npm test --silent", "")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := toldOf(dir, "", "All tests pass.", tt.tools...)
			got = strings.TrimSpace(strings.TrimSuffix(got, "uncommitted"))
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if strings.Contains(d.Recap, "pass") && got != passed {
				t.Errorf("%s claims %q", got, d.Recap)
			}
		})
	}
}
