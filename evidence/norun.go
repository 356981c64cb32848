package evidence

import "strings"

// runsNothing: the arguments ask a test runner for something else than tests:
// its version, its help, a list, a rehearsal.
func runsNothing(runner string, args []string) bool {
	tool, _, _ := strings.Cut(runner, " ")
	for i, a := range args {
		name, value, hasValue := strings.Cut(a, "=")
		switch name {
		case "--version", "--help", "-h", "-help", "-?", "--collect-only", "--co", "--collectonly", "--dry-run", "--dryrun", "--dryRun", "-dryrun", "-dry-run", "--dry", "--list", "--listTests", "--list-tests", "--list-suites", "--list-groups", "--list-files", "--listenvs", "--showConfig", "--show-config", "--print-config",
			"--fixtures", "--fixtures-per-test", "--markers", "--setup-plan", "--setup-only", "--init", "--no-run", "--clearCache", "--clear-cache", "--noop", "--just-print", "--recon", "--question", "--touch", "--count-only", "--enumerate-tests", "-enumerate-tests", "-list", "--show-only", "--nobuild", "--analyze":
			if name != "--list" || tool != "pytest" {
				return true
			}
		case "-V":
			if tool == "pytest" || tool == "py.test" || tool == "tox" || tool == "nox" || tool == "cargo" || tool == "mocha" {
				return true
			}
		case "-v", "-version":
			// For these it is the version and not "verbose".
			if tool == "jest" && len(args) == 1 || tool == "vitest" && len(args) == 1 || tool == "npm" && len(args) == 1 {
				return true
			}
		case "-n":
			if tool == "go" || tool == "rake" || tool == "just" || tool == "task" || tool == "bazel" || tool == "prove" {
				return true
			}
		case "-N":
			if tool == "ctest" {
				return true
			}
		case "-l", "-a":
			if tool == "tox" || tool == "nox" || tool == "just" || tool == "task" || tool == "mage" {
				return true
			}
		case "-m":
			if tool == "gradle" {
				return true
			}
		case "-T", "-P":
			if tool == "rake" || tool == "rails" {
				return true
			}
		case "-exec":
			if tool == "go" && (value == "true" || value == "echo" || !hasValue && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "echo")) {
				return true
			}
		case "-count", "--count":
			if hasValue && value == "0" || !hasValue && i+1 < len(args) && args[i+1] == "0" || tool == "bats" {
				return true
			}
		case "-run", "--run", "-test.run":
			if hasValue && matchesNothing(value) || !hasValue && i+1 < len(args) && matchesNothing(args[i+1]) {
				return true
			}
		}
		if (tool == "make" || tool == "gmake") && len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Trim(a[1:], "bBdeEikLnpqrRsStvw") == "" && strings.ContainsAny(a[1:], "nqt") {
			return true
		}
	}
	return false
}

// matchesNothing: a pattern that people give to run benchmarks alone.
func matchesNothing(pattern string) bool {
	switch strings.ToLower(pattern) {
	case "^$", "none", "xxx", "^none$", "^xxx$", "$^":
		return true
	}
	return false
}

// mayRunNothing: the runner succeeds where it finds no tests, so that its
// status alone is no pass.
func mayRunNothing(args []string) bool {
	for _, a := range args {
		switch a {
		case "--if-present", "--passWithNoTests", "--pass-with-no-tests", "--passWithNoTests=true", "--no-error-on-unmatched-pattern", "--allow-empty", "--suppress-no-test-exit-code":
			return true
		}
	}
	return false
}

// inBackground: the result of the call is only a notice that it was started
// or moved to the background.
func inBackground(out string) bool {
	if len(out) > 4000 {
		return false
	}
	out = strings.ToLower(strings.TrimSpace(out))
	firstLine, _, _ := strings.Cut(out, "\n")
	lastLine := out[strings.LastIndexByte(out, '\n')+1:]
	for _, line := range [...]string{firstLine, lastLine} {
		for _, p := range [...]string{
			"running in background", "running in the background", "moved to background", "moved to the background", "started in background", "started in the background", "background process started", "started background", "backgrounded",
			"process running with session id", "still running", "background task started", "background command started", "running as a background",
		} {
			if strings.Contains(line, p) {
				return true
			}
		}
	}
	return false
}
