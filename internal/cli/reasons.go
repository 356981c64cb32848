package cli

import (
	"slices"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/reply"
	"github.com/sessionrecap/recap/store"
)

// plain is what a word for machines says to people, and the next step to take.
type plain struct{ says, next string }

// aboutCode says what a code of an error means. session is the name of the
// session it is about.
func aboutCode(code recap.Code, session string) plain {
	switch code {
	case recap.CodeUsage:
		return plain{"the command was not understood", "recap --help lists the commands"}
	case recap.CodeSessionNotFound:
		return plain{"its transcript is gone", "recap show " + session + " has what recap kept of it; recap forget " + session + " removes that too"}
	case recap.CodeAmbiguousSession:
		return plain{"several sessions have that name", "give more of the id: recap list shows it"}
	case recap.CodeNothing:
		return plain{"nothing can be recapped in it yet", "ask the agent something in it: recap resume " + session}
	case recap.CodeNotEnough:
		return plain{"there is not enough in it for a model's recap yet", "the free recap serves: recap " + session}
	case recap.CodeBusy:
		return plain{"it is being worked on", "ask again in a moment: recap " + session + " --model"}
	case recap.CodeRunning:
		return plain{"another recap serve follows the sessions already", "recap doctor says which"}
	case recap.CodeMuted:
		return plain{"recaps of it are muted", "recap mute --off " + session + " lifts that; where its project is muted: recap mute --project --off there"}
	case recap.CodeExcluded:
		return plain{"nothing of its directory is read (privacy.exclude, or off in a .recap.toml)", "recap config get privacy.exclude shows the directories"}
	case recap.CodeUnreadable:
		return plain{"its transcript could not be read", "recap doctor names the file and what is wrong with it"}
	case recap.CodeUnsupported:
		return plain{"its transcript has a form that recap does not know", "recap doctor names it; a newer recap may know it"}
	case recap.CodeRedaction:
		return plain{"its secrets could not be told from its text, so nothing is shown or sent", "recap doctor names the file; a newer recap may do better"}
	case recap.CodeStore:
		return plain{"recap's own store could not be used", "recap doctor checks the store"}
	case recap.CodeStoreTooNew:
		return plain{"the store was written by a newer recap", "use that one, or another store (store.url)"}
	case recap.CodeConfig:
		return plain{"a setting can't be understood", "recap doctor names its line"}
	case recap.CodeCanceled:
		return plain{"it was stopped before it was done", "recap " + session + " --model asks again"}
	case recap.CodeInternal:
		return plain{"recap itself failed", "recap doctor says where the log is, which has more"}
	case recap.CodeInvalidRequest, recap.CodeNoLogin, recap.CodeNoModel, recap.CodeContextTooSmall, recap.CodeProviderUnsupported,
		recap.CodeRateLimited, recap.CodeOutputExhausted, recap.CodeProviderError, recap.CodeModelUnavailable, recap.CodeTimeout,
		recap.CodeBudget, recap.CodeGuarded:
		return plain{llm.Words(code), llm.Next(code)}
	}
	return plain{strings.NewReplacer("-", " ", "_", " ").Replace(string(code)), "recap doctor"}
}

// anySession stands for the name of a session where none is known.
const anySession = "SESSION"

// nextOf is the next step after an error: what it says itself, else what its
// code says.
func nextOf(err error, session string) string {
	if h := recap.HintOf(err); h != "" || err == nil {
		return h
	}
	return aboutCode(recap.CodeOf(err), session).next
}

// aboutGate says what a gate means that is not passed.
func aboutGate(g store.Gate, session string) plain {
	resume := "recap resume " + session + " goes on with it"
	switch g.Name {
	case "source":
		return plain{"this home of its agent is not read now", "recap doctor shows the homes that are read"}
	case "excluded":
		return aboutCode(recap.CodeExcluded, session)
	case "muted":
		return aboutCode(recap.CodeMuted, session)
	case "archived":
		return plain{"its agent has put it away, so no model is asked", "the free recap serves: recap " + session}
	case "subagent":
		return plain{"it is a subagent's part of another session, so no model is asked", "ask for the session that began it: recap list --all"}
	case "reverted":
		return plain{"it was taken back to an earlier point, so no model is asked", resume + "; it counts again then"}
	case "state":
		return aboutState(recap.State(g.Value), session)
	case "stored record":
		if g.Value == "none" {
			return plain{"no recap of it is stored yet", "recap " + session + " makes one"}
		}
		return plain{"what was stored was " + g.Value, "recap " + session + " makes it anew"}
	case "stored record fresh":
		if g.Value == "no" {
			return plain{"the session went on since", "recap " + session + " makes it anew"}
		}
		return plain{"the session can't be read now to compare", "recap doctor says why"}
	case "transcript":
		return aboutCode(recap.Code(g.Value), session)
	case "newest record":
		return aboutEnd(g.Value, session)
	case "model recap possible":
		x := aboutEnd(g.Value, session)
		x.says = "no: " + x.says
		return x
	case "model":
		return plain{"no model may be asked about it", llm.Next(recap.CodeNoModel)}
	case gateProvider:
		return plain{g.Value + "; calls in the background wait until then", "recap " + session + " --model asks it all the same"}
	case "parked":
		return plain{"a model was asked about this end of the session before, and nothing came of it", "recap " + session + " --model asks again"}
	case "tokens":
		return plain{g.Value + " were used", "recap spend shows what was used"}
	case "reason":
		return plain{recap.Line(g.Value), "recap " + session + " --model asks again"}
	}
	if field, ok := strings.CutPrefix(g.Name, "field "); ok {
		return plain{"the model's " + field + " is not shown: " + aboutDrop(g.Value), "recap " + session + " --model asks again; --model=PROVIDER/MODEL asks another"}
	}
	return plain{g.Name + ": " + recap.Line(g.Value), "recap doctor"}
}

