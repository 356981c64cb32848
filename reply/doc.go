// Package reply gets the fields of a record out of what a model said.
//
// Call [Parse] with the reply and the wanted fields. Its texts are clean and
// clamped, but not yet proven: package language says whether they are in the
// person's language, package evidence whether the session bears them out, and
// [Decision] whether a suggestion would decide something for the person.
//
// What is promised:
//
//   - Of JSON the last object counts that holds a wanted key. Prose, fences,
//     stray braces and drafts around it do no harm. A value that is no string
//     is dropped, the others stay; of an object that was cut only whole values
//     are used. For away alone the tags <away> and </away> serve too.
//   - Reasoning between tags in any spelling is in no text. Where it is not
//     clear what is reasoning and what is not, there is no text.
//   - A notice of a limit or a login, a refusal, an error object or a page of
//     HTML is an error with its code, and no text.
//   - A text is one line without markup, control, escape and direction
//     characters, and within the limits of its field in words and characters.
//   - The same input gives the same answer. Nothing is kept, and all is safe
//     for concurrent use. The work grows with the length of the reply.
package reply
