package evidence

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// Run is a command that ran.
type Run struct {
	// Command is the command as it was given, on one line, without the rest
	// of the line it stood in.
	Command string
	// Exit is the exit status recorded for the whole line, nil where none is.
	Exit *int
	// Failed and Passed are both false where the result is unknown.
	Failed, Passed bool
	At             time.Time
	// MessageID is the id of the answer of the turn, else of its prompt.
	MessageID string
	// Runner is the recognised program: "go test", "pytest", "git push".
	// Empty for commands that recap does not know.
	Runner string
	// Count is the number of passed tests as the runner printed it.
	Count string
	// Partial: the arguments choose some of the tests.
	Partial bool
	// Seq is the place of the fact in the session.
	Seq int
	// Turn is the index of the turn.
	Turn int

	class  class
	empty  bool // a test run that ran no test
	reach  reach
	broken []string // packages and files that failed, as printed
	shy    bool     // the runner may succeed without a test
	part   bool     // only a part of its output is shown
	sends  sends    // what a push sent
}

// Edit is a change of files.
type Edit struct {
	Paths     []string
	MessageID string
	Seq       int
	Turn      int
	scratch   bool // outside the project: no work to commit or to test
	spots     []spot
}

// Commit is a commit that was made.
type Commit struct {
	Command   string
	Exit      *int
	Hash      string // as printed, "" where it was not
	Subject   string // first line of the message, "" where unknown
	MessageID string
	Seq       int
	Turn      int
	undone    bool
	branch    string // as printed
	room      int    // how many of its files nobody can name
}

// Facts are what the tool calls of the kept turns prove. The zero value
// proves nothing.
type Facts struct {
	Tests []Run
	// Commands are the other commands that ran.
	Commands []Run
	Edits    []Edit
	Commits  []Commit
	Pushes   []Run
	// Questions of the newest turn to the person that have no answer yet.
	Questions []string
	// Approvals of the newest turn that are pending: "Bash go test ./...".
	Approvals []string
	// Todos is the newest list, nil where no call set one. TodoMessageID is
	// the message that set it.
	Todos         []recap.Todo
	TodoMessageID string
	// Running are the commands of the newest turn without a result.
	Running []string

	asked   []string // what the approvals are for, without the name of the tool
	writer  bool     // a call ran that may have changed files in a way recap can't see
	refused bool     // an edit was rejected, failed, or waits
	halted  bool     // the newest turn was interrupted, failed, or is not over
	waiting bool

	dir, root string   // the folder of the session, and of its repository
	roots     []string // of repositories and worktrees that the calls name
	added     bool     // something was staged since the newest commit
	blind     bool     // and something was staged that nobody can name
	stashed   []spot
	unproven  bool // the newest run does not reach all that was changed
	now       int  // the place of the call that is read
	discarded int  // that of the newest one that threw changes away
}

// Collect reads the tool calls of turns, oldest turn first.
func Collect(turns []recap.Turn) Facts { return collect(turns, &recap.Session{}) }

func collect(turns []recap.Turn, s *recap.Session) Facts {
	dir := s.Directory
	f := Facts{dir: slashed(dir), root: slashed(s.Project)}
	if f.root == "" || !below(f.dir, f.root) {
		f.root = f.dir // also in a worktree beside the repository
	}
	seq := 0
	for ti := range turns {
		t := &turns[ti]
		id := t.AnswerID
		if id == "" {
			id = t.UserID
		}
		newest := ti == len(turns)-1
		for i := range t.Tools {
			seq += 1000
			f.add(&t.Tools[i], place{id: id, turn: ti, seq: seq, newest: newest, dir: dir})
		}
		if newest {
			f.halted = t.Interrupted || t.Failure != nil
		}
	}
	if t, ok := f.lastTest(); ok {
		f.unproven = !f.proven(&t)
	}
	return f
}

// place is where a call stands.
type place struct {
	id     string
	turn   int
	seq    int
	newest bool
	dir    string
}

func (f *Facts) add(t *recap.Tool, p place) {
	switch t.Status {
	case recap.ToolPending, recap.ToolWaiting:
		f.open(t, p)
		return
	case recap.ToolRejected, recap.ToolStopped:
		f.refused = f.refused || t.Kind == recap.ToolEdit
		return
	}
	switch t.Kind {
	case recap.ToolCommand:
		f.command(t, p)
	case recap.ToolEdit:
		if t.Status == recap.ToolFailed {
			f.refused = true
			return
		}
		f.edit(t.Paths, p, editKind{isNew: madeFile(t), wrote: strings.Contains(lower(t.Name), "write") || strings.Contains(lower(t.Name), "create")})
		f.listed(t)
	case recap.ToolTodo:
		if t.Status == recap.ToolDone {
			f.Todos, f.TodoMessageID = t.Todos, p.id
		}
	case recap.ToolSubagent, recap.ToolOther:
		f.writer = true
	}
}