// aboutState says what a state means that is not at rest.
func aboutState(s recap.State, session string) plain {
	resume := "recap resume " + session + " goes on with it"
	switch s {
	case recap.StateBusy:
		return plain{"the agent works on it right now", "ask again when it is done; the free recap says what it is at: recap " + session}
	case recap.StateWaiting:
		return plain{"the agent waits for you", "recap resume " + session + " takes you there"}
	case recap.StateIdle:
		return plain{"the last turn is over", resume}
	case recap.StateInterrupted:
		return plain{"you stopped its last turn, or the agent died in it", resume}
	case recap.StateFailed:
		return plain{"its last turn ended in an error", resume}
	case recap.StateUnknown:
	}
	return plain{"a turn stands open, and nothing says whether anybody works on it", "ask again in a moment: recap " + session}
}

// aboutEnd says how a session ends, and so why no model may be asked about it:
// one is asked about a complete answer.
func aboutEnd(end, session string) plain {
	resume := "recap resume " + session + " goes on with it"
	switch dialog.End(end) {
	case dialog.EndComplete:
		return plain{"it ends with a complete answer", "recap " + session + " --model asks a model about it"}
	case dialog.EndWorking:
		return plain{"its newest answer is not finished", "ask again when it is; the free recap serves meanwhile: recap " + session}
	case dialog.EndUnanswered:
		return plain{"your newest request has no answer yet", resume}
	case dialog.EndInterrupted:
		return plain{"its newest answer was interrupted", resume}
	case dialog.EndFailed:
		return plain{"its newest turn ended in an error", resume}
	case dialog.EndCut:
		return plain{"its newest answer was cut off", resume}
	case dialog.EndWaiting:
		return plain{"the agent waits for your approval or your answer", "recap resume " + session + " takes you there"}
	case dialog.EndSummary:
		return plain{"it was compacted after its last answer", resume}
	case dialog.EndNoText:
		return plain{"its newest answer has no words", resume}
	case dialog.EndEmpty:
		return plain{"nothing was said in it yet", "ask the agent something in it: recap resume " + session}
	}
	if end == dialog.NoRequest {
		return plain{"the request that its newest answer belongs to can't be found", resume}
	}
	return plain{strings.ReplaceAll(recap.Line(end), "-", " "), resume}
}

// plainEnd puts into words why there is no answer to recap: the engine names in
// brackets how the session ends. False: the text is not that.
func plainEnd(text, session string) (plain, bool) {
	words, end, ok := strings.Cut(text, " (")
	end, closed := strings.CutSuffix(end, ")")
	if !ok || !closed {
		return plain{}, false
	}
	about := aboutEnd(end, session)
	about.says = words + ": " + about.says
	return about, true
}

