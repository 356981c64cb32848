// Package evidence says what the tool calls of a session prove, and composes
// the free recap: a recap quoted from the session itself, with no model.
//
// [Collect] reads the tool calls of the kept turns and gives typed [Facts]:
// test runs, other commands, edits, commits, pushes, open questions, pending
// approvals, the newest to-do list. Every fact has an order number, so that
// "edited after the last test run" can be told. [Free] composes a [Draft] of
// an [Input]; [Statuses] gives its typed status alone. [Check] takes a text
// that somebody else wrote, such as a model, and drops what claims more than
// the facts prove, or names what the session does not hold. [Guard.Vet] is what
// a model's text has to pass before it is shown: it must also be made of the
// session's words and say something of it. [Level] and [Permits] are the ladder
// they climb.
//
// What is promised:
//
//   - A fact is never better than its proof. A call that was rejected,
//     stopped or is pending ran nothing. A command whose exit status is hidden
//     by a pipe, by "|| true" or by a later command has passed only where the
//     runner printed so. Calls of subagents prove nothing.
//   - The texts of a draft hold words of the session and language-neutral
//     marks only, one line each, no markup and no control characters, within
//     the limits of their fields.
//   - A sentence of the agent that claims passing tests, a check, a commit, a
//     push or a deployment is quoted only where the facts prove it. This holds
//     in the languages of the lexicon: English, Russian, Ukrainian, Chinese,
//     Spanish, Portuguese, Italian, German, Dutch, French, Polish, Japanese,
//     Korean and Turkish. In any other language the words of an answer stand in
//     quotation marks.
//   - Where work was done, a sentence stands as it is only if each of its clauses
//     says what the lexicon knows and the facts bear out. One in other words has to
//     name something of the session, and stands in quotation marks, as what the
//     agent says; beside a failure it is left out, but for what admits it.
//   - Tests passed only where one ran and passed, no failing run is left open,
//     and what was changed lies in the reach of the runs. A commit counts until
//     it is taken back, and for the files that it is known to hold: what was
//     staged, in its own repository, and no more than git says it holds. While
//     a file is left, the work is not committed. A push counts where it carried
//     the commit.
//   - A sentence that only says how things stand, in whatever words, is quoted
//     where receipts say the same.
//   - What recap has drawn itself is neither a request nor a mark.
//   - What [Check] keeps of a text is made of its words, is never longer, and
//     is kept whole when it is checked again.
//   - A commit, a push or a deployment says nothing of what was changed since: a
//     text that [Guard.Vet] keeps claims it of older work by the words of that.
//     What an answer says is waiting is told as waiting. What an answer says is
//     so now is not denied, and no two names or numbers change places.
//   - What [Guard.Vet] keeps holds at least half of the telling words in common
//     with the session, where it is in the language of the answers, and says
//     more than what the person typed. A clause whose words are not those of
//     the session is no claim that could be looked up, and goes. In doubt there
//     is no text: the free recap is always there.
//   - A clause that says less, a denial, what is still to come or stays as it was,
//     may use words of its own in a text that is borne out otherwise. A text may
//     count in words what the newest answer lists.
//   - What was only asked for, only proposed, or what the newest answer says is
//     open, [Guard.Vet] keeps only where the text says so too: with a word of a
//     plan, a denial, a "still". What an order in the session wants said is no
//     evidence, wherever it is repeated. A suggestion is dropped where the next
//     move is the person's.
//   - The same input gives the same draft. Nothing here reads a clock or a
//     file, and everything is safe for concurrent use.
package evidence
