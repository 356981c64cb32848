package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// statusLine gives the statuses of a made session of one turn.
func statusLine(answer string, tools ...recap.Tool) (string, Draft) {
	turns := turnOf(tools...)
	turns[0].Answer = answer
	d := Free(Input{Turns: turns, End: "complete", Session: recap.Session{Directory: "/home/dev/app"}})
	var out []string
	for _, s := range d.Status {
		out = append(out, string(s))
	}
	return strings.Join(out, " "), d
}

// TestRunsThatTestNothing: no test ran, or none passed.
func TestRunsThatTestNothing(t *testing.T) {
	for _, tt := range []struct{ command, out string }{
		{"pytest --version", "pytest 8.3.2"},
		{"python -m pytest -h", "usage: pytest [options]"},
		{"pytest --collect-only -q", "tests/test_a.py::test_x\n\n10 tests collected in 0.02s"},
		{"pytest", "===== 3 xfailed, 2 skipped in 0.10s ====="},
		{"pytest -q", "5 skipped in 0.03s"},
		{"pytest", "collected 0 items\n\n==== no tests ran in 0.01s ===="},
		{"pytest -k nope", "collected 9 items / 9 deselected / 0 selected\n==== 9 deselected in 0.02s ===="},
		{"npm test --dry-run", "> app@1.0.0 test\n> jest"},
		{"npm test -- --listTests", "/home/dev/app/a.test.js"},
		{"npm test", "Test Suites: 1 skipped, 0 of 1 total\nTests:       4 skipped, 4 total"},
		{"npm run test --if-present", ""},
		{"npx vitest run", " Test Files  1 skipped (1)\n      Tests  4 skipped (4)"},
		{"npx vitest list", "a.test.ts > adds"},
		{"npx jest --passWithNoTests", "No tests found, exiting with code 0"},
		{"npx mocha --dry-run", "  0 passing (2ms)\n  3 pending"},
		{"npx mocha", "  0 passing (1ms)\n  5 pending"},
		{"npx playwright test --list", "Total: 3 tests in 1 file"},
		{"npx playwright test", "  3 skipped"},
		{"node --test", "ℹ tests 3\nℹ pass 0\nℹ fail 0\nℹ skipped 3"},
		{"python -m unittest", "Ran 0 tests in 0.000s\n\nOK"},
		{"python -m unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=3)"},
		{"python -m unittest", "Ran 2 tests in 0.001s\n\nOK (skipped=1, expected failures=1)"},
		{"go test -list . ./...", "TestA\nok  \tx\t0.1s"},
		{"go test -run '^$' -bench . ./...", "ok  \tx\t0.1s"},
		{"go test -v ./...", "=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tx\t0.1s"},
		{"go test ./...", "?   \tx\t[no test files]"},
		{"go test -n ./...", "mkdir -p $WORK/b001/"},
		{"go test -count=0 ./...", "ok  \tx\t0.1s"},
		{"cargo test --no-run", "Finished test"},
		{"cargo test", "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured"},
		{"make -n test", "go test ./..."},
		{"make -kn check", "go test ./..."},
		{"mvn test", "Tests run: 4, Failures: 0, Errors: 0, Skipped: 4\nBUILD SUCCESS"},
		{"mvn test", "[INFO] No tests to run.\nBUILD SUCCESS"},
		{"gradle test --dry-run", ":test SKIPPED\nBUILD SUCCESSFUL"},
		{"gradle test", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s"},
		{"bundle exec rspec", "5 examples, 0 failures, 5 pending"},
		{"bundle exec rspec --dry-run", "5 examples, 0 failures"},
		{"vendor/bin/phpunit", "No tests executed!"},
		{"vendor/bin/phpunit", "OK, but some tests were skipped!\nTests: 3, Assertions: 0, Skipped: 3."},
		{"ctest -N", "Total Tests: 4"},
		{"ctest", "No tests were found!!!"},
		{"dotnet test", "Skipped! - Failed: 0, Passed: 0, Skipped: 3, Total: 3"},
		{"dotnet test --list-tests", "The following Tests are available:"},
		{"mix test", "5 tests, 0 failures, 5 skipped"},
		{"swift test", "Executed 4 tests, with 4 tests skipped and 0 failures (0 unexpected) in 0.1 seconds"},
		{"deno test", "ok | 0 passed | 0 failed | 3 ignored (1ms)"},
		{"bun test", " 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file."},
		{"bats tests", "1..2\nok 1 reads # skip\nok 2 writes # skip no disk"},
		{"timeout 60 go test ./...", "Command running in background with ID: b1"},
		{"npm test", "Process running with session ID 4821"},
		{"pytest", "Command was moved to the background. Output is written to a file."},
		{"cd /home/dev/other && go test ./...", "ok  \tother\t0.1s"},
	} {
		status, d := statusLine("All tests pass.", edit("/home/dev/app/a.go"), bash(tt.command, new(0), tt.out))
		if strings.Contains(status, "tests-passed") || strings.Contains(d.Recap, "pass") {
			t.Errorf("%q printing %q: %s, %q", tt.command, tt.out, status, d.Recap)
		}
	}
}

// TestRunsThatTestSomething: skipped tests among others take nothing away.
func TestRunsThatTestSomething(t *testing.T) {
	for _, tt := range []struct{ command, out string }{
		{"pytest", "==== 7 passed, 2 skipped, 1 xfailed in 0.10s ===="},
		{"pytest -n 4", ""},
		{"npm test", "Test Suites: 1 skipped, 2 passed, 2 of 3 total\nTests:       4 skipped, 9 passed, 13 total"},
		{"npx vitest run", " Test Files  1 passed | 1 skipped (2)\n      Tests  3 passed | 4 skipped (7)"},
		{"npx mocha", "  3 passing (1ms)\n  5 pending"},
		{"node --test", "# tests 3\n# pass 2\n# fail 0\n# skipped 1"},
		{"python -m unittest -v", "Ran 3 tests in 0.001s\n\nOK (skipped=1)"},
		{"go test -v ./...", "--- PASS: TestB (0.00s)\n--- SKIP: TestA (0.00s)\nPASS\nok  \tx\t0.1s"},
		{"go test ./...", "ok  \tx\t0.1s\n?   \ty\t[no test files]"},
		{"cargo test", "test result: ok. 4 passed; 0 failed; 3 ignored\ntest result: ok. 0 passed; 0 failed; 0 ignored"},
		{"mvn test", "Tests run: 4, Failures: 0, Errors: 0, Skipped: 1\nBUILD SUCCESS"},
		{"bundle exec rspec", "5 examples, 0 failures, 1 pending"},
		{"mix test", "5 tests, 0 failures, 1 excluded"},
		{"bats tests", "1..2\nok 1 reads\nok 2 writes # skip no disk"},
		{"ctest -V", "100% tests passed, 0 tests failed out of 12"},
		{"(cd /home/dev/tools && make gen); go test ./...", "ok  \tx\t0.1s"},
	} {
		code := new(0)
		if strings.HasPrefix(tt.command, "(") {
			code = nil
		}
		if status, _ := statusLine("Done.", edit("/home/dev/app/a.go"), bash(tt.command, code, tt.out)); !strings.Contains(status, "tests-passed") {
			t.Errorf("%q printing %q: %s", tt.command, tt.out, status)
		}
	}
}

// TestFailuresAreAnswered: a failing run stays until one of the same or a
// wider reach passes.
func TestFailuresAreAnswered(t *testing.T) {
	run := func(cmd string, code int, out string) recap.Tool { return bash(cmd, new(code), out) }
	for _, tt := range []struct {
		name  string
		tools []recap.Tool
		want  string
	}{
		{"another package", []recap.Tool{run("go test ./a", 1, "FAIL"), run("go test ./b", 0, "")}, "tests-failed"},
		{"another file", []recap.Tool{run("pytest tests/test_a.py", 1, ""), run("pytest tests/test_b.py", 0, "")}, "tests-failed"},
		{"another folder", []recap.Tool{run("cd web && npm test", 1, ""), run("cd api && npm test", 0, "")}, "tests-failed"},
		{"another runner", []recap.Tool{run("cargo test", 101, ""), run("npm test", 0, "")}, "tests-failed"},
		{"another workspace", []recap.Tool{run("pnpm --filter web test", 1, ""), run("pnpm --filter api test", 0, "")}, "tests-failed"},
		{"another crate", []recap.Tool{run("cargo test -p core", 101, ""), run("cargo test -p cli", 0, "")}, "tests-failed"},
		{"all, then one of them", []recap.Tool{run("go test ./...", 1, "FAIL"), run("go test -run TestA ./a", 0, "")}, "tests-failed"},
		{"a package, then one of its tests", []recap.Tool{run("pytest tests/api", 1, ""), run("pytest tests/api/test_a.py -k login", 0, "")}, "tests-failed"},
		{"the same again", []recap.Tool{run("go test ./a", 1, "FAIL"), run("go test ./a", 0, "")}, "tests-passed"},
		{"then all", []recap.Tool{run("go test -run TestA ./a", 1, "FAIL"), run("go test -race ./...", 0, "")}, "tests-passed"},
		{"a file, then its folder", []recap.Tool{run("pytest tests/api/test_a.py::test_x", 1, ""), run("pytest tests/api", 0, "")}, "tests-passed"},
		{"a test, then its package", []recap.Tool{run("go test -run TestA ./a", 1, "FAIL"), run("go test ./a", 0, "")}, "tests-passed"},
		{"npm, then jest", []recap.Tool{run("npx jest src/a.test.js", 1, ""), run("npm test", 0, "")}, "tests-passed"},
		{"pytest, then make", []recap.Tool{run("pytest tests/test_a.py", 1, ""), run("make test", 0, "")}, "tests-passed"},
		{"all, then the packages that failed", []recap.Tool{run("go test ./...", 1, "ok  \tex.org/app/b\t0.1s\nFAIL\tex.org/app/a\t0.1s\nFAIL"), run("go test ./a", 0, "")}, "tests-passed"},
		{"all, then the file that failed", []recap.Tool{run("pytest", 1, "FAILED tests/test_a.py::test_x - assert"), run("pytest tests/test_a.py", 0, "")}, "tests-passed"},
		{"one of two that failed", []recap.Tool{run("go test ./...", 1, "FAIL\tex.org/app/a\t0.1s\nFAIL\tex.org/app/b\t0.1s"), run("go test ./a", 0, "")}, "tests-failed"},
		{"passed, then failed elsewhere", []recap.Tool{run("go test ./...", 0, ""), run("go test ./a", 1, "FAIL")}, "tests-failed"},
		{"edited since", []recap.Tool{run("go test ./a", 1, "FAIL"), run("go test ./b", 0, ""), edit("c.go")}, "tests-not-run uncommitted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := statusLine("Tests pass now.", tt.tools...)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.want != "tests-passed" && strings.Contains(d.Recap, "pass") {
				t.Errorf("claims %q", d.Recap)
			}
		})
	}
	for _, s := range []string{"All tests pass.", "Alle Tests bestehen.", "所有测试都通过了。", "Tous les tests passent."} {
		if _, d := statusLine(s, run("go test ./...", 1, "FAIL\tex.org/app/a\t0.1s"), run("go test ./a", 0, "")); strings.Contains(d.Recap, strings.TrimRight(s, ".。")) {
			t.Errorf("%q after a part of the tests", d.Recap)
		}
	}
}

