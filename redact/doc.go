// Package redact finds secrets in text and puts a visible marker in their
// place: [redacted:<rule>].
//
// Call [Text] for one text and [Parts] for texts that follow each other (the
// parts of a message, the lines of a log): Parts also sees a secret of which
// one piece stands at the end of a part and the next at the start of the part
// after it. [Contains] only answers whether there is one.
//
// What is promised:
//
//   - It fails closed. On an error the returned text is empty, and nothing of
//     the input may be shown, stored or sent. Errors are [ErrTooLarge] and
//     [ErrInternal].
//   - It is idempotent: the clean text has no further hits, and a marker that
//     is already there stays as it is.
//   - The work grows with the length of the text and not with the number of
//     rules: one pass finds the keywords of all rules, and a rule is tried only
//     at its keyword, over a bounded reach.
//   - Nothing but the secret goes. Of a setting or a header the name stays, of
//     a URL the host and the user. Hashes, UUIDs, ids and placeholders
//     ("<token>", "${TOKEN}", "sk-xxxx") are no secrets.
//   - It sees the text as a reader does: marks of Markdown and HTML, codes of a
//     terminal, also written out or without their ESC, and characters that show
//     nothing hide no secret, nor do entities, escapes of JSON, characters in
//     percent, wide letters and, in a text as short as a title, the blank of a
//     folded line. What is replaced is the stretch of the text as it was given.
//   - What stands right before or after a secret hides none: the signs of a diff,
//     the file and line of a search, a quote, the mark of a mail, the time of a
//     log. The lines of a private key are known behind such a beginning, too.
//   - A key of a prefix that can be nothing else is known behind a letter too, and
//     where two messages tell a half each: the halves are looked for within some
//     twelve hundred bytes.
//   - A clause that names a password, a login or a key gives up the word in it that
//     can be nothing else, wherever it stands: "the password on staging is still
//     X", "use X as the password", in some fifteen languages.
//
// The rules are data, see rules.go, prose.go, context.go and RulesDate. A rule is
// right when the vendor's form is: the rules know shapes and contexts, not
// whether a key is alive. A secret that has neither is not found: a password of
// letters alone inside a sentence that does not quote it, random characters that
// nothing names, a key without a prefix in two messages, a user and a password
// with nothing else beside them.
//
// The functions are pure and may be called from several goroutines.
package redact
