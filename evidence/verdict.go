package evidence

import "strings"

// verdict is what the output of a test runner says in its own words.
type verdict struct {
	pass, fail bool
	empty      bool   // it ran no test at all
	count      string // "42 passed", as printed
}

// reader follows the lines of an output.
type reader struct {
	verdict
	ran      bool // at least one test ran to its end
	suites   bool // files of tests passed: counts only where no test is counted
	skips    int  // tests that were skipped, one a line
	passes   int  // tests that passed, one a line
	unittest int  // the number of "Ran 3 tests", -1 where there is none
}

// readVerdict reads summaries of test runners. Lines of the programs under
// test look alike, so only forms that runners print are taken. Tests that were
// all skipped, ignored or expected to fail are no pass.
func readVerdict(out string) verdict {
	v := reader{unittest: -1}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(stripEscapes(line))
		if line == "" || len(line) > 400 {
			continue
		}
		v.mark(line)
		v.counts(line)
	}
	if v.skips > 0 && v.passes == 0 && v.count == "" {
		v.empty, v.ran = true, false // "--- SKIP" alone; the "ok" behind it says nothing
	}
	if v.suites && !v.ran && !v.empty {
		v.pass = true
	}
	if v.fail {
		v.pass = false
	}
	if v.empty && !v.ran && !v.fail {
		v.pass = false
	}
	return v.verdict
}

func (v *reader) mark(line string) {
	switch {
	case strings.HasPrefix(line, "ok  \t"), strings.HasPrefix(line, "ok \t"), strings.HasPrefix(line, "ok\t"), isGoOK(line):
		if strings.Contains(line, "[no tests to run]") {
			v.empty = true
			return
		}
		v.pass, v.ran = true, true
	case strings.HasPrefix(line, "--- PASS"):
		v.ran = true
		v.passes++
	case strings.HasPrefix(line, "--- SKIP"), strings.HasSuffix(line, "***Skipped"):
		v.skips++
	case strings.HasPrefix(line, "ok ") && isTAP(line):
		if low := strings.ToLower(line); strings.Contains(low, "# skip") || strings.Contains(low, "# todo") {
			v.skips++
			return
		}
		v.pass, v.ran = true, true
		v.passes++
	case strings.HasPrefix(line, "OK ("):
		v.pass = true
		if n := named(line, "skipped") + named(line, "expected failures"); v.unittest >= 0 && n >= v.unittest {
			v.empty = true
		}
	case line == "PASS", line == "OK", strings.HasPrefix(line, "test result: ok"), strings.HasPrefix(line, "Passed!"), line == "All tests successful.",
		strings.Contains(line, "BUILD SUCCESS"), strings.HasPrefix(line, "congratulations :)"), strings.HasPrefix(line, "PASS "):
		v.pass = true
	case strings.HasPrefix(line, "--- FAIL"), line == "FAIL", strings.HasPrefix(line, "FAIL\t"), strings.HasPrefix(line, "FAIL "), strings.HasPrefix(line, "FAILED"),
		strings.HasPrefix(line, "FAILURES!"), strings.HasPrefix(line, "test result: FAILED"), strings.HasPrefix(line, "Failed!"), strings.Contains(line, "BUILD FAIL"),
		strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "npm ERR! Test failed"), strings.Contains(line, "[build failed]"), strings.HasPrefix(line, "error: could not compile"),
		strings.HasPrefix(line, "error: test failed"), strings.HasPrefix(line, "Error: Process completed with exit code"), strings.HasPrefix(line, "make: *** ["),
		strings.HasPrefix(line, "ERR_PNPM_"), strings.HasPrefix(line, "ELIFECYCLE"), strings.HasPrefix(line, "npm error Lifecycle script"), strings.HasPrefix(line, "not ok "):
		v.fail, v.ran = true, true
	case strings.HasPrefix(line, "Ran ") && strings.Contains(line, " test"):
		v.unittest = number(strings.Fields(line)[1])
		v.empty = v.empty || v.unittest == 0
	case ranNothing(line):
		v.empty = true
	}
}

// ranNothing knows lines in which a runner says that there was nothing to do.
func ranNothing(line string) bool {
	low := strings.ToLower(line)
	for _, p := range [...]string{
		"testing: warning: no tests to run", "no tests found", "no test files found", "no tests were found", "no tests to run", "no tests executed", "no test is available", "no tests match", "no tests ran", "error: no test specified",
		"tests are skipped", "error: no tests", "no specs found", "1..0", "collected 0 items", "result: notests", "[info] no tests to run", "[info] tests are skipped", "no test suites found", "no packages to test",
	} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return strings.Contains(low, "no tests ran") || strings.Contains(low, "[no test files]") || strings.Contains(low, "all tests skipped") || strings.Contains(low, "tests=0,") || strings.HasSuffix(low, " out of 0") ||
		strings.HasPrefix(low, "tests ") && strings.HasSuffix(low, " no tests") || strings.HasPrefix(low, "> task ") && (strings.HasSuffix(low, "test no-source") || strings.HasSuffix(low, "test skipped"))
}

