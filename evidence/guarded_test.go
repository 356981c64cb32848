package evidence

import (
	"reflect"
	"sync"
	"testing"

	"github.com/sessionrecap/recap"
)

// One guard for all that is asked about a session gives what each function
// gives alone, in whatever order they are asked.
func TestGuardReadsTheSessionOnce(t *testing.T) {
	fields := []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldRecap}
	for i, s := range stories(t) {
		in := s.input(t)
		g := NewGuard(in)
		steps := 0
		g.Prepare(func() bool { steps++; return steps > i%12 })
		free := g.Free(in.Session, in.Now)
		if want := Free(in); !reflect.DeepEqual(free, want) {
			t.Errorf("%d: %+v, want %+v", i, free, want)
		}
		for _, f := range fields {
			kept, dropped, receipts := g.Vet(f, s.Text)
			k, d, r := NewGuard(in).Vet(f, s.Text)
			if kept != k || !reflect.DeepEqual(dropped, d) || !reflect.DeepEqual(receipts, r) {
				t.Errorf("%d, %s: %q %v %v, want %q %v %v", i, f, kept, dropped, receipts, k, d, r)
			}
		}
		if again := g.Free(in.Session, in.Now); !reflect.DeepEqual(again, free) {
			t.Errorf("%d: after the texts %+v, want %+v", i, again, free)
		}
		f := collect(in.Turns, &in.Session)
		if got, want := g.Statuses(), Statuses(f, in); !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %v, want %v", i, got, want)
		}
		if got := g.Questions(); len(got) != len(f.Questions) {
			t.Errorf("%d: %q, want %q", i, got, f.Questions)
		}
	}
}

// The free recap is made beside the guard's other work.
func TestFreeBesideTheGuard(t *testing.T) {
	for i, s := range stories(t) {
		in := s.input(t)
		g := NewGuard(in)
		g.Statuses()
		var free Draft
		var wg sync.WaitGroup
		wg.Go(func() { free = g.Free(in.Session, in.Now) })
		kept, _, _ := g.Vet(recap.FieldRecap, s.Text)
		wg.Wait()
		if want := Free(in); !reflect.DeepEqual(free, want) {
			t.Errorf("%d: %+v, want %+v", i, free, want)
		}
		if want, _, _ := NewGuard(in).Vet(recap.FieldRecap, s.Text); kept != want {
			t.Errorf("%d: %q, want %q", i, kept, want)
		}
	}
}

// drawn looks at the first byte only where it is one of a sign.
func TestSignsBeginAsDrawnExpects(t *testing.T) {
	for _, sign := range signs {
		if drawn(sign+" tests passed") == 0 {
			t.Errorf("%q is not seen", sign)
		}
	}
}
