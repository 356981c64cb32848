package dialog

import (
	"context"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Limits of the texts, in characters.
const (
	MaxUserText   = 8_000  // one message of a person, with what is attached
	MaxAnswerText = 16_000 // one answer
	MaxSource     = 4_000  // one quoted source
	MaxIssue      = 8_000  // one quoted issue or pull request
	MaxLabel      = 300    // the label of a quoted source
)

// Limits of a turn and of the dialog view.
const (
	MaxMessages = 30      // lines of the dialog view
	MaxTools    = 2_000   // tool calls kept of one turn
	MaxOutput   = 2 << 20 // bytes of tool output kept of one turn
)

// Pager gives the pages of one session, newest first.
type Pager interface {
	// Page gives the newest n records before the cursor ("" = the end). It
	// may give more than n.
	Page(ctx context.Context, before string, n int) (Page, error)
}

// Page is a piece of a session.
type Page struct {
	// Records are oldest first.
	Records []recap.Message
	// Next asks for what came before, "" where nothing did.
	Next string
	// Bytes is what was read for this page.
	Bytes int64
}

// Limits bound a reading.
type Limits struct {
	// Turns is how many human turns are kept at most; 3 where it is not
	// positive.
	Turns int
	// PageSize is how many records are asked for at once; 50 where it is not
	// positive.
	PageSize int
	// MaxPages and MaxBytes end the reading; no limit where not positive. The
	// turns found until then are used.
	MaxPages int
	MaxBytes int64
	// StopUnready ends the reading at the newest content record when that
	// record allows no model recap. Last, End and NotReady are then right and
	// Turns is not; where that record is a compaction, End is EndSummary. Use
	// it to ask whether a model may be called, or whether the session has moved
	// on.
	StopUnready bool
	// Redact is given the texts of a message, whole and in their order, before
	// anything is cut from them or left out: what is left of a secret could not
	// be told for one. It gives as many. Nil leaves them as they are, an error
	// ends the reading.
	Redact func(texts []string) ([]string, error)
}

// FileLimits are the limits for files and databases.
func FileLimits() Limits { return Limits{Turns: 3, PageSize: 50, MaxBytes: 256 << 20} }

// ServerLimits are the limits for servers.
func ServerLimits() Limits { return Limits{Turns: 3, PageSize: 50, MaxPages: 8} }

// End says how the newest content of a session stands.
type End string

// Ends of a session.
const (
	EndComplete    End = "complete"    // a complete answer
	EndWorking     End = "working"     // an answer that is not finished, tools at work, or a continuation
	EndUnanswered  End = "unanswered"  // the person's request, with no answer to it
	EndInterrupted End = "interrupted" // the person stopped it, or the agent died
	EndFailed      End = "failed"      // an error, see Dialog.Failure
	EndCut         End = "cut"         // cut by length, or ended by a filter
	EndWaiting     End = "waiting"     // a tool waits for the person
	EndSummary     End = "summary"     // a compaction summary, and nothing before it
	EndNoText      End = "no-text"     // a finished answer without visible text
	EndEmpty       End = "empty"       // no content at all
)

// NoRequest is the reason of a complete answer whose request is not the newest
// turn's: it was not found within the limits, or the answer is a late one. All
// other reasons are the words of [End].
const NoRequest = "request-not-found"

// Dialog is the end of a session.
type Dialog struct {
	// Last is the id of the newest content record, LastAt when it was
	// completed, or else made.
	Last   string
	LastAt time.Time
	// End is how that record stands, Failure its error. A compaction is looked
	// past: the session stands as it did before, though no model recap is made
	// until it goes on.
	End     End
	Failure *recap.Failure
	// Turns are oldest first. The newest may be without an answer.
	Turns []recap.Turn
	// Ready: a model recap may be made. Else NotReady is the reason: a word of
	// [End], or NoRequest. [EndSummary] stands for a compaction after the
	// newest answer.
	Ready    bool
	NotReady string
	// Messages are the last MaxMessages dialog messages of the turns kept,
	// oldest first, beginning with one of the person's. If none of the last
	// ones is, the newest of the person's stands before the others.
	Messages []Line
	// Pages, Bytes and Records count what was read; records up to the one
	// that opens the oldest turn kept.
	Pages   int
	Bytes   int64
	Records int
	// Truncated: a limit ended the reading before the turns were found.
	Truncated bool
}

// Line is a message of the dialog view: the text of a Turn's request, or what
// an agent said on the way or at the end.
type Line struct {
	Role recap.Role
	ID   string
	Text string
}

// Sample gives what the person wrote in the turns kept, newest last. Turns in
// which nothing was written by hand are left out.
func (d Dialog) Sample() []string {
	var out []string
	for _, t := range d.Turns {
		if t.Authored != "" {
			out = append(out, t.Authored)
		}
	}
	return out
}
