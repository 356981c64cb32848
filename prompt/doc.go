// Package prompt turns what was said in a session into text that fits.
//
// [Excerpt] shortens one text and keeps both of its ends. Everything here
// counts characters: Unicode code points after normalisation (NFC), never
// bytes. No cut parts a grapheme cluster, so an emoji or an accented letter
// is there whole or not at all.
//
// The functions are pure and may be called from several goroutines.
package prompt
