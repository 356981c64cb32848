package geminicli

import (
	"path/filepath"
	"testing"

	"github.com/sessionrecap/recap/agent/agenttest"
)

func open(t *testing.T, home string) *Source {
	t.Helper()
	root, err := filepath.Abs(home)
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Root: root})
}

const samples = "../../internal/demo/sessions/gemini"

func TestGolden(t *testing.T) {
	for name, home := range map[string]string{
		"gemini": "testdata/gemini", "gemini-0.28": "testdata/gemini-0.28",
		"gemini-migrated-0.28-to-0.61": "testdata/gemini-migrated-0.28-to-0.61", "samples": samples,
	} {
		t.Run(name, func(t *testing.T) {
			agenttest.Golden(t, open(t, home), filepath.Join("testdata", name+".golden"))
		})
	}
}
