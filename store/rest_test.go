package store_test

import (
	"testing"
	"time"

	"github.com/sessionrecap/recap/store"
)

func TestRestStands(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		long time.Duration
		now  time.Duration // since it was said
		want bool
	}{
		{"right after", time.Hour, 0, true},
		{"a moment before its end", time.Hour, time.Hour - time.Nanosecond, true},
		{"at its end", time.Hour, time.Hour, false},
		{"long after", time.Hour, 48 * time.Hour, false},
		{"the clock was set back a little", time.Hour, -30 * time.Second, true},
		{"the clock was set back", time.Hour, -2 * time.Minute, false},
		{"by a year", time.Hour, -365 * 24 * time.Hour, false},
		{"the longest", store.LongestRest, time.Second, true},
		{"longer than is believed", 100 * 24 * time.Hour, time.Second, false},
		{"it names no time", 0, 0, false},
		{"it ended before it was said", -time.Hour, 0, false},
	} {
		r := store.Rest{Since: noon, Until: noon.Add(tt.long)}
		if got := r.Stands(noon.Add(tt.now)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if (store.Rest{}).Stands(noon) {
		t.Error("the zero rest stands")
	}
}