// aboutDrop says why a text of a model is not shown: the words of the guards.
func aboutDrop(why string) string {
	if what, ok := strings.CutPrefix(why, "overclaims:"); ok {
		return "it says more than is proven (" + strings.ReplaceAll(what, "-", " ") + ")"
	}
	if what, ok := strings.CutPrefix(why, "contradicts:"); ok {
		if what == "the-session" {
			return "it says the contrary of what the session says"
		}
		return "it denies what is proven" + paren(strings.ReplaceAll(what, "-", " "))
	}
	if how, ok := strings.CutPrefix(why, "language: "); ok {
		return "it is not in your language (" + recap.Line(how) + ")"
	}
	switch why {
	case reply.WhyMissing:
		return "the model left it out"
	case reply.WhyEmpty:
		return "the model had nothing to say"
	case reply.WhyType:
		return "the model gave something that is no text"
	case reply.WhyCut:
		return "the model's reply ended in the middle of it"
	case reply.WhyReasoning:
		return "it can't be told from the model's thoughts"
	case reply.WhyNotice:
		return "the provider put a notice in its place"
	case reply.WhyEcho:
		return "the model only said again what it was told to do"
	case reply.DecidesAnswer:
		return "it answers a question in your place"
	case reply.DecidesApproval:
		return "it approves something in your place"
	case reply.DecidesMerge:
		return "it merges, which is for you to decide"
	case reply.DecidesDelete:
		return "it deletes, which is for you to decide"
	case reply.DecidesPayment:
		return "it pays, which is for you to decide"
	case reply.DecidesReminder:
		return "it only reminds you of something"
	case reply.DecidesVoice:
		return "it asks you something, and is to be your own words"
	case reply.DecidesTest:
		return "it would silence a test"
	case reply.DecidesContact:
		return "it writes to people, which is for you to decide"
	}
	if says, ok := guarded()[why]; ok {
		return says
	}
	return strings.ReplaceAll(recap.Line(why), "-", " ")
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// guarded says in words what package evidence names as the reasons of a drop.
func guarded() map[string]string {
	return map[string]string{
		"number-not-in-evidence": "it has a number that the session does not have",
		"name-not-in-evidence":   "it names something that the session does not name",
		"quote-not-in-evidence":  "it quotes words that nobody said",
		"hash":                   "it has a commit's number that the session does not have",
		"url":                    "it has an address that the session does not have",
		"lost-negation":          "the session says the contrary",
		"unquoted-status":        "it says how the work stands in words that can't be checked",
		"fragment":               "what is left of it is no sentence",
		"not-in-session":         "its words are not those of the session",
		"word-not-in-session":    "it has a word of time, degree or reach that is not the session's",
		"no-quotation":           "the model did not do as it was asked, so only word for word quotations count, and it is none",
		"overtaken":              "it says how things stood earlier, and the session went on since",
		"says-nothing":           "it says nothing of the session",
		"unfinished-text":        "it ends in the middle",
		"repeats-a-request":      "it only says again what you asked",
		"repeats-the-answer":     "the agent said it already",
		"repeats-the-recap":      "it only says the recap again",
		"repeats-a-question":     "it only says the agent's question again",
		"done-already":           "it asks for what is done already",
		"not-asked-for":          "it would commit, push or deploy, and you asked for none of it",
		"nothing-unfinished":     "nothing is left to do",
		"answered-already":       "it asks what is answered already",
		"the-person-decides":     "the next move is yours",
	}
}

// askedToWait begins what the engine says of a provider that rests.
const askedToWait = "asked to wait until "

// plainDetail puts into words what the engine writes of a call: until when a
// provider rests, and "recap: why; away: why" where nothing of a reply passed.
// Another text stays.
func plainDetail(detail string) string {
	if at, ok := strings.CutPrefix(detail, askedToWait); ok {
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			return "it wants no call before " + t.Local().Format(clockForm) + ", and calls in the background wait until then"
		}
	}
	fields := []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldDigest, recap.FieldSuggestion}
	var out []string
	for part := range strings.SplitSeq(detail, "; ") {
		field, why, ok := strings.Cut(part, ": ")
		if !ok || !slices.Contains(fields, recap.Field(field)) {
			return detail
		}
		out = append(out, field+": "+aboutDrop(why))
	}
	return strings.Join(out, "; ")
}

// aboutAction says what was decided.
func aboutAction(action string) string {
	switch action {
	case "made-free":
		return "the free recap was made"
	case "kept-model":
		return "a model's recap was kept, for it still holds"
	case "made-by-model":
		return "a model was asked, and answered"
	case "refused":
		return "no recap by a model"
	}
	return strings.ReplaceAll(recap.Line(action), "-", " ")
}

// aboutDecision says in words what was decided, why, and what to do. The code
// of a refusal is not among them.
func aboutDecision(d store.Decision, session string) plain {
	says := aboutAction(d.Action)
	if d.Code == "" {
		return plain{says, ""}
	}
	about := aboutCode(d.Code, session)
	if i := slices.IndexFunc(d.Gates, func(g store.Gate) bool { return g.Name == "reason" }); i >= 0 {
		about.says = plainReason(d.Code, d.Gates[i].Value)
	} else {
		says = "no recap" // a free one neither
	}
	return plain{says + ": " + about.says, about.next}
}

// plainReason puts the reason of a refusal into words. That of a model call is
// written "provider: code: detail".
func plainReason(code recap.Code, reason string) string {
	reason = recap.Line(reason)
	words := aboutCode(code, anySession).says
	before, detail, ok := strings.Cut(": "+reason+": ", ": "+string(code)+": ")
	switch about, ends := plainEnd(reason, anySession); {
	case code == recap.CodeBudget:
		return words + paren(reason)
	case code == recap.CodeNotEnough && ends:
		return about.says
	case !ok:
		return reason
	}
	detail = plainDetail(strings.TrimSuffix(detail, ": "))
	provider := strings.TrimPrefix(before, ": ")
	return words + paren(strings.Join(slices.DeleteFunc([]string{provider, detail}, func(s string) bool { return s == "" }), ": "))
}
