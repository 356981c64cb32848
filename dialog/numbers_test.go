package dialog_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// The limits of the views, in figures, on texts that are longer.
func TestLimitsInFigures(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a ж", 20_000)
	d := read(t, user("u", text(long)), answer("a", "u", text(long)))
	if n := utf8.RuneCountInString(d.Turns[0].Text); n != 8_000 {
		t.Errorf("a message of %d characters", n)
	}
	if n := utf8.RuneCountInString(d.Turns[0].Answer); n != 16_000 {
		t.Errorf("an answer of %d characters", n)
	}
	for name, c := range map[string][2]int{
		"a quoted source": {dialog.MaxSource, 4_000}, "a quoted issue": {dialog.MaxIssue, 8_000}, "a label": {dialog.MaxLabel, 300},
		"turns": {dialog.FileLimits().Turns, 3}, "records a page": {dialog.ServerLimits().PageSize, 50}, "pages of a server": {dialog.ServerLimits().MaxPages, 8},
		"megabytes of a file": {int(dialog.FileLimits().MaxBytes >> 20), 256},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}

// The dialog view is the last thirty messages, moved forward to the first of
// the person's.
func TestThirtyMessages(t *testing.T) {
	t.Parallel()
	var records []recap.Message
	for range 40 {
		records = append(records, user("", text("q")), answer("", "", text("r")))
	}
	for i := range records {
		records[i].ID = strings.Repeat("x", i+1)
		if i%2 == 1 {
			records[i].ParentID = records[i-1].ID
		}
	}
	l := dialog.FileLimits()
	l.Turns = 40
	d, err := dialog.Read(t.Context(), &session{records: records}, l)
	if err != nil || len(d.Messages) != 30 || d.Messages[0].Role != recap.RoleUser {
		t.Errorf("%d messages, %v", len(d.Messages), err)
	}
}
