package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

func bash(cmd string, code *int, out string) recap.Tool {
	s := recap.ToolDone
	if code != nil && *code != 0 {
		s = recap.ToolFailed
	}
	return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: s, Command: cmd, Exit: code, Output: out}
}

func edit(paths ...string) recap.Tool {
	return recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: paths}
}

func turnOf(tools ...recap.Tool) []recap.Turn {
	return []recap.Turn{{UserID: "u1", AnswerID: "a1", Text: "fix it", Authored: "fix it", Answer: "x", Complete: true, Tools: tools}}
}

func TestCollectTestRuns(t *testing.T) {
	const pass, fail, unknown, none = "pass", "fail", "unknown", "none"
	tests := []struct {
		name    string
		tool    recap.Tool
		runner  string
		want    string
		partial bool
	}{
		{"go", bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"), "go test", pass, false},
		{"go failed", bash("go test ./...", new(1), "FAIL\n"), "go test", fail, false},
		{"no exit, passing words", bash("go test ./...", nil, "ok  \texample.com/a\t0.1s\n"), "go test", pass, false},
		{"no exit, failing words", bash("go test ./...", nil, "--- FAIL: TestA (0.00s)\nFAIL\n"), "go test", fail, false},
		{"no exit, no words", bash("go test ./...", nil, ""), "go test", unknown, false},
		{"pipe hides failure", bash("go test ./... 2>&1 | tail -3", new(0), "FAIL\texample.com/a\t0.1s\nFAIL\n"), "go test", fail, false},
		{"pipe, passing words", bash("go test ./... | tail -3", new(0), "ok  \texample.com/a\t0.1s\n"), "go test", pass, false},
		{"pipe, no words", bash("go test ./... | grep -v ok", new(0), "done\n"), "go test", unknown, false},
		{"pipe, grep found nothing", bash("go test ./... | grep FAIL", new(1), ""), "go test", unknown, false},
		{"pipefail", bash("set -o pipefail; go test ./... | tail -3", new(1), ""), "go test", fail, false},
		{"or true", bash("pytest || true", new(0), "1 failed, 3 passed in 0.1s\n"), "pytest", fail, false},
		{"or true, silent", bash("pytest -q || true", new(0), ""), "pytest", unknown, false},
		{"semicolon echo", bash("npm test; echo done", new(0), "done\n"), "npm test", unknown, false},
		{"echo of status 0", bash("go test ./...; echo \"exit: $?\"", new(0), "exit: 0\n"), "go test", pass, false},
		{"echo of status 1", bash("go test ./...; echo exit=$?", new(0), "exit=1\n"), "go test", fail, false},
		{"cd and", bash("cd /home/dev/app && go test ./...", new(1), ""), "go test", fail, false},
		{"env and timeout", bash("CGO_ENABLED=1 timeout 60 go test -race ./...", new(0), ""), "go test", pass, false},
		{"bash -lc", bash("bash -lc 'cd app && pytest -q'", new(1), ""), "pytest", fail, false},
		{"bash -lc with pipe", bash(`bash -lc "pytest -q | tail -1"`, new(0), "3 passed in 0.01s"), "pytest", pass, false},
		{"test before commit, failed", bash("go test ./... && git commit -m x", new(1), "FAIL\n"), "go test", fail, false},
		{"test before commit, unknown", bash("go test ./... && git commit -m x", new(1), ""), "go test", unknown, false},
		{"python -m pytest", bash("python3 -m pytest tests", new(0), ""), "pytest", pass, false},
		{"unittest", bash("python -m unittest discover", new(0), "Ran 3 tests in 0.001s\n\nOK\n"), "unittest", pass, false},
		{"unittest failed", bash("python -m unittest", nil, "Ran 3 tests in 0.001s\n\nFAILED (failures=1)\n"), "unittest", fail, false},
		{"no tests", bash("python -m unittest", new(0), "Ran 0 tests in 0.000s\n\nOK\n"), "unittest", unknown, false},
		{"npm", bash("npm test", new(0), ""), "npm test", pass, false},
		{"npm run script", bash("npm run test:unit -- --ci", new(1), ""), "npm test", fail, false},
		{"pnpm filter", bash("pnpm --filter web test", new(0), ""), "pnpm test", pass, false},
		{"yarn", bash("yarn test", new(0), ""), "yarn test", pass, false},
		{"bun", bash("bun test", nil, " 12 pass\n 0 fail\nRan 12 tests across 3 files.\n"), "bun test", pass, false},
		{"vitest", bash("npx vitest run", nil, " Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 41 passed (42)\n"), "vitest", fail, false},
		{"jest", bash("npx jest", nil, "Tests:       42 passed, 42 total\n"), "jest", pass, false},
		{"playwright", bash("npx playwright test", nil, "  5 passed (3.2s)\n"), "playwright", pass, false},
		{"cargo", bash("cargo test", nil, "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured\n"), "cargo test", pass, false},
		{"nextest", bash("cargo nextest run", new(100), ""), "cargo nextest", fail, false},
		{"mvn", bash("mvn -q test", nil, "Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\nBUILD SUCCESS\n"), "mvn test", pass, false},
		{"mvn errors", bash("./mvnw verify", nil, "Tests run: 4, Failures: 0, Errors: 1, Skipped: 0\n"), "mvn verify", fail, false},
		{"gradle", bash("./gradlew :app:test", new(0), "BUILD SUCCESSFUL in 3s"), "gradle test", pass, false},
		{"dotnet", bash("dotnet test", new(1), ""), "dotnet test", fail, false},
		{"rspec", bash("bundle exec rspec", nil, "42 examples, 0 failures\n"), "rspec", pass, false},
		{"rspec failed", bash("bundle exec rspec", nil, "42 examples, 2 failures\n"), "rspec", fail, false},
		{"phpunit", bash("vendor/bin/phpunit", nil, "OK (42 tests, 80 assertions)\n"), "phpunit", pass, false},
		{"ctest", bash("ctest --output-on-failure", nil, "100% tests passed, 0 tests failed out of 12\n"), "ctest", pass, false},
		{"make test", bash("make -C sub test", new(2), "make: *** [test] Error 1"), "make test", fail, false},
		{"make check", bash("make check", new(0), ""), "make check", pass, false},
		{"tox", bash("tox -e py312", new(0), ""), "tox", pass, true},
		{"mix", bash("mix test", nil, "12 tests, 0 failures\n"), "mix test", pass, false},
		{"swift", bash("swift test", nil, "Executed 4 tests, with 1 failure (0 unexpected) in 0.1 seconds\n"), "swift test", fail, false},
		{"deno", bash("deno test -A", nil, "ok | 5 passed | 0 failed (12ms)\n"), "deno test", pass, false},
		{"bazel", bash("bazel test //...", new(3), ""), "bazel test", fail, false},
		{"docker compose run", bash("docker compose run --rm app pytest", new(0), ""), "pytest", pass, false},
		{"uv run", bash("uv run pytest -k login", new(0), ""), "pytest", pass, true},
		{"go -run", bash("go test -run TestA ./a", new(0), ""), "go test", pass, true},
		{"colours", bash("npx jest", nil, "\x1b[1mTests: \x1b[22m \x1b[31m1 failed\x1b[39m, 2 passed, 3 total"), "jest", fail, false},
		{"no tests to run", bash("go test -run Nope ./a", new(0), "ok  \texample.com/a\t0.1s [no tests to run]\n"), "go test", unknown, true},
		{"exit 0 with failing words", bash("npm test", new(0), "Tests: 1 failed, 2 passed, 3 total\n"), "npm test", unknown, false},
		{"timeout is no result", bash("timeout 5 go test ./...", new(124), ""), "go test", unknown, false},
		{"not found is no run", bash("pytest", new(127), "pytest: command not found"), "", none, false},
		{"echo of a command", bash(`echo "go test ./..."`, new(0), ""), "", none, false},
		{"grep for it", bash("grep -rn 'go test' .", new(0), ""), "", none, false},
		{"heredoc", bash("cat > x.sh <<'EOF'\ngo test ./...\nEOF\n", new(0), ""), "", none, false},
		{"if", bash("if go test ./...; then echo ok; fi", new(0), "ok"), "go test", unknown, false},
		{"background", bash("go test ./... &", new(0), ""), "go test", unknown, false},
		{"rejected", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolRejected, Command: "go test ./..."}, "", none, false},
		{"stopped", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolStopped, Command: "go test ./..."}, "", none, false},
		{"pending", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolPending, Command: "go test ./..."}, "", none, false},
		{"waiting", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolWaiting, Command: "go test ./..."}, "", none, false},
		{"subagent", recap.Tool{Kind: recap.ToolSubagent, Status: recap.ToolDone, Command: "go test ./...", Output: "ok"}, "", none, false},
		{"tool error without status", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolFailed, Command: "go test ./..."}, "go test", fail, false},
		{"background tool", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "go test ./...", Background: true, Exit: new(0)}, "go test", unknown, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Collect(turnOf(tt.tool))
			if tt.want == none {
				if len(f.Tests) != 0 {
					t.Fatalf("found a test run: %+v", f.Tests)
				}
				return
			}
			if len(f.Tests) != 1 {
				t.Fatalf("test runs: %+v, commands %+v", f.Tests, f.Commands)
			}
			r := f.Tests[0]
			got := unknown
			switch {
			case r.Passed && r.Failed:
				got = "both"
			case r.Passed:
				got = pass
			case r.Failed:
				got = fail
			}
			if got != tt.want || r.Runner != tt.runner || r.Partial != tt.partial {
				t.Errorf("got %s %q partial=%v, want %s %q %v", got, r.Runner, r.Partial, tt.want, tt.runner, tt.partial)
			}
			if r.MessageID != "a1" {
				t.Errorf("message %q", r.MessageID)
			}
		})
	}
}

