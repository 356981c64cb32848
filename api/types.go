// Package api is the wire form of what recap knows: the JSON shapes of the
// command line and of the HTTP routes. More fields may come, these stay;
// readers ignore fields they don't know. Times are RFC 3339 in UTC.
package api

import (
	"time"

	recap "github.com/sessionrecap/recap"
)

// Session is a session of an agent.
type Session struct {
	Agent      string     `json:"agent"`
	Home       string     `json:"home"`
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	Directory  string     `json:"directory"`
	Project    string     `json:"project"`
	Branch     string     `json:"branch"`
	ParentID   string     `json:"parentId"`
	CreatedAt  *time.Time `json:"createdAt"` // null: the agent does not say
	UpdatedAt  *time.Time `json:"updatedAt"`
	State      string     `json:"state"` // busy, waiting, idle, interrupted, failed, unknown
	WaitingFor string     `json:"waitingFor"`
	Archived   bool       `json:"archived"`
}

// Record is what recap says of a session.
type Record struct {
	Recap        string            `json:"recap"`
	Suggestion   string            `json:"suggestion"`
	Away         string            `json:"away"`
	Digest       string            `json:"digest"`
	Request      string            `json:"request"`
	ForMessageID string            `json:"forMessageId"`
	Fingerprint  string            `json:"fingerprint"`
	GeneratedAt  time.Time         `json:"generatedAt"`
	Language     string            `json:"language"`
	Source       string            `json:"source"` // extractive, model
	FieldSources map[string]string `json:"fieldSources"`
	Status       []string          `json:"status"`
	TodosOpen    int               `json:"todosOpen"`
	TodosDone    int               `json:"todosDone"`
	Model        *recap.ModelRef   `json:"model"`
	Usage        *recap.Usage      `json:"usage"`
	Receipts     []recap.Receipt   `json:"receipts"`
}

// Reason says why something is not there.
type Reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // the next step to take
}

// Result is a session with its record: the answer of `recap --json`. In a
// list the reason is left out where there is none.
type Result struct {
	Session Session `json:"session"`
	Record  *Record `json:"record"`
	Reason  *Reason `json:"reason"`
	Fresh   bool    `json:"fresh"`
	// Gone: the agent has deleted the transcript, the record is what recap
	// kept of it.
	Gone bool `json:"gone"`
}

// Row is one line of `recap list --json`.
type Row struct {
	Session Session `json:"session"`
	Record  *Record `json:"record"`
	Fresh   bool    `json:"fresh"`
	Gone    bool    `json:"gone"` // the agent has deleted the transcript
}

// Away is the answer of `recap away --json`.
type Away struct {
	// Since is when the person last looked; null before the first time.
	Since    *time.Time `json:"since"`
	Sessions []Row      `json:"sessions"`
	// More counts the sessions that moved and are not in the list.
	More int `json:"more"`
}

// Turns is the answer of `recap show SESSION --turns --json`.
type Turns struct {
	Last  string `json:"last"`
	Turns []Turn `json:"turns"`
}

// Turn is one human turn.
type Turn struct {
	User     TurnUser    `json:"user"`
	Answer   *TurnAnswer `json:"answer"`
	Complete bool        `json:"complete"`
}

// TurnUser is the person's side of a turn.
type TurnUser struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Authored string `json:"authored"`
}

// TurnAnswer is the agent's side of a turn.
type TurnAnswer struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Why is the answer of `recap why SESSION --json`.
type Why struct {
	Session   Session    `json:"session"`
	Gates     []Gate     `json:"gates"`
	Decisions []Decision `json:"decisions"`
}

// Gate is a condition that was looked at.
type Gate struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Pass  bool   `json:"pass"`
	// Message says for people what a gate means that is not passed, Hint which
	// step to take.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Decision is one past outcome.
type Decision struct {
	At     time.Time `json:"at"`
	Action string    `json:"action"`
	Code   string    `json:"code"`
	Gates  []Gate    `json:"gates"`
	// Message says the same for people, Hint which step to take.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Error is the error object on standard output under --json.
type Error struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Hint       string   `json:"hint"`
	Candidates []string `json:"candidates,omitempty"`
}

// ErrorBody wraps an Error.
type ErrorBody struct {
	Error Error `json:"error"`
}

// FromSession gives the wire form of a session.
func FromSession(s recap.Session) Session {
	return Session{
		Agent: string(s.Ref.Agent), Home: s.Home, ID: s.Ref.ID, Title: s.Title, Directory: s.Directory,
		Project: s.Project, Branch: s.Branch, ParentID: s.ParentID, CreatedAt: when(s.CreatedAt), UpdatedAt: when(s.UpdatedAt),
		State: string(s.State), WaitingFor: s.WaitingFor, Archived: s.Archived,
	}
}

// FromRecord gives the wire form of a record, nil for nil.
func FromRecord(r *recap.Record) *Record {
	if r == nil {
		return nil
	}
	out := &Record{
		Recap: r.Recap, Suggestion: r.Suggestion, Away: r.Away, Digest: r.Digest, Request: r.Request,
		ForMessageID: r.ForMessageID, Fingerprint: r.Fingerprint, GeneratedAt: r.GeneratedAt.UTC(), Language: r.Language,
		Source: string(r.Source), FieldSources: make(map[string]string, len(r.FieldSources)), Status: make([]string, 0, len(r.Status)),
		TodosOpen: r.TodosOpen, TodosDone: r.TodosDone, Model: r.Model, Usage: r.Usage, Receipts: r.Receipts,
	}
	for f, o := range r.FieldSources {
		out.FieldSources[string(f)] = string(o)
	}
	for _, s := range r.Status {
		out.Status = append(out.Status, string(s))
	}
	if out.Receipts == nil {
		out.Receipts = []recap.Receipt{}
	}
	return out
}

