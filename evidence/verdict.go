package evidence

import "strings"

// verdict is what the output of a test runner says in its own words.
type verdict struct {
	pass, fail bool
	empty      bool   // it ran no test at all
	count      string // "42 passed", as printed
}

// readVerdict reads summaries of test runners. Lines of the programs under
// test look alike, so only forms that runners print are taken.
func readVerdict(out string) verdict {
	var v verdict
	ran := false
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(stripEscapes(line))
		if line == "" || len(line) > 400 {
			continue
		}
		v.mark(line, &ran)
		v.counts(line, &ran)
	}
	if v.fail {
		v.pass = false
	}
	if v.empty && !ran && !v.fail {
		v.pass = false
	}
	return v
}

func (v *verdict) mark(line string, ran *bool) {
	switch {
	case strings.HasPrefix(line, "ok  \t"), strings.HasPrefix(line, "ok \t"), strings.HasPrefix(line, "ok\t"), isGoOK(line):
		if strings.Contains(line, "[no tests to run]") {
			v.empty = true
			return
		}
		v.pass, *ran = true, true
	case strings.HasPrefix(line, "--- PASS"):
		*ran = true
	case line == "PASS", line == "OK", strings.HasPrefix(line, "OK ("), strings.HasPrefix(line, "test result: ok"), strings.HasPrefix(line, "Passed!"),
		strings.Contains(line, "BUILD SUCCESS"), strings.HasPrefix(line, "congratulations :)"), strings.HasPrefix(line, "PASS "):
		v.pass = true
	case strings.HasPrefix(line, "--- FAIL"), line == "FAIL", strings.HasPrefix(line, "FAIL\t"), strings.HasPrefix(line, "FAIL "), strings.HasPrefix(line, "FAILED"),
		strings.HasPrefix(line, "FAILURES!"), strings.HasPrefix(line, "test result: FAILED"), strings.HasPrefix(line, "Failed!"), strings.Contains(line, "BUILD FAIL"),
		strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "npm ERR! Test failed"), strings.Contains(line, "[build failed]"), strings.HasPrefix(line, "error: could not compile"),
		strings.HasPrefix(line, "error: test failed"), strings.HasPrefix(line, "Error: Process completed with exit code"), strings.HasPrefix(line, "make: *** ["),
		strings.HasPrefix(line, "ERR_PNPM_"), strings.HasPrefix(line, "ELIFECYCLE"), strings.HasPrefix(line, "npm error Lifecycle script"), strings.HasPrefix(line, "not ok "):
		v.fail, *ran = true, true
	case strings.HasPrefix(line, "testing: warning: no tests to run"), strings.Contains(line, "no tests ran"), strings.HasPrefix(line, "No tests found"), strings.HasPrefix(line, "No test files found"), strings.Contains(line, "[no test files]"):
		v.empty = true
	}
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
func (v *verdict) counts(line string, ran *bool) {
	var buf [48]string
	words := splitCounts(line, buf[:0])
	if len(words) == 0 {
		return
	}
	passed, failed, total := -1, -1, -1
	from, to := -1, -1
	summary := false
	for i, w := range words {
		kind := countWord(w)
		if kind == 0 {
			continue
		}
		n := -1
		// The number stands before the word ("1 failed") or, after a colon or
		// an equals sign, behind it ("Failures: 0").
		named := i+2 < len(words) && (words[i+1] == ":" || words[i+1] == "=")
		if named {
			n = number(words[i+2])
		}
		if n < 0 && i > 0 {
			n = number(words[i-1])
		}
		if n < 0 && i > 1 && (words[i-1] == "tests" || words[i-1] == "test") {
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
		case 't':
			total = max(total, n)
			summary = summary || strings.HasPrefix(line, "Tests run")
		}
	}
	if !summary {
		return
	}
	if failed > 0 {
		v.fail, *ran = true, true
	}
	switch {
	case passed > 0:
		v.pass, *ran = true, true
	case failed == 0 && total > 0:
		v.pass, *ran = true, true
	case passed == 0 && failed <= 0, total == 0:
		v.empty = true
	}
	if from >= 0 && passed > 0 {
		v.count = words[from] + " " + words[to]
	}
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
	case "tests", "examples", "assertions", "run", "specs", "total":
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