func TestCollectCount(t *testing.T) {
	for _, tt := range []struct{ out, want string }{
		{"======= 42 passed in 1.2s =======", "42 passed"},
		{"Tests:       1 failed, 41 passed, 42 total", "41 passed"},
		{"  5 passing (12ms)", "5 passing"},
		{"ok  \texample.com/a\t0.1s", ""},
	} {
		f := Collect(turnOf(bash("npm test", nil, tt.out)))
		if len(f.Tests) != 1 || f.Tests[0].Count != tt.want {
			t.Errorf("%q: %+v, want %q", tt.out, f.Tests, tt.want)
		}
	}
}

func TestCollectCommits(t *testing.T) {
	tests := []struct {
		name    string
		tool    recap.Tool
		commits int
		hash    string
		subject string
		pushed  bool
	}{
		{"plain", bash(`git commit -m "fix: a thing"`, new(0), "[main 1a2b3c4] fix: a thing\n 1 file changed"), 1, "1a2b3c4", "fix: a thing", false},
		{"quiet", bash(`git add -A && git commit -qm 'a thing'`, new(0), ""), 1, "", "a thing", false},
		{"no status, printed", bash(`git commit -m x`, nil, "[main (root-commit) 1a2b3c4] x"), 1, "1a2b3c4", "x", false},
		{"no status, silent", bash(`git commit -m x`, nil, ""), 0, "", "", false},
		{"nothing to commit", bash(`git commit -m x`, new(1), "nothing to commit, working tree clean"), 0, "", "", false},
		{"nothing to commit, hidden", bash(`git commit -m x || true`, new(0), "nothing to commit, working tree clean"), 0, "", "", false},
		{"failed", bash(`git commit -m x`, new(1), "husky - pre-commit hook exited with code 1"), 0, "", "", false},
		{"dry run", bash(`git commit --dry-run`, new(0), ""), 0, "", "", false},
		{"-C", bash(`git -C /home/dev/app commit -m x`, new(0), ""), 1, "", "x", false},
		{"amend", bash(`git commit --amend --no-edit`, new(0), "[main 1a2b3c4] x"), 1, "1a2b3c4", "x", false},
		{"heredoc message", bash("git commit -m \"$(cat <<'EOF'\nadd: a flag\n\nBody.\nEOF\n)\"", new(0), ""), 1, "", "add: a flag", false},
		{"commit and push", bash(`git commit -m x && git push`, new(0), "[main 1a2b3c4] x\n  main -> main"), 1, "1a2b3c4", "x", true},
		{"commit, push rejected", bash(`git commit -m x && git push`, new(1), "[main 1a2b3c4] x\n ! [rejected] main -> main (fetch first)"), 1, "1a2b3c4", "x", false},
		{"push alone", bash(`git push origin main`, new(0), "Everything up-to-date"), 0, "", "", true},
		{"push dry run", bash(`git push --dry-run`, new(0), ""), 0, "", "", false},
		{"push, no status", bash(`git push`, nil, "   1a2b3c4..5d6e7f8  main -> main"), 0, "", "", true},
		{"push failed", bash(`git push`, new(128), "fatal: unable to access"), 0, "", "", false},
		{"push hidden by pipe", bash(`git push | cat`, new(0), ""), 0, "", "", false},
		{"echo", bash(`echo git commit -m x`, new(0), ""), 0, "", "", false},
		{"log", bash(`git log --oneline`, new(0), "1a2b3c4 commit"), 0, "", "", false},
		{"rejected", recap.Tool{Kind: recap.ToolCommand, Status: recap.ToolRejected, Command: "git commit -m x"}, 0, "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Collect(turnOf(tt.tool))
			if len(f.Commits) != tt.commits {
				t.Fatalf("commits %+v", f.Commits)
			}
			if tt.commits == 1 && (f.Commits[0].Hash != tt.hash || f.Commits[0].Subject != tt.subject) {
				t.Errorf("commit %+v", f.Commits[0])
			}
			if Permits(f, RungPushed) != tt.pushed {
				t.Errorf("pushed: %+v", f.Pushes)
			}
		})
	}
}

