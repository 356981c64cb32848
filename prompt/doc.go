// Package prompt turns what was said in a session into text that fits.
//
// Call [Build] with the kept turns and the wanted fields: it gives the system
// and the user prompt of one model call. [Excerpt] shortens one text and keeps
// both of its ends.
//
// What is promised of a prompt:
//
//   - The system prompt is one constant for each set of fields ([System]). It
//     names no language and holds no example. Its text lies in the .md files
//     beside the code.
//   - The user prompt is never longer than its budget: [MaxPrompt], or what the
//     model takes. The oldest turns go first; of the newest pair both ends of
//     both sides stay. Where that does not fit it is an error, the instruction
//     is never cut.
//   - What was said stands in a fence, the instruction after it. Nothing said in
//     a session can close the fence, open one, or look like a value of a reply:
//     the first sign of such a text is replaced by another.
//   - Requests and answers alone are quoted: no reasoning, no output of tools.
//   - The same input gives the same bytes.
//
// Everything here counts characters: Unicode code points after normalisation
// (NFC), never bytes. No cut parts a grapheme cluster, so an emoji or an
// accented letter is there whole or not at all.
//
// Nothing is redacted here. The functions are pure and may be called from
// several goroutines.
package prompt
