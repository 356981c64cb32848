package redacttest_test

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap/redact/redacttest"
)

func TestWhatIsPlantedIsFound(t *testing.T) {
	kinds := redacttest.Plant(1)
	if len(kinds) < 30 {
		t.Fatalf("%d kinds", len(kinds))
	}
	search := redacttest.NewSearch(kinds...)
	for _, s := range kinds {
		a, b := s.Halves()
		if a+b != s.Text() {
			t.Errorf("%s: halves %q and %q", s.Kind, a, b)
		}
		for name, text := range map[string]string{
			"whole": s.Text(), "first half": a, "second half": b, "lines": s.Split("\n").Text(), "quoted": s.Split("\n> ").Text(),
			"escaped": s.Split(`\n    `).Text(), "continued": s.Split("\\\n").Text(),
			"eight": "x" + s.Key[len(s.Key)-12:len(s.Key)-4] + "x",
			"held":  s.Before + strings.Join(strings.Split(s.Key, ""), "\\\n > ") + s.After,
		} {
			found := search.In("Use " + text + " for it.")
			if len(found) != 1 || found[0].Kind != s.Kind {
				t.Errorf("%s, %s: found %v", s.Kind, name, found)
			}
		}
		for name, text := range map[string]string{
			"context": s.Before + "[redacted:x]" + s.After, "seven": "!" + s.Key[len(s.Key)-11:len(s.Key)-4] + "!", "nothing": "",
		} {
			if found := search.In("Use " + text + "."); len(found) > 0 {
				t.Errorf("%s, %s: found %v", s.Kind, name, found)
			}
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	one, again, other := redacttest.Plant(1), redacttest.Plant(1), redacttest.Plant(2)
	for i := range one {
		if one[i].Text() != again[i].Text() || one[i].Key == other[i].Key {
			t.Errorf("%s: %q, %q, %q", one[i].Kind, one[i].Key, again[i].Key, other[i].Key)
		}
	}
}