// isTAP knows "ok 3 - reads a file".
func isTAP(line string) bool {
	f := strings.Fields(line)
	return len(f) > 1 && number(f[1]) > 0
}

// named gives the number of "skipped=2", 0 where there is none.
func named(line, name string) int {
	_, rest, ok := strings.Cut(line, name+"=")
	if !ok {
		return 0
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	return max(number(rest[:end]), 0)
}

func isGoOK(line string) bool {
	rest, ok := strings.CutPrefix(line, "ok ")
	if !ok {
		return false
	}
	f := strings.Fields(rest)
	if len(f) < 2 {
		return false
	}
	last := f[1]
	return last == "(cached)" || strings.HasSuffix(last, "s") && last[0] >= '0' && last[0] <= '9'
}

// counts reads "41 passed, 1 failed", "Tests run: 42, Failures: 0",
// "42 examples, 0 failures", "failures=1" and the like.
func (v *reader) counts(line string) {
	var buf [48]string
	node := strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "ℹ ")
	words := splitCounts(strings.TrimPrefix(line, "ℹ "), buf[:0])
	if len(words) == 0 {
		return
	}
	passed, failed, skipped, total := -1, -1, 0, -1
	from, to := -1, -1
	summary := strings.HasPrefix(line, "Tests:")
	for i, w := range words {
		kind := countWord(w)
		if kind == 0 {
			continue
		}
		n := -1
		// The number stands before the word ("1 failed") or, after a colon or
		// an equals sign, behind it ("Failures: 0").
		named := i+2 < len(words) && (words[i+1] == ":" || words[i+1] == "=")
		switch {
		case named:
			n = number(words[i+2])
		case i == 0 && len(words) == 2 && node:
			n = number(words[1]) // the summary of node
		}
		if n < 0 && i > 0 {
			n = number(words[i-1])
		}
		if n < 0 && i > 1 && counted(words[i-1]) {
			n = number(words[i-2]) // "12 tests passed"
		}
		if n < 0 {
			continue
		}
		switch kind {
		case 'p':
			passed = max(passed, n)
			summary = true
			if !named && i > 0 && number(words[i-1]) == n && from < 0 {
				from, to = i-1, i
			}
		case 'f':
			failed = max(failed, n)
			summary = true
		case 'e':
			failed = max(failed, n)
		case 's':
			skipped += n
			summary = summary || !strings.HasPrefix(line, "OK (") // unittest: settled with its number of tests
		case 't':
			total = max(total, n)
			summary = summary || strings.HasPrefix(line, "Tests run")
		}
	}
	if !summary {
		return
	}
	if failed > 0 {
		v.fail, v.ran = true, true
	}
	files := strings.HasPrefix(line, "Test Suites") || strings.HasPrefix(line, "Test Files")
	switch {
	case files:
		v.suites = v.suites || passed > 0
		return
	case passed > 0:
		v.pass, v.ran = true, true
	case passed < 0 && failed == 0 && total > skipped:
		v.pass, v.ran = true, true
	case failed > 0:
	case passed == 0, total == 0, skipped > 0 && (total < 0 || total <= skipped):
		v.empty = true
	}
	if from >= 0 && passed > 0 {
		v.count = words[from] + " " + words[to]
	}
}

// counted are words that may stand between a number and what became of it.
func counted(w string) bool {
	switch w {
	case "tests", "test", "scenarios", "scenario", "features", "specs", "examples", "checks", "cases":
		return true
	}
	return false
}

func splitCounts(line string, out []string) []string {
	digits := false
	for i := range len(line) {
		digits = digits || line[i] >= '0' && line[i] <= '9'
	}
	if !digits {
		return nil
	}
	start := -1
	for i := 0; i <= len(line); i++ {
		letter := i < len(line) && (isAlnum(line[i]) || line[i] >= 0x80 || line[i] == '_' || line[i] == '-' && start >= 0)
		if letter {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			if len(out) == 48 {
				return out
			}
			out = append(out, strings.ToLower(line[start:i]))
			start = -1
		}
		if i < len(line) && (line[i] == ':' || line[i] == '=') && len(out) < 48 {
			out = append(out, line[i:i+1])
		}
	}
	return out
}

func countWord(w string) byte {
	switch w {
	case "passed", "pass", "passing", "passes", "succeeded":
		return 'p'
	case "failed", "fail", "failing", "failures", "failure", "fails":
		return 'f'
	case "errors", "error":
		return 'e'
	case "skipped", "skip", "xfailed", "ignored", "pending", "todo", "deselected", "disabled", "excluded":
		return 's'
	case "tests", "examples", "run", "specs", "total":
		return 't'
	}
	return 0
}

func number(w string) int {
	if w == "" || len(w) > 9 {
		return -1
	}
	n := 0
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return -1
		}
		n = n*10 + int(w[i]-'0')
	}
	return n
}

// stripEscapes removes terminal colour codes.
func stripEscapes(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '[' {
			i += 2
			for i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) {
				i++
			}
		}
	}
	return b.String()
}