func TestCollectEdits(t *testing.T) {
	for _, tt := range []struct {
		name string
		tool recap.Tool
		want int
	}{
		{"edit", edit("a.go"), 1},
		{"failed edit", recap.Tool{Kind: recap.ToolEdit, Status: recap.ToolFailed, Paths: []string{"a"}}, 0},
		{"rejected edit", recap.Tool{Kind: recap.ToolEdit, Status: recap.ToolRejected, Paths: []string{"a"}}, 0},
		{"rm", bash("rm -rf build/old.go", new(0), ""), 1},
		{"mv", bash("git mv a.go b.go", new(0), ""), 1},
		{"sed -i", bash("sed -i 's/a/b/' main.go", new(0), ""), 1},
		{"sed", bash("sed -n 1,10p main.go", new(0), ""), 0},
		{"redirect", bash("echo x > conf.yml", new(0), ""), 1},
		{"heredoc", bash("cat > a.go <<'EOF'\npackage a\nEOF", new(0), ""), 1},
		{"dev null", bash("ls > /dev/null 2>&1", new(0), ""), 0},
		{"test output", bash("go test ./... > out.txt", new(0), ""), 0},
		{"tee of a test", bash("go test ./... | tee out.txt", new(0), ""), 0},
		{"comparison in quotes", bash(`awk '$1 > 3' data.txt`, new(0), ""), 0},
		{"failed rm", bash("rm a.go", new(1), ""), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if f := Collect(turnOf(tt.tool)); len(f.Edits) != tt.want {
				t.Errorf("edits %+v", f.Edits)
			}
		})
	}
}