// TestCommitsThatDoNotHold: taken back, or made elsewhere.
func TestCommitsThatDoNotHold(t *testing.T) {
	made := bash("git commit -am x", new(0), "[main abc1234] x\n 1 file changed")
	e := edit("/home/dev/app/p.go")
	for _, tt := range []struct {
		name  string
		tools []recap.Tool
		want  string
	}{
		{"reset --hard", []recap.Tool{e, made, bash("git reset --hard HEAD~1", new(0), "HEAD is now at 1111111 y")}, ""},
		{"reset --hard to a hash", []recap.Tool{e, made, bash("git reset --hard 1111111", new(0), "HEAD is now at 1111111 y")}, ""},
		{"reset --hard to the remote", []recap.Tool{e, made, bash("git reset --hard origin/main", new(0), "")}, ""},
		{"reset", []recap.Tool{e, made, bash("git reset HEAD^", new(0), "Unstaged changes after reset:\nM\tp.go")}, "uncommitted"},
		{"reset --soft", []recap.Tool{e, made, bash("git reset --soft @~1", new(0), "")}, "uncommitted"},
		{"reset to the commit", []recap.Tool{e, made, bash("git reset --hard abc1234", new(0), "")}, "committed"},
		{"reset of nothing", []recap.Tool{e, made, bash("git reset --hard", new(0), "")}, "committed"},
		{"unstage", []recap.Tool{e, made, bash("git reset p.go", new(0), "")}, "committed"},
		{"two of two", []recap.Tool{e, made, edit("/home/dev/app/q.go"), bash("git commit -am y", new(0), "[main def5678] y"), bash("git reset --hard HEAD~2", new(0), "")}, ""},
		{"one of two", []recap.Tool{e, made, edit("/home/dev/app/q.go"), bash("git commit -am y", new(0), "[main def5678] y"), bash("git reset --hard HEAD~", new(0), "")}, "committed"},
		{"revert", []recap.Tool{e, made, bash("git revert --no-edit HEAD", new(0), "[main 99aa001] Revert \"x\"")}, ""},
		{"revert by hash", []recap.Tool{e, made, bash("git revert --no-edit abc1234", new(0), "[main 99aa001] Revert \"x\"")}, ""},
		{"revert of an old one", []recap.Tool{bash("git revert --no-edit 5555555", new(0), "[main 99aa001] Revert \"old\"")}, "committed"},
		{"git -C other", []recap.Tool{e, bash("git -C /tmp/other commit -am x", new(0), "[main abc1234] x")}, "uncommitted"},
		{"cd other", []recap.Tool{e, bash("cd /tmp/other && git add -A && git commit -m x", new(0), "[main abc1234] x")}, "uncommitted"},
		{"cd ../other", []recap.Tool{e, bash("cd ../other; git commit -am x", new(0), "[main abc1234] x")}, "uncommitted"},
		{"cd ~/other", []recap.Tool{e, bash("cd ~/other && git commit -am x && git push", new(0), "[main abc1234] x\n main -> main")}, "uncommitted"},
		{"--git-dir", []recap.Tool{e, bash("git --git-dir=/home/dev/dotfiles/.git --work-tree=/home/dev commit -am x", new(0), "[main abc1234] x")}, "committed"},
		{"--git-dir of another", []recap.Tool{e, bash("git --git-dir=/srv/dots/.git commit -am x", new(0), "[main abc1234] x")}, "uncommitted"},
		{"cd into the project", []recap.Tool{e, bash("cd /home/dev/app && git commit -am x", new(0), "[main abc1234] x")}, "committed"},
		{"cd to its top", []recap.Tool{e, bash("cd .. && git commit -am x", new(0), "[main abc1234] x")}, "committed"},
		{"a shell of its own elsewhere", []recap.Tool{e, bash("(cd /tmp/other && make); git commit -am x", nil, "[main abc1234] x")}, "committed"},
		{"a worktree that was edited", []recap.Tool{edit("/home/dev/app-wt/p.go"), bash("cd /home/dev/app-wt && git commit -am x", new(0), "[wt abc1234] x")}, "committed"},
		{"reset elsewhere", []recap.Tool{e, made, bash("git -C /tmp/other reset --hard HEAD~1", new(0), "")}, "committed"},
		{"push elsewhere", []recap.Tool{e, made, bash("git -C /tmp/other push", new(0), "main -> main")}, "committed"},
		{"in the background", []recap.Tool{e, made, bash("git push", new(0), "Command running in background with ID: b2")}, "committed"},
		{"restored file", []recap.Tool{e, bash("git checkout -- p.go", new(0), "")}, ""},
		{"restored other file", []recap.Tool{e, bash("git restore q.go", new(0), "")}, "uncommitted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := statusLine("Committed the change.", tt.tools...)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if !strings.Contains(tt.want, "committed") && strings.Contains(d.Recap, "Committed") || tt.want == "uncommitted" && strings.Contains(d.Recap, "Committed") {
				t.Errorf("claims %q", d.Recap)
			}
		})
	}
	dirty := []recap.Tool{e, made, edit("/home/dev/app/q.go")}
	for _, s := range []string{
		"Committed it all.", "Everything is committed.", "All changes are committed now.", "The working tree is clean.", "Alles ist committet.", "Toutes les modifications sont commitées.", "Все изменения закоммичены.", "全部改动已提交。", "すべてコミットしました。", "Todos los cambios están commiteados.",
	} {
		got, d := statusLine(s, dirty...)
		if got != "uncommitted" || strings.Contains(d.Recap, strings.TrimRight(s, ".。")) {
			t.Errorf("%q: %s, %q", s, got, d.Recap)
		}
		if got, d := statusLine(s, e, made); got != "committed" || !strings.Contains(d.Recap, strings.TrimRight(s, ".。")) {
			t.Errorf("true, and lost: %q: %s, %q", s, got, d.Recap)
		}
	}
}

