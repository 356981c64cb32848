package recap

import "time"

// Field is one text of a record.
type Field string

// Fields of a record.
const (
	FieldRecap      Field = "recap"      // at most 20 words
	FieldSuggestion Field = "suggestion" // one message the person could send, or empty
	FieldAway       Field = "away"       // at most 40 words
	FieldDigest     Field = "digest"     // one or two lines for the next session
)

// Limits of the fields: words, and a hard clamp in characters.
const (
	RecapWords      = 20
	RecapChars      = 320
	AwayWords       = 40
	AwayChars       = 400
	SuggestionChars = 500
	DigestWords     = 60
	DigestChars     = 800
)

// Origin says who composed a text.
type Origin string

// Origins of texts.
const (
	Extractive Origin = "extractive" // quoted from the session, no model
	FromModel  Origin = "model"
)

// Status is something the evidence proves about a session, apart from the
// text of its record.
type Status string

// Statuses. A face draws each as a mark with an ASCII form.
const (
	StatusTestsPassed     Status = "tests-passed"
	StatusTestsFailed     Status = "tests-failed"
	StatusTestsNotRun     Status = "tests-not-run" // files changed after the last test run
	StatusCommandFailed   Status = "command-failed"
	StatusCommitted       Status = "committed"
	StatusPushed          Status = "pushed"
	StatusUncommitted     Status = "uncommitted" // files changed and not committed since
	StatusWaitingApproval Status = "waiting-approval"
	StatusWaitingAnswer   Status = "waiting-answer" // the agent asked the person
	StatusTodosOpen       Status = "todos-open"
	StatusWorking         Status = "working"
	StatusInterrupted     Status = "interrupted"
	StatusFailed          Status = "failed"
	StatusNoAnswer        Status = "no-answer" // no answer recorded
)

// Record is what recap keeps of a session. All texts in it are redacted and
// clean: one line each, no markup, no control characters.
type Record struct {
	Session SessionRef

	Recap      string
	Suggestion string
	Away       string
	Digest     string

	// Request is the person's last substantive request, one line.
	Request string
	// ForMessageID is the newest content record the record answers.
	ForMessageID string
	// Fingerprint is the key of the record: a hash of the roles and
	// normalised texts of the kept turns.
	Fingerprint string
	// Stamp is Session.Stamp at the time the record was made.
	Stamp       string
	GeneratedAt time.Time
	// Language is the BCP 47 tag of the texts, "" where unknown.
	Language     string
	Source       Origin
	FieldSources map[Field]Origin
	Status       []Status
	// WaitingFor says what the session waits for, "" where it does not.
	WaitingFor string
	// TodosOpen and TodosDone count the newest to-do list.
	TodosOpen, TodosDone int
	Model                *ModelRef
	Usage                *Usage
	Receipts             []Receipt

	// Title, Directory, Project, Branch, UpdatedAt are of the session when
	// the record was made, so that it can be shown and found after the
	// agent has deleted the transcript.
	Title     string
	Directory string
	Project   string
	Branch    string
	UpdatedAt time.Time
}

// Text gives the field's text.
func (r Record) Text(f Field) string {
	switch f {
	case FieldRecap:
		return r.Recap
	case FieldSuggestion:
		return r.Suggestion
	case FieldAway:
		return r.Away
	case FieldDigest:
		return r.Digest
	}
	return ""
}

// Usage is what a model call used, as the provider counts it.
type Usage struct {
	InputTokens  int64    `json:"inputTokens"`
	OutputTokens int64    `json:"outputTokens"`
	CachedTokens int64    `json:"cachedTokens"`
	CostUSD      *float64 `json:"costUsd"` // nil: price unknown
}

// ReceiptKind says what kind of proof a receipt is.
type ReceiptKind string

// Kinds of receipts.
const (
	ReceiptRequest  ReceiptKind = "request"  // the person's words
	ReceiptAnswer   ReceiptKind = "answer"   // the agent's words
	ReceiptCommand  ReceiptKind = "command"  // a command, with its exit status in the detail
	ReceiptTest     ReceiptKind = "test"     // a test run
	ReceiptEdit     ReceiptKind = "edit"     // files written
	ReceiptCommit   ReceiptKind = "commit"   // a commit made
	ReceiptPush     ReceiptKind = "push"     // a push made
	ReceiptQuestion ReceiptKind = "question" // a question to the person
	ReceiptApproval ReceiptKind = "approval" // an approval that is pending
	ReceiptTodo     ReceiptKind = "todo"     // the to-do list
	ReceiptState    ReceiptKind = "state"    // interrupted, failed, no answer
)

// Receipt proves one claim of a record.
type Receipt struct {
	Field     Field       `json:"field"` // "" where it proves a status
	Claim     string      `json:"claim"`
	Kind      ReceiptKind `json:"kind"`
	MessageID string      `json:"messageId"`
	Detail    string      `json:"detail"`
}