// open notes a call that has no result.
func (f *Facts) open(t *recap.Tool, p place) {
	f.refused = f.refused || t.Kind == recap.ToolEdit
	if !p.newest {
		return
	}
	what := describe(t)
	switch {
	case t.Kind == recap.ToolQuestion:
		f.Questions = append(f.Questions, t.Questions...)
		return
	case t.Status == recap.ToolWaiting || t.Kind == recap.ToolPlan:
		f.Approvals = append(f.Approvals, what)
		if t.Command != "" {
			f.asked = append(f.asked, clip(oneLine(t.Command), 200))
		}
		f.waiting = true
	default:
		f.Running = append(f.Running, what)
	}
	if t.Kind == recap.ToolTodo && len(t.Todos) > 0 && t.Status == recap.ToolPending {
		f.Todos, f.TodoMessageID = t.Todos, p.id
	}
}

// describe names a call: its tool and what it is about, one line.
func describe(t *recap.Tool) string {
	about := oneLine(t.Command)
	if about == "" && len(t.Paths) > 0 {
		about = oneLine(strings.Join(t.Paths, " "))
	}
	return strings.TrimSpace(oneLine(t.Name) + " " + clip(about, 200))
}

func (f *Facts) edit(paths []string, p place, how editKind) {
	kept := make([]string, 0, len(paths))
	var work []string
	for _, path := range paths {
		path = oneLine(path)
		if path == "" || strings.HasPrefix(path, "/dev/") || path == "-" || path == "NUL" {
			continue
		}
		if isScratch(path, p.dir) {
			kept = append(kept, path)
		} else {
			work = append(work, path)
		}
	}
	if len(paths) > 0 && len(kept)+len(work) == 0 {
		return
	}
	e := Edit{Paths: append(slices.Clone(work), kept...), MessageID: p.id, Seq: p.seq, Turn: p.turn, scratch: len(paths) > 0 && len(work) == 0}
	if !e.scratch {
		e.spots = f.newSpots(work, how)
	}
	if how.rm {
		e.spots = f.removed(e.spots)
	}
	f.Edits = append(f.Edits, e)
}