func statusesOf(tools ...recap.Tool) []recap.Status {
	turns := turnOf(tools...)
	return Statuses(Collect(turns), Input{Turns: turns, End: "complete"})
}

func TestStatuses(t *testing.T) {
	ok, bad := bash("go test ./...", new(0), ""), bash("go test ./...", new(1), "")
	commit, push := bash("git commit -m x", new(0), ""), bash("git push", new(0), "")
	rejected := recap.Tool{Kind: recap.ToolEdit, Status: recap.ToolRejected, Paths: []string{"a.go"}}
	for _, tt := range []struct {
		name  string
		tools []recap.Tool
		want  string
	}{
		{"nothing", nil, ""},
		{"passed", []recap.Tool{ok}, "tests-passed"},
		{"failed", []recap.Tool{bad}, "tests-failed"},
		{"newest run counts", []recap.Tool{bad, ok}, "tests-passed"},
		{"newest run counts, failed", []recap.Tool{ok, bad}, "tests-failed"},
		{"edited after", []recap.Tool{edit("a.go"), ok, edit("b.go")}, "tests-not-run uncommitted"},
		{"rejected edit changes nothing", []recap.Tool{edit("a.go"), ok, rejected}, "tests-passed uncommitted"},
		{"committed", []recap.Tool{edit("a.go"), ok, commit}, "tests-passed committed"},
		{"edited after the commit", []recap.Tool{edit("a.go"), commit, edit("a.go")}, "uncommitted"},
		{"pushed", []recap.Tool{edit("a.go"), commit, push}, "committed pushed"},
		{"commit after push", []recap.Tool{commit, push, commit}, "committed"},
		{"reset takes the commit back", []recap.Tool{edit("a.go"), commit, bash("git reset --soft HEAD~1", new(0), "")}, "uncommitted"},
		{"checkout throws edits away", []recap.Tool{edit("a.go"), bash("git checkout .", new(0), "")}, ""},
		{"build failed", []recap.Tool{edit("a.go"), bash("go build ./...", new(1), "")}, "command-failed uncommitted"},
		{"build made good", []recap.Tool{bash("go build ./...", new(1), ""), bash("go build ./...", new(0), "")}, ""},
		{"grep found nothing", []recap.Tool{bash("grep -rn foo .", new(1), "")}, ""},
		{"two runners in one call, one unknown", []recap.Tool{bash("go test ./...; npm test", new(0), "")}, ""},
		{"unknown result", []recap.Tool{bash("go test ./... | cat", new(0), "")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var words []string
			for _, s := range statusesOf(tt.tools...) {
				words = append(words, string(s))
			}
			got := strings.Join(words, " ")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
