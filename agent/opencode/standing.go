package opencode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// standing is how a session stands by its newest record: its state, or what it
// depends on, and what it waits for.
type standing struct {
	state      recap.State
	end, waits string
}

func (r *reader) standing(m recap.Message) standing {
	switch {
	case r.broken > 0 && m.Failure == nil && !m.Interrupted && !hasText(m):
		return standing{state: recap.StateUnknown} // what was said last is lost
	case m.Failure != nil:
		return standing{state: recap.StateFailed}
	case m.Interrupted, refused(m):
		return standing{state: recap.StateInterrupted}
	case m.Role == recap.RoleUser, m.Role == recap.RoleAssistant && m.Completed.IsZero(), m.Finish == recap.FinishToolCalls:
		if w := waitingFor(m); w != "" {
			return standing{recap.StateUnknown, endWaiting, w}
		}
		return standing{state: recap.StateUnknown, end: endOpen}
	}
	return standing{state: recap.StateIdle}
}

// after is how a session stands after a compaction, by how it stood before.
// asked: a person asked for it, who had the session at rest. Else it is a part
// of the work, which goes on after it or ends with it.
func (st standing) after(summary recap.Message, asked bool) standing {
	open := st.end != endKnown
	switch {
	case asked && open:
		st.state, st.end = recap.StateInterrupted, endKnown
	case open && summary.Failure != nil:
		return standing{state: recap.StateFailed}
	case open && summary.Interrupted:
		return standing{state: recap.StateInterrupted}
	}
	if !open && summary.Completed.IsZero() && summary.Failure == nil && !summary.Interrupted {
		st.end = endSummary
	}
	return st
}

// maxSummaries is how many records of compactions are looked past.
const maxSummaries = 40

// beforeSummary gives the newest record that is none of a compaction, and
// whether a person asked for what came after it.
func (r *reader) beforeSummary(ctx context.Context, ro row, m recap.Message) (before recap.Message, asked bool, err error) {
	asked = m.Role == recap.RoleUser
	hidden, err := r.cutOf(ctx, ro)
	if err != nil {
		return m, asked, err
	}
	list, err := places(r.db.QueryContext(ctx, `SELECT CAST(id AS TEXT), CAST(time_created AS INTEGER) FROM message
		WHERE session_id = ?1 AND `+hidden.where(2)+fmt.Sprintf(` ORDER BY time_created DESC, id DESC LIMIT %d`, maxSummaries),
		append([]any{ro.id}, hidden.args()...)...))
	if err != nil {
		return m, asked, err
	}
	for _, p := range list {
		if p.ID == m.ID {
			continue
		}
		x, err := r.message(ctx, p.ID)
		if err != nil {
			return m, asked, err
		}
		if !x.Summary {
			return x, asked, nil
		}
		asked = asked || x.Role == recap.RoleUser
	}
	return m, asked, nil
}

func hasText(m recap.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return p.Kind == recap.PartText && strings.TrimSpace(p.Text) != "" })
}

// waitingFor says what an answer without an end asks the person.
func waitingFor(m recap.Message) string {
	for _, p := range m.Parts {
		if p.Tool == nil || p.Tool.Status != recap.ToolWaiting {
			continue
		}
		if p.Tool.Kind == recap.ToolQuestion {
			return agent.Line("question: " + strings.Join(p.Tool.Questions, "\n"))
		}
		return agent.Line("approval: " + p.Tool.Name + "\n" + p.Tool.Command)
	}
	return ""
}

// refused tells whether a person's no ended the turn in this answer: OpenCode
// then asks the model no more. Where it does, another answer follows.
func refused(m recap.Message) bool {
	return m.Finish == recap.FinishToolCalls && slices.ContainsFunc(m.Parts, func(p recap.Part) bool {
		return p.Tool != nil && p.Tool.Status == recap.ToolRejected
	})
}
