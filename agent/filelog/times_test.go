package filelog

import (
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
)

func TestC21_TimesFollowTheOrderInTheFile(t *testing.T) {
	changed := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ten, eleven, soon, never := changed.Add(-2*time.Hour), changed.Add(-time.Hour), changed.Add(23*time.Hour), changed.Add(25*time.Hour)
	user := func(at time.Time) recap.Message { return recap.Message{Role: recap.RoleUser, Created: at} }
	done := func(at, end time.Time) recap.Message {
		return recap.Message{Role: recap.RoleAssistant, Finish: recap.FinishStop, Created: at, Completed: end}
	}
	none := time.Time{}
	for _, c := range []struct {
		name               string
		in                 []recap.Message
		created, completed []time.Time
	}{
		{"all there", []recap.Message{user(ten), done(eleven, changed)}, []time.Time{ten, eleven}, []time.Time{none, changed}},
		{"none there", []recap.Message{user(none), done(none, none)}, []time.Time{changed, changed}, []time.Time{none, changed}},
		{"the newest missing", []recap.Message{user(ten), done(none, none)}, []time.Time{ten, ten}, []time.Time{none, ten}},
		{"the oldest missing", []recap.Message{user(none), done(eleven, eleven)}, []time.Time{eleven, eleven}, []time.Time{none, eleven}},
		{"clocks differ", []recap.Message{user(ten), done(soon, soon)}, []time.Time{ten, soon}, []time.Time{none, soon}},
		{"to come", []recap.Message{user(never), done(never, never)}, []time.Time{changed, changed}, []time.Time{none, changed}},
		{"not over", []recap.Message{user(ten), {Role: recap.RoleAssistant, Created: eleven}}, []time.Time{ten, eleven}, []time.Time{none, none}},
		{"goes on", []recap.Message{{Role: recap.RoleAssistant, Created: eleven, Finish: recap.FinishToolCalls}}, []time.Time{eleven}, []time.Time{none}},
		{"stopped", []recap.Message{{Role: recap.RoleAssistant, Created: eleven, Finish: recap.FinishStop, Interrupted: true}}, []time.Time{eleven}, []time.Time{none}},
		{"nothing", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			Times(c.in, changed.UnixNano())
			for i, m := range c.in {
				if !m.Created.Equal(c.created[i]) || !m.Completed.Equal(c.completed[i]) {
					t.Errorf("record %d: created %v, completed %v, want %v, %v", i, m.Created, m.Completed, c.created[i], c.completed[i])
				}
			}
		})
	}
	call := &recap.Tool{At: never}
	Times([]recap.Message{{Created: ten, Parts: []recap.Part{{Kind: recap.PartTool, Tool: call}}}}, changed.UnixNano())
	if !call.At.Equal(changed) {
		t.Errorf("a call at %v", call.At)
	}
}
