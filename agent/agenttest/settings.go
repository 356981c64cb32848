package agenttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/agent"
)

// Lay writes files, named by their paths with slashes, into a scratch folder
// and gives that.
func Lay(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Barring is what the settings of an agent are to give where files of a
// project have a say in them. "@/" stands for the scratch folder.
type Barring struct {
	Providers      string // as they are shown, in a row
	Session, Small string // what bars the two, without the reason
}

// Check fails unless the settings are those, and nothing of them shows secret.
func (b Barring) Check(t testing.TB, got agent.ModelSettings, dir, secret string, show func(agent.ProviderSettings) string) {
	t.Helper()
	list := make([]string, 0, len(got.Providers))
	for _, p := range got.Providers {
		list = append(list, show(p))
	}
	if want := strings.ReplaceAll(b.Providers, "@/", dir+"/"); strings.Join(list, " ") != want {
		t.Errorf("providers\n got %q\nwant %q", list, want)
	}
	barred := func(reason string) string {
		reason, _ = strings.CutSuffix(reason, ": a project's file must not decide where text or a key goes")
		return strings.ReplaceAll(reason, dir+"/", "@/")
	}
	if session, small := barred(got.SessionBarred), barred(got.SmallBarred); session != b.Session || small != b.Small {
		t.Errorf("barred\n got %q, %q\nwant %q, %q", session, small, b.Session, b.Small)
	}
	if text := fmt.Sprintf("%+v %v %v %v", got.Problems, got.SessionBarred, got.SmallBarred, got.Small); strings.Contains(text, secret) {
		t.Errorf("a key is shown: %s", text)
	}
}
