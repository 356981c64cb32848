package recap

import "time"

// Role says who a message is from.
type Role string

// Roles of messages. A service record (idle marker, model switch, notice) is
// no content: readers look past it.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleService   Role = "service"
)

// Finish says why an answer ended.
type Finish string

// Reasons for the end of an answer. The empty value means: not ended, or the
// agent did not say.
const (
	FinishStop      Finish = "stop"
	FinishToolCalls Finish = "tool-calls"
	FinishLength    Finish = "length"
	FinishOther     Finish = "other" // content filter, unknown
)

// Message is one record of a session as a person would count it.
//
// A user message that a person made carries at least one part that is not
// synthetic (text, file), or an attached context. A user message of synthetic
// parts alone is a continuation that the agent inserted.
type Message struct {
	// ID is the agent's id of the record, or one derived from its position
	// and text where the agent has none.
	ID string
	// ParentID is, on an answer, the id of the user record it answers. Empty:
	// the answer belongs to the nearest user record before it.
	ParentID  string
	Role      Role
	Created   time.Time
	Completed time.Time // zero: not known to be complete
	Finish    Finish
	// Interrupted: the person stopped this answer, or the agent died in it.
	Interrupted bool
	// Failure is set where the answer ended in an error.
	Failure *Failure
	// Summary marks a compaction summary, or a person's request for one: never
	// text of a turn, and no part of the work.
	Summary bool
	Model   ModelRef
	Parts   []Part
}

// Failure is an error the agent recorded.
type Failure struct {
	Code    string // as the agent wrote it: "APIError", "529", "rate_limit"
	Message string
}

// PartKind says what a part of a message is.
type PartKind string

// Kinds of parts.
const (
	PartText      PartKind = "text"
	PartReasoning PartKind = "reasoning" // never shown, never evidence
	PartTool      PartKind = "tool"
	PartFile      PartKind = "file"
	PartMarker    PartKind = "marker" // compaction, step, snapshot: no text of anybody
)

// Part is a piece of a message.
type Part struct {
	Kind PartKind
	Text string
	// Synthetic text was not written by the person (user) or the model.
	Synthetic bool
	// Ignored text is kept by the agent but never sent to the model.
	Ignored bool
	// Attached is the context a client attached to a user message.
	Attached *Attached
	File     *File
	Tool     *Tool
}

// Attached is a quoted source with a person's comment, as a client put it
// into the metadata of a part. Values are the raw JSON values; package dialog
// knows the kinds and says which value is the source and which the comment.
type Attached struct {
	Kind   string
	Values map[string]any
}

// File is an image or another file in a message.
type File struct {
	Name string
	MIME string
}

// ToolKind says what a tool call does, whatever the agent calls it.
type ToolKind string

// Kinds of tool calls.
const (
	ToolCommand  ToolKind = "command"  // runs a shell command
	ToolEdit     ToolKind = "edit"     // writes, changes, moves or deletes files
	ToolRead     ToolKind = "read"     // reads or searches
	ToolTodo     ToolKind = "todo"     // sets the whole to-do list
	ToolQuestion ToolKind = "question" // asks the person
	ToolPlan     ToolKind = "plan"     // proposes a plan for approval
	ToolSubagent ToolKind = "subagent"
	ToolOther    ToolKind = "other"
)

// ToolStatus says how a tool call stands.
type ToolStatus string

// Statuses of tool calls.
const (
	ToolPending  ToolStatus = "pending"  // no result in the transcript
	ToolWaiting  ToolStatus = "waiting"  // known to wait for the person's approval or answer
	ToolDone     ToolStatus = "done"     // it ran; for a command, Exit tells more
	ToolFailed   ToolStatus = "failed"   // the tool reports an error
	ToolRejected ToolStatus = "rejected" // the person said no: it did not run
	ToolStopped  ToolStatus = "stopped"  // interrupted while it ran
)

// Tool is a call of a tool with its result.
type Tool struct {
	CallID string
	Name   string // the agent's own name: "Bash", "exec_command"
	Kind   ToolKind
	Status ToolStatus
	// Command is the shell command, whole, one string ("go test ./...").
	Command string
	// Exit is the exit status of a command, nil where the agent does not
	// record one.
	Exit *int
	// Background: the command went on after the call returned.
	Background bool
	// Paths are the files an edit touched, as the agent wrote them.
	Paths []string
	// Output is the result's text, an excerpt of at most MaxToolOutput
	// characters with both ends.
	Output string
	// Questions are what a question asks the person.
	Questions []string
	// Todos is the whole list a to-do call sets.
	Todos []Todo
	At    time.Time
}

// MaxToolOutput is the most a Tool keeps of a result, in characters.
const MaxToolOutput = 2000

// Todo is an entry of an agent's to-do list.
type Todo struct {
	Text   string
	Status TodoStatus
}

// TodoStatus says how a to-do stands.
type TodoStatus string

// Statuses of to-dos.
const (
	TodoOpen      TodoStatus = "open"
	TodoActive    TodoStatus = "active"
	TodoDone      TodoStatus = "done"
	TodoCancelled TodoStatus = "cancelled"
)

// Turn is a human turn: a person's prompt and the work on it.
type Turn struct {
	// UserID is the id of the record that opens the turn.
	UserID string
	// Text is what the person sent: typed text, quoted sources, comments,
	// and how many images or files came with it. At most 8,000 characters.
	Text string
	// Authored is what the person wrote of it: no quotes, code, logs, links.
	// It decides the language.
	Authored string
	// Typed is the same with the names in code marks and the links that stand
	// within its sentences: what the person asked, to be read.
	Typed string
	At    time.Time
	// AnswerID and Answer are the last counted answer with text; empty where
	// there is none. At most 16,000 characters.
	AnswerID string
	Answer   string
	AnswerAt time.Time
	// Complete: the last counted record is a complete answer.
	Complete bool
	// Interrupted: the person stopped the turn, or the agent died in it.
	Interrupted bool
	// Failure is the error the turn ended in.
	Failure *Failure
	// Tools are the tool calls of the turn, in order.
	Tools []Tool
	// Model is the model of the answer.
	Model ModelRef
}
