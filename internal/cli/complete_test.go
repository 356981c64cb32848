package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	t.Parallel()
	d := samples(t)
	has := func(args []string, want ...string) {
		t.Helper()
		a := d.run(t, append([]string{"__complete"}, args...)...)
		if a.code != 0 {
			t.Errorf("%v: %+v", args, a)
		}
		for _, w := range want {
			if !strings.Contains("\n"+a.out, "\n"+w) {
				t.Errorf("%v: no %q in\n%s", args, w, a.out)
			}
		}
	}
	// Before the store knows a session they are listed, and nothing is made. A
	// listing has two seconds, which a busy machine may take for other things.
	for range 20 {
		if a := d.run(t, "__complete", "show", ""); strings.Contains(a.out, "cc52fe65") {
			break
		}
	}
	has([]string{"show", ""}, "last\t", "cc52fe65\tshop-login, Claude Code, the login page")
	if _, err := os.Stat(filepath.Join(d.home, "config", "recap")); err == nil {
		t.Error("a completion made files")
	}
	d.ok(t, "list")
	has([]string{"show", ""}, "last\t", "cc52fe65\tshop-login, Claude Code, the login page")
	has([]string{"show", "cc"}, "cc52fe65\t")
	has([]string{"resume", "claude:cc"}, "claude:cc52fe65\t")
	has([]string{"cc"}, "cc52fe65\t")
	has([]string{"list", "--agent", ""}, "claude\tClaude Code", "opencode\tOpenCode")
	has([]string{"config", "get", "pri"}, "privacy.exclude\t")
	has([]string{"config", "set", "sources.cl"}, "sources.claude.home\t")
	has([]string{"config", "set", "log.level", ""}, "debug\n", "warn\n")
	has([]string{"completion", ""}, "bash\n")
	if a := d.run(t, "__complete", "show", "cc52", ""); strings.Contains(a.out, "last") {
		t.Errorf("a second session: %s", a.out)
	}
	// Never a failure.
	if err := os.WriteFile(filepath.Join(d.home, "data", "recap", "recap.db"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	has([]string{"show", ""}, "last\t", "cc52fe65\t")
	if err := os.WriteFile(d.env["RECAP_CONFIG"], []byte("privacy.exclude = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := d.run(t, "__complete", "show", ""); a.code != 0 || strings.Contains(a.out, "cc52") {
		t.Errorf("%+v", a)
	}
}
