// Package language tells the script and language of texts, and counts and cuts
// their words and sentences.
//
// Call [Target] with the authored texts of a session to learn which language
// the person writes now, and [Agree] to ask whether a text that is about to be
// shown is in it. [Detect] looks at one text. All three look at [Prose] only:
// code, paths, names and quoted words tell nothing of a person's language.
//
// What is promised:
//
//   - A language is named by its BCP 47 primary tag ("de"), "" is unknown. Of
//     scripts that one language uses the script decides; Han alone is Chinese,
//     with Kana it is Japanese.
//   - In Latin, Cyrillic and Arabic script languages are told apart by common
//     words, letters and endings. A handful of words is needed:
//     [Detection.Reliable] says whether there were enough.
//   - A character is a code point after NFC. No function cuts a grapheme
//     cluster. In scripts without blanks two characters count as one word.
//   - The same input gives the same answer; nothing is read or kept.
package language
