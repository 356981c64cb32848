package filelog

import (
	"time"

	recap "github.com/sessionrecap/recap"
)

// ahead is how far a time may be beyond the last change of its file: clocks
// differ, but what was written was written before that.
const ahead = 24 * time.Hour

// Plausible gives a time of a row, or the time at which its file was last
// changed (Unix nanoseconds) where the row's lies more than a day after that.
func Plausible(at time.Time, changed int64) time.Time {
	if end := time.Unix(0, changed).UTC(); at.After(end.Add(ahead)) {
		return end
	}
	return at
}

// Times mends the times of records, which come oldest first, of a file that
// was last changed at changed (Unix nanoseconds). A record whose row has none
// takes that of the record before it, at the beginning that of the one after
// it: the order in the file tells. An answer that ended has a time at which
// it was complete. Times beyond the file's own are Plausible.
func Times(records []recap.Message, changed int64) {
	var known time.Time
	for i := range records {
		m := &records[i]
		m.Created, m.Completed = Plausible(m.Created, changed), Plausible(m.Completed, changed)
		for j := range m.Parts {
			if t := m.Parts[j].Tool; t != nil {
				t.At = Plausible(t.At, changed)
			}
		}
		if m.Created.IsZero() {
			m.Created = known
		}
		known = m.Created
	}
	known = time.Unix(0, changed).UTC()
	for i := len(records) - 1; i >= 0; i-- {
		m := &records[i]
		if m.Created.IsZero() {
			m.Created = known
		}
		known = m.Created
		if m.Completed.IsZero() && ended(m) {
			m.Completed = m.Created
		}
	}
}

// ended reports that the agent said why an answer is over.
func ended(m *recap.Message) bool {
	return m.Role == recap.RoleAssistant && m.Finish != "" && m.Finish != recap.FinishToolCalls && !m.Interrupted && m.Failure == nil
}