// isScratch: the file lies in a temporary or an agent's own folder, and the
// project does not.
func isScratch(path, dir string) bool {
	slashed := strings.ReplaceAll(path, `\`, "/")
	for _, own := range [...]string{"/.claude/", "/.codex/", "/.gemini/", "/.qwen/", "/.local/share/opencode/", "/.config/opencode/"} {
		if i := strings.Index(slashed, own); i >= 0 && dir != "" && !below(strings.ReplaceAll(dir, `\`, "/"), slashed[:i+len(own)-1]) && slashed[:i] == homeOf(dir) {
			return true // the agent's own notes and settings
		}
	}
	if strings.Contains(slashed, "/.claude/plans/") || strings.Contains(slashed, "/.claude/projects/") {
		return true
	}
	for _, tmp := range [...]string{"/tmp/", "/var/tmp/", "/private/tmp/", "$TMPDIR/"} {
		if strings.HasPrefix(slashed, tmp) {
			return dir != "" && !strings.HasPrefix(dir+"/", tmp)
		}
	}
	return false
}

func (f *Facts) command(t *recap.Tool, p place) {
	cmds := parseShell(t.Command)
	seen := stripEscapes(t.Output)
	if !t.Background && inBackground(seen) {
		started := *t
		started.Background, t = true, &started
	}
	missing := t.Exit != nil && (*t.Exit == 127 || *t.Exit == 126)
	tests, doing := 0, 0
	for i := range cmds {
		if classify(cmds[i].words).class == classTest {
			tests++
		}
		if !trivial(cmds[i]) {
			doing++
		}
	}
	prints, printed := printedCommits(seen), 0
	whole := utf8.RuneCountInString(t.Output) < recap.MaxToolOutput*9/10
	var at where
	for i := range cmds {
		c := &cmds[i]
		dir := at.step(c)
		k := classify(c.words)
		var m made
		if k.class == classCommit && !readCommit(c.words).quiet && printed < len(prints) {
			m = prints[printed]
			printed++
		}
		if k.class != classOther && k.class != classSearch && k.class != classEdit && f.foreign(dir, p.dir) {
			k = known{runner: k.runner} // another project's
		}
		p.seq++
		f.now = p.seq
		passed, failed := c.result(t, seen)
		if timedOut(seen) {
			passed, failed = false, false
		}
		dead := k.class == classTest && !passed && (failed || t.Status == recap.ToolFailed) && neverRan(k.runner, seen)
		if missing || dead {
			failed = failed || missing || tests == 1
			if k.class == classTest {
				k = known{runner: k.runner} // it did not run
			}
		}
		run := Run{
			Command: clip(oneLine(c.text), 300), Exit: t.Exit, Passed: passed, Failed: failed,
			At: t.At, MessageID: p.id, Runner: k.runner, Partial: k.partial, Seq: p.seq, Turn: p.turn, class: k.class,
		}
		switch k.class {
		case classTest:
			run.reach, run.shy = reachOf(k, c.words, dir), mayRunNothing(c.words)
			run.part = partOf(cmds, i, &run, seen)
			f.Tests = append(f.Tests, judgeTest(run, seen, t, tests > 1))
		case classCommit:
			f.commit(c, run, dir, seen, &m, whole)
		case classPush:
			f.push(run, seen)
		case classUndo:
			if !failed && !t.Background {
				if k.runner == "git reset" {
					f.takeBack(k.paths, true)
				}
				f.undo(c, k, dir, seen)
			}
			f.Commands = append(f.Commands, run)
		case classReset:
			if !failed && !t.Background {
				f.takeBack(k.paths, false)
				if has(k.paths, "--soft") {
					f.added = true
				} else {
					f.unstage(nil, dir)
				}
			}
			f.Commands = append(f.Commands, run)
		case classRestore:
			if !failed && !t.Background {
				f.restored(k.paths, dir)
			}
			f.Commands = append(f.Commands, run)
		case classMerge:
			run.Passed, run.Failed = mergeResult(passed, failed, seen)
			f.Commands = append(f.Commands, run)
		case classEdit:
			if !failed && (k.runner != "tee" || tests == 0) {
				f.shellEdit(k, dir, p)
			}
			f.Commands = append(f.Commands, run)
		default:
			if len(c.words) > 0 {
				f.Commands = append(f.Commands, run)
				f.writer = f.writer || k.class == classOther && !trivial(*c)
			}
			if !failed && !t.Background {
				f.git(c, dir, seen, doing <= 1 && len(cmds) <= doing+1)
			}
		}
		if len(c.writes) > 0 && !failed && k.class != classTest && k.class != classBuild {
			f.edit(slices.DeleteFunc(slices.Clone(c.writes), generated), p, editKind{dir: dir, wrote: true, loose: true})
		}
	}
}

// result says what the recorded status proves of the command.
func (c *simple) result(t *recap.Tool, out string) (passed, failed bool) {
	if t.Background {
		return false, false
	}
	if c.echoes {
		if n, ok := echoed(out); ok {
			return n == 0, n != 0
		}
	}
	switch {
	case t.Exit == nil:
		// A tool error without a status is a failure of what ran.
		return false, t.Status == recap.ToolFailed && c.fail
	case *t.Exit == 0 && t.Status != recap.ToolFailed:
		return c.zero, false
	case *t.Exit != 0:
		return false, c.fail
	}
	return false, false
}

// echoed gives the number at the end of the last line, as "echo exit: $?"
// prints it.
func echoed(out string) (int, bool) {
	out = strings.TrimRight(out, " \t\r\n)]}.\"'")
	i := len(out)
	for i > 0 && out[i-1] >= '0' && out[i-1] <= '9' {
		i--
	}
	if len(out)-i > 3 || i > 0 && !strings.ContainsRune(" :=\n\t([{\"'", rune(out[i-1])) {
		return 0, false
	}
	n := number(out[i:])
	return n, n >= 0
}

// judgeTest settles a test run. The runner's own words decide where the exit
// status is hidden, and can take a pass away, never add one to a failure.
func judgeTest(r Run, out string, t *recap.Tool, shared bool) Run {
	v := readVerdict(out)
	r.Count = v.count
	if r.shy && r.Passed && !v.pass {
		r.Passed = false
	}
	if shared && r.Count != "" && !r.Passed {
		r.Count = ""
	}
	switch {
	case r.Failed:
		if timedOut(out) && !v.fail || t.Exit != nil && (*t.Exit == 124 || *t.Exit >= 130 && *t.Exit <= 143) && !v.fail {
			r.Failed = false // stopped by a limit or a signal: no result
		}
		r.empty = v.empty && !v.pass && !v.fail
		r.Failed = r.Failed && !r.empty
	case r.Passed:
		if v.fail || v.empty && !v.pass {
			r.Passed = false
		}
		r.empty = v.empty && !v.pass && !v.fail
	case t.Background:
	default:
		ended := t.Exit == nil || *t.Exit == 0
		r.Failed = v.fail
		// With several runs in one call the words are nobody's in particular:
		// a pass needs the status as well.
		r.Passed = v.pass && !v.fail && !shared && !r.part && !timedOut(out) && (ended || !strings.Contains(r.Command, "|")) && t.Status != recap.ToolFailed
		r.empty = v.empty && !v.pass && !v.fail
	}
	if r.Failed {
		r.broken = brokenOf(out)
	}
	return r
}

func (f *Facts) commit(c *simple, r Run, dir, out string, m *made, whole bool) {
	hash, subject, printed := m.hash, m.subject, m.hash != ""
	if r.Runner == "git revert" && (r.Passed || printed) {
		if k := slices.Index(c.words, "revert"); k >= 0 && f.reverted(c.words[k+1:]) {
			f.Commands = append(f.Commands, r)
			return // what it commits is that the work is gone
		}
	}
	for _, no := range [...]string{"nothing to commit", "no changes added to commit", "nothing added to commit", "Aborting commit", "hook declined"} {
		if strings.Contains(out, no) && !printed {
			f.Commands = append(f.Commands, r)
			return
		}
	}
	if !r.Passed && !printed {
		f.Commands = append(f.Commands, r)
		return
	}
	if subject == "" {
		subject = commitSubject(c.words)
	}
	f.Commits = append(f.Commits, Commit{
		Command: r.Command, Exit: r.Exit, Hash: hash, Subject: clip(subject, 200), MessageID: r.MessageID, Seq: r.Seq, Turn: r.Turn, branch: m.branch,
	})
	f.save(c, &r, dir, m, whole)
}

func isHash(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

func commitSubject(w []string) string {
	for i, a := range w {
		msg, ok := "", false
		switch {
		case (a == "-m" || a == "--message" || len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, "m")) && i+1 < len(w):
			msg, ok = w[i+1], true
		case strings.HasPrefix(a, "--message="):
			msg, ok = strings.TrimPrefix(a, "--message="), true
		case strings.HasPrefix(a, "-m"):
			msg, ok = a[2:], true
		}
		if !ok {
			continue
		}
		if strings.HasPrefix(msg, "$(cat <<") {
			_, msg, _ = strings.Cut(msg, "\n")
		}
		for line := range strings.Lines(msg) {
			if line = oneLine(line); line != "" {
				return line
			}
		}
	}
	return ""
}

func (f *Facts) push(r Run, out string) {
	rejected := strings.Contains(out, "[rejected]") || strings.Contains(out, "[remote rejected]") || strings.Contains(out, "error: failed to push") || strings.Contains(out, "fatal:")
	printed := strings.Contains(out, " -> ") || strings.Contains(out, "Everything up-to-date")
	r.sends = readSends(out)
	switch {
	case rejected:
		r.Passed, r.Failed = false, true
	case !r.Failed && printed && (r.Exit == nil || *r.Exit == 0):
		r.Passed = true
	}
	f.Pushes = append(f.Pushes, r)
}

// editedAfter: files of the project changed after seq.
func (f *Facts) editedAfter(seq int) bool {
	for i := range f.Edits {
		if e := &f.Edits[i]; e.Seq > seq && !e.scratch {
			return true
		}
	}
	return f.discarded > seq
}

// lastTest gives the newest run that ran tests.
func (f *Facts) lastTest() (Run, bool) {
	for _, v := range slices.Backward(f.Tests) {
		if !v.empty {
			return v, true
		}
	}
	return Run{}, false
}

func (f *Facts) lastCommit() (Commit, bool) {
	for _, v := range slices.Backward(f.Commits) {
		if !v.undone {
			return v, true
		}
	}
	return Commit{}, false
}

func (f *Facts) lastPush() (Run, bool) {
	if n := len(f.Pushes); n > 0 {
		return f.Pushes[n-1], true
	}
	return Run{}, false
}