// FromTurns gives the wire form of turns.
func FromTurns(last string, turns []recap.Turn) Turns {
	out := Turns{Last: last, Turns: make([]Turn, 0, len(turns))}
	for _, t := range turns {
		w := Turn{User: TurnUser{ID: t.UserID, Text: t.Text, Authored: t.Authored}, Complete: t.Complete}
		if t.AnswerID != "" {
			w.Answer = &TurnAnswer{ID: t.AnswerID, Text: t.Answer}
		}
		out.Turns = append(out.Turns, w)
	}
	return out
}

func when(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// DryRun is the answer of `recap --dry-run --json`.
type DryRun struct {
	Model               *PlannedModel `json:"model"`
	System              string        `json:"system"`
	Prompt              string        `json:"prompt"`
	Fields              []string      `json:"fields"`
	InputTokensEstimate int64         `json:"inputTokensEstimate"`
	CostUSDEstimate     *float64      `json:"costUsdEstimate"` // null: price unknown
	Redactions          int           `json:"redactions"`
	Permitted           bool          `json:"permitted"`
	Reason              *Reason       `json:"reason"`
}

// PlannedModel is the model that would be asked, and why that one.
type PlannedModel struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
	Why      string `json:"why"`
	Origin   string `json:"origin"` // where the key came from, never the key
}

// Spend is the answer of `recap spend --json`.
type Spend struct {
	Since        time.Time    `json:"since"`
	Calls        int          `json:"calls"`
	Tokens       int64        `json:"tokens"`
	CostUSD      float64      `json:"costUsd"`
	PriceUnknown int          `json:"priceUnknown"` // calls that are not in costUsd
	Caps         []Cap        `json:"caps"`
	Entries      []SpendEntry `json:"entries"`
}

// Cap is a limit of the settings.
type Cap struct {
	Key   string `json:"key"`
	Limit any    `json:"limit"` // a number, or "unlimited"
}

// SpendEntry is a line of the ledger.
type SpendEntry struct {
	At         time.Time `json:"at"`
	Agent      string    `json:"agent"`
	Session    string    `json:"session"`
	Provider   string    `json:"provider"`
	Model      string    `json:"model"`
	Background bool      `json:"background"`
	Tokens     int64     `json:"tokens"`
	CostUSD    *float64  `json:"costUsd"`
	State      string    `json:"state"` // reserved, settled, not-sent
	Code       string    `json:"code"`
}

// Egress is one line of `recap egress --json`.
type Egress struct {
	At         time.Time `json:"at"`
	Agent      string    `json:"agent"`
	Session    string    `json:"session"`
	Provider   string    `json:"provider"`
	Model      string    `json:"model"`
	Host       string    `json:"host"`
	Purpose    string    `json:"purpose"`
	Characters int       `json:"characters"`
	Redactions int       `json:"redactions"`
}

// DoctorModel says which model would be asked for an agent's sessions.
type DoctorModel struct {
	Agent    string   `json:"agent"` // empty: of every session, where there is none yet
	Home     string   `json:"home"`
	Provider string   `json:"provider"`
	Model    string   `json:"model"`
	Why      string   `json:"why"`
	Origin   string   `json:"origin"`
	Problem  string   `json:"problem"`
	Rejected []string `json:"rejected"`
	// RestsUntil: the provider refused a call and wants none before. Those in the
	// background wait until then.
	RestsUntil *time.Time `json:"restsUntil,omitempty"`
}

// Daemon is what `recap doctor` says of `recap serve`.
type Daemon struct {
	Running bool       `json:"running"`
	PID     int        `json:"pid"`
	Since   *time.Time `json:"since"` // null: not running, or just starting
	Version string     `json:"version"`
	// Differs says how its build relates to this command's, empty where it is
	// the same.
	Differs string         `json:"differs"`
	Auto    *bool          `json:"auto"`   // model calls are allowed; null: not known
	Known   int            `json:"known"`  // sessions that are followed
	Phases  map[string]int `json:"phases"` // how many of them are in each phase of the quiet window
	Runs    int            `json:"runs"`   // recaps that are being made
	Parked  int            `json:"parked"` // sessions whose recap failed, until they move on
	Capped  int            `json:"capped"` // sessions that no model was asked about: a cap of the day holds them
	Cap     string         `json:"cap"`    // which, in numbers, empty where none does
	Recaps  int            `json:"recaps"` // made since it was started
	ByModel int            `json:"byModel"`
	LastAt  *time.Time     `json:"lastAt"` // when the last was made
	Servers []DaemonServer `json:"servers"`
	Problem string         `json:"problem"` // why nothing is kept, empty where all is well
}

// DaemonServer is a server that the daemon follows.
type DaemonServer struct {
	Name      string `json:"name"` // of its settings, sources.NAME
	URL       string `json:"url"`
	Connected bool   `json:"connected"`
	Problem   string `json:"problem"` // why it is not
}

// ServeEvent is one line of `recap serve --json`.
type ServeEvent struct {
	Event string    `json:"event"` // started, recap, problem, stopped
	At    time.Time `json:"at"`
	// PID, Auto, Homes and Servers are of "started".
	PID     int  `json:"pid,omitempty"`
	Auto    bool `json:"auto,omitempty"` // model calls are allowed
	Homes   int  `json:"homes,omitempty"`
	Servers int  `json:"servers,omitempty"`
	// Session and Record are of "recap".
	Session *Session `json:"session,omitempty"`
	Record  *Record  `json:"record,omitempty"`
	// Reason is of "problem".
	Reason *Reason `json:"reason,omitempty"`
	// Recaps and ByModel are of "stopped".
	Recaps  int `json:"recaps,omitempty"` // made
	ByModel int `json:"byModel,omitempty"`
}
