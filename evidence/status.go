package evidence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionrecap/recap"
)

// Input is what the free recap is made of.
type Input struct {
	Session recap.Session
	// Turns are the kept human turns, oldest first.
	Turns []recap.Turn
	// End says how the session ends: "complete", "working", "unanswered",
	// "interrupted", "failed", "cut", "waiting", "summary", "no-text", "empty".
	// Empty: told by the newest turn.
	End string
	// Failure is the error the session ended in.
	Failure *recap.Failure
	// Last is the id of the newest content record.
	Last string
	Now  time.Time
}

// proof is a status with its receipt.
type proof struct {
	status  recap.Status
	receipt recap.Receipt
}

// Statuses gives what the facts prove of the session, the most urgent first.
func Statuses(f Facts, in Input) []recap.Status {
	return statuses(&f, &in, &scratchpad{})
}

func statuses(f *Facts, in *Input, sp *scratchpad) []recap.Status {
	ps := prove(f, in, sp)
	out := make([]recap.Status, len(ps))
	for i := range ps {
		out[i] = ps[i].status
	}
	return out
}

// complete: the session ends in a whole answer.
func (in *Input) complete() bool {
	if in.End != "" {
		return in.End == "complete"
	}
	t := in.newest()
	return t != nil && t.Complete
}

func (in *Input) newest() *recap.Turn {
	if len(in.Turns) == 0 {
		return nil
	}
	return &in.Turns[len(in.Turns)-1]
}

// last gives the id of the newest record there is one of.
func (in *Input) last() string {
	if in.Last != "" {
		return in.Last
	}
	if t := in.newest(); t != nil {
		if t.AnswerID != "" {
			return t.AnswerID
		}
		return t.UserID
	}
	return ""
}

func prove(f *Facts, in *Input, sp *scratchpad) []proof {
	var out []proof
	add := func(s recap.Status, k recap.ReceiptKind, id, detail string) {
		out = append(out, proof{s, recap.Receipt{Claim: string(s), Kind: k, MessageID: id, Detail: clip(oneLine(detail), 300)}})
	}
	f.state(in, sp, add)
	f.tests(add)
	f.work(add)
	if open, _, next := todos(f.Todos); open > 0 {
		add(recap.StatusTodosOpen, recap.ReceiptTodo, f.TodoMessageID, strconv.Itoa(open)+"/"+strconv.Itoa(len(f.Todos))+" "+next)
	}
	return out
}

// asksStill: a call of the newest turn is known to wait for the person.
func (f *Facts) asksStill() bool { return len(f.Approvals) > 0 || len(f.Questions) > 0 }

type adder func(recap.Status, recap.ReceiptKind, string, string)

// state says how the session stands.
func (f *Facts) state(in *Input, sp *scratchpad, add adder) {
	t := in.newest()
	if t == nil {
		return
	}
	last := in.last()
	waitsApproval := strings.HasPrefix(in.Session.WaitingFor, "approval")
	waitsQuestion := strings.HasPrefix(in.Session.WaitingFor, "question")
	// A session whose agent has ended still says what it waited for.
	switch in.Session.State {
	case recap.StateWaiting, recap.StateInterrupted, recap.StateUnknown:
	default:
		waitsApproval, waitsQuestion = false, false
	}
	stopped := t.Interrupted || in.End == "interrupted"
	over := in.End == "failed" || stopped && !waitsApproval && !waitsQuestion && !f.asksStill()
	waiting := false
	if !over && (len(f.Approvals) > 0 || waitsApproval) {
		what := in.Session.WaitingFor
		if len(f.Approvals) > 0 {
			what = f.Approvals[0]
		}
		add(recap.StatusWaitingApproval, recap.ReceiptApproval, last, what)
		waiting = true
	}
	switch {
	case over:
	case len(f.Questions) > 0:
		add(recap.StatusWaitingAnswer, recap.ReceiptQuestion, last, f.Questions[0])
		waiting = true
	case waitsQuestion:
		add(recap.StatusWaitingAnswer, recap.ReceiptQuestion, last, in.Session.WaitingFor)
		waiting = true
	case in.complete() && !stopped:
		if q := sp.openQuestion(t); q != "" {
			// "All tests pass, shall I push?" asks on, but claims no more.
			add(recap.StatusWaitingAnswer, recap.ReceiptQuestion, t.AnswerID, f.prune(q, false, sp))
			waiting = true
		}
	}
	if in.End == "waiting" && !waiting && !over {
		add(recap.StatusWaitingApproval, recap.ReceiptApproval, last, first(f.Running))
		waiting = true
	}
	dead := in.End == "working" && in.Session.State == recap.StateInterrupted
	switch {
	case stopped, dead:
		add(recap.StatusInterrupted, recap.ReceiptState, last, "")
	case in.End == "failed" || in.Failure != nil || t.Failure != nil:
		failure := in.Failure
		if failure == nil {
			failure = t.Failure
		}
		detail := ""
		if failure != nil {
			detail = failure.Code
		}
		add(recap.StatusFailed, recap.ReceiptState, last, detail)
	case in.End == "working" && in.Session.State == recap.StateUnknown:
		if !waiting {
			add(recap.StatusNoAnswer, recap.ReceiptState, last, "") // nobody knows whether it goes on
		}
	case in.End == "working" && !waiting:
		add(recap.StatusWorking, recap.ReceiptState, last, first(f.Running))
	case in.End == "unanswered", in.End == "no-text", in.End == "summary", in.End == "cut", in.End == "" && !t.Complete && !waiting:
		if in.End == "unanswered" && in.Session.State == recap.StateBusy {
			add(recap.StatusWorking, recap.ReceiptState, last, first(f.Running))
			break
		}
		add(recap.StatusNoAnswer, recap.ReceiptState, last, in.End)
	}
}

