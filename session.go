package recap

import (
	"strings"
	"time"
)

// Agent names a coding program whose sessions recap reads.
type Agent string

// The agents recap knows. The values are part of the command line and of
// every JSON shape.
const (
	OpenCode Agent = "opencode"
	Qwen     Agent = "qwen"
	Claude   Agent = "claude"
	Codex    Agent = "codex"
	Gemini   Agent = "gemini"
)

// Agents lists the known agents in the order they are shown.
func Agents() []Agent { return []Agent{Claude, Codex, Gemini, OpenCode, Qwen} }

// DisplayName is the name people know the agent by.
func (a Agent) DisplayName() string {
	switch a {
	case OpenCode:
		return "OpenCode"
	case Qwen:
		return "Qwen Code"
	case Claude:
		return "Claude Code"
	case Codex:
		return "Codex"
	case Gemini:
		return "Gemini CLI"
	}
	return string(a)
}

// SessionRef identifies a session. The same id under two roots is two
// sessions. It is comparable and serves as a map key.
type SessionRef struct {
	Agent Agent
	// Root is the absolute path of the agent's home (or the address of its
	// server) in which the session lives.
	Root string
	// ID is the agent's own id. It is data from outside: never build a path
	// of it unchecked.
	ID string
}

// String gives "agent:id", the name a person types.
func (r SessionRef) String() string { return string(r.Agent) + ":" + r.ID }

// State says what a session is doing, as far as its files tell.
type State string

// States of a session.
const (
	StateBusy        State = "busy"        // the agent works
	StateWaiting     State = "waiting"     // the agent waits for the person; Session.WaitingFor says for what
	StateIdle        State = "idle"        // the last turn is over
	StateInterrupted State = "interrupted" // the person stopped the last turn, or the agent died in it
	StateFailed      State = "failed"      // the last turn ended in an error
	StateUnknown     State = "unknown"
)

// Session is one conversation with one agent. Texts in it (title, waiting
// reason) are as the agent wrote them: redact before they are shown or kept.
type Session struct {
	Ref SessionRef
	// Home is the name of the agent's home in the settings (sources.NAME).
	Home string
	// Title is the person's title, else the agent's, else the first prompt
	// (at most 200 characters, one line).
	Title string
	// Directory is the working directory from the newest row that names one,
	// never decoded from a folder name. "" where the agent does not say.
	Directory string
	// Project is the root of the repository that Directory lies in; the
	// worktrees of a repository have one project. Sources leave it empty, the
	// engine fills it.
	Project string
	// Branch is the git branch the agent noted last, "" where it notes none.
	Branch string
	// ParentID is set for sessions of subagents.
	ParentID string
	// ForkedFrom is the id of the session this one was copied from, if known.
	ForkedFrom string
	CreatedAt  time.Time
	// UpdatedAt is the time of the newest content record, not of the file.
	UpdatedAt time.Time
	State     State
	// WaitingFor says in the agent's words what a waiting session waits for:
	// "approval: Bash go test ./..." or "question: Which port?". An interrupted
	// session may still say what it waited for. Else "".
	WaitingFor string
	Archived   bool
	// Reverted is true while the person has gone back to an earlier point.
	Reverted bool
	// Model is the model of the newest answer.
	Model ModelRef
	// Stamp changes whenever the transcript may have changed. Two listings
	// with the same stamp saw the same bytes. Opaque, never shown.
	Stamp string
}

// ModelRef names a model at a provider.
type ModelRef struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
}

// String gives "provider/id".
func (m ModelRef) String() string {
	if m.Provider == "" {
		return m.ID
	}
	return m.Provider + "/" + m.ID
}

// ParseModelRef splits "provider/id" at the first slash: ids hold slashes.
func ParseModelRef(s string) ModelRef {
	p, id, ok := strings.Cut(s, "/")
	if !ok {
		return ModelRef{ID: s}
	}
	return ModelRef{Provider: p, ID: id}
}
