package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

// folderEnv names the folder into which the tests write, with redacttest.Oracle,
// what was put in and what left.
const folderEnv = "RECAP_TEST_ORACLE"

// fewest is how many rules of gitleaks must know what was put in: below that,
// a silent scanner proves nothing.
const fewest = 20

func TestGitleaksFindsNothingInWhatLeft(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run", "^TestH2_", "./outbound", "./engine")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), folderEnv+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the tests of outbound and engine: %v\n%s", err, out)
	}
	for _, name := range []string{"put.txt", "path-put.txt"} {
		put := scan(t, filepath.Join(dir, name))
		rules := map[string]bool{}
		for _, f := range put {
			rules[f.RuleID] = true
		}
		t.Logf("put in: %d findings of %d rules", len(put), len(rules))
		if len(rules) < fewest {
			t.Errorf("%s: gitleaks knows what was put in by %d rules, want %d at least", name, len(rules), fewest)
		}
	}
	for _, name := range []string{"left.txt", "wire.txt", "path-left.txt"} {
		for _, f := range scan(t, filepath.Join(dir, name)) {
			t.Errorf("%s line %d: %s: %q in %q", name, f.StartLine+1, f.RuleID, f.Secret, f.Line)
		}
	}
}

func scan(t *testing.T, path string) []report.Finding {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "\n") {
		t.Fatalf("%s is empty", path)
	}
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes", filepath.Base(path), len(b))
	return d.DetectBytes(b)
}