func (f *Facts) tests(add adder) {
	t, ok := f.lastTest()
	if !ok {
		return
	}
	switch failed, open := f.unanswered(); {
	case f.editedAfter(t.Seq):
		add(recap.StatusTestsNotRun, recap.ReceiptTest, t.MessageID, t.detail())
	case open:
		add(recap.StatusTestsFailed, recap.ReceiptTest, failed.MessageID, failed.detail())
	case f.testsPass(false):
		add(recap.StatusTestsPassed, recap.ReceiptTest, t.MessageID, t.detail())
	}
}

// work says what became of commands and files.
func (f *Facts) work(add adder) {
	if r, ok := f.failedCommand(); ok {
		add(recap.StatusCommandFailed, recap.ReceiptCommand, r.MessageID, r.detail())
	}
	c, committed := f.lastCommit()
	if e, files, dirty := f.unsaved(); dirty {
		add(recap.StatusUncommitted, recap.ReceiptEdit, e.MessageID, strings.Join(files, " "))
	} else if committed {
		add(recap.StatusCommitted, recap.ReceiptCommit, c.MessageID, strings.TrimSpace(c.Hash+" "+c.Subject))
		if f.pushed() {
			p, _ := f.lastPush()
			add(recap.StatusPushed, recap.ReceiptPush, p.MessageID, p.detail())
		}
	} else if f.pushed() {
		p, _ := f.lastPush()
		add(recap.StatusPushed, recap.ReceiptPush, p.MessageID, p.detail())
	}
}

// failedCommand gives the newest failure that nothing has made good since: of
// a program recap knows that has not passed later, or of the last command.
func (f *Facts) failedCommand() (Run, bool) {
	if p, ok := f.lastPush(); ok && p.Failed {
		return p, true
	}
	last := true
	for _, c := range slices.Backward(f.Commands) {

		if c.class == classSearch || isTrivialRun(&c) && c.class != classCommit {
			continue
		}
		if c.Failed && (last || c.class == classBuild || c.class == classDeploy || c.class == classPR || c.class == classMerge) && !f.madeGood(&c) {
			return c, true
		}
		last = false
	}
	return Run{}, false
}

// madeGood: the same program passed later, or a later success covers it.
func (f *Facts) madeGood(r *Run) bool {
	for i := range f.Commands {
		c := &f.Commands[i]
		if c.Seq > r.Seq && c.Passed && (c.Runner != "" && c.Runner == r.Runner || c.Command == r.Command) {
			return true
		}
	}
	if t, ok := f.lastTest(); ok && t.Seq > r.Seq && t.Passed && (r.class == classBuild || r.class == classOther) {
		return true
	}
	c, ok := f.lastCommit()
	return ok && c.Seq > r.Seq && r.class == classCommit
}

// detail is the command with its exit status, as a receipt shows it.
func (r *Run) detail() string {
	var b strings.Builder
	b.WriteString(clip(r.Command, 200))
	if r.Exit != nil {
		b.WriteString(" · exit ")
		b.WriteString(strconv.Itoa(*r.Exit))
	}
	if r.Count != "" {
		b.WriteString(" · ")
		b.WriteString(r.Count)
	}
	return b.String()
}

// todos counts a list and gives its next entry: the active one, else the
// first that is open.
func todos(list []recap.Todo) (open, done int, next string) {
	active := ""
	for _, t := range list {
		switch t.Status {
		case recap.TodoDone:
			done++
		case recap.TodoCancelled:
		default:
			open++
			if next == "" {
				next = oneLine(inline(t.Text))
			}
			if active == "" && t.Status == recap.TodoActive {
				active = oneLine(inline(t.Text))
			}
		}
	}
	if active != "" {
		next = active
	}
	return open, done, next
}

func courtesy(s string) bool {
	s = lower(s)
	for _, c := range [...]string{
		"anything else", "any questions", "does that help", "does this help", "make sense", "need anything", "something else", "how can i help", "how may i help", "what would you like to work on", "can i help", "what would you like to do next", "what's next", "what can i help",
		"что-нибудь ещё", "что-нибудь еще", "чем ещё", "чем еще", "чем могу", "щось ще", "还有什么", "还有其他", "還有什麼", "能帮", "algo más", "más ayuda", "mais alguma", "algo mais", "altro", "noch etwas", "sonst noch", "weitere fragen", "autre chose", "d'autres questions",
		"他に", "ほかに", "더 필요", "다른 도움", "coś jeszcze", "başka bir",
	} {
		if strings.Contains(s, c) {
			return true
		}
	}
	return false
}

// tail gives the last n bytes from a line's start on.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < n/2 {
		return s[i+1:]
	}
	return strings.ToValidUTF8(s, "")
}
