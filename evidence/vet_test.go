package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// TestTrueRecapsPassTheVet: of true recaps, as a good model writes them, at
// least 97 of 100 are shown whole.
func TestTrueRecapsPassTheVet(t *testing.T) {
	lost, n := 0, 0
	for _, s := range stories(t) {
		n++
		kept, dropped, _ := NewGuard(s.input(t)).Vet(recap.FieldAway, s.Text)
		if kept != s.Text {
			lost++
			t.Logf("%s: %q became %q, %q", s.Lang, s.Text, kept, dropped)
		}
	}
	if lost*100 > 3*n {
		t.Errorf("%d of %d true recaps lost something", lost, n)
	}
	t.Logf("%d of %d true recaps lost something", lost, n)
}

// TestOtherSessionsDoNotPassTheVet: what is true of one session is not shown
// of another.
func TestOtherSessionsDoNotPassTheVet(t *testing.T) {
	all := stories(t)
	shown, n := 0, 0
	for i, s := range all {
		in := s.input(t)
		for k := 1; k < len(all); k += 5 {
			o := all[(i+k)%len(all)]
			if o.Lang != s.Lang {
				continue
			}
			n++
			if kept, _, _ := NewGuard(in).Vet(recap.FieldAway, o.Text); kept != "" {
				shown++
				t.Logf("%q shown as %q of %q, %q", o.Text, kept, s.Ask, s.Answer)
			}
		}
	}
	if shown*200 > n {
		t.Errorf("%d of %d recaps of other sessions are shown", shown, n)
	}
	t.Logf("%d of %d recaps of other sessions are shown", shown, n)
}