// TestThrownAwayAfterTheRun: what passed is not what the files hold now. A push
// without a commit carried what was there before.
func TestThrownAwayAfterTheRun(t *testing.T) {
	const dir = "/home/dev/app"
	e, good := edit(dir+"/users.go"), bash("go test ./...", new(0), "ok  \tx\t0.1s")
	for _, tt := range []struct {
		name, want string
		tools      []recap.Tool
	}{
		{"checkout", "tests-not-run", []recap.Tool{e, good, bash("git checkout users.go", new(0), "Updated 1 path from the index")}},
		{"checkout, quiet", "tests-not-run", []recap.Tool{e, good, bash("git checkout -- users.go", new(0), "")}},
		{"restore", "tests-not-run", []recap.Tool{e, good, bash("git restore users.go", new(0), "")}},
		{"stash", "tests-not-run", []recap.Tool{e, good, bash("git stash", new(0), "Saved working directory and index state WIP on main: 1a2b3c4 x")}},
		{"restore before the run", "tests-passed", []recap.Tool{e, bash("git restore users.go", new(0), ""), good}},
		{"another file", "tests-passed uncommitted", []recap.Tool{e, good, bash("git restore other.go", new(0), "")}},
		{"no test is specified", "uncommitted", []recap.Tool{e, bash("npm test", new(0), "> app@1.0.0 test\n> echo \"Error: no test specified\"\n\nError: no test specified\n")}},
		{"nothing to push", "uncommitted", []recap.Tool{e, bash("git push", new(0), "Everything up-to-date\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, d := statusLine("The change is pushed, and all tests pass.", tt.tools...)
			if status != tt.want || strings.Contains(d.Recap, "pushed") || strings.Contains(d.Recap, "pass") && !strings.Contains(tt.want, "passed") {
				t.Errorf("%s: %s", status, d.Recap)
			}
		})
	}
}
