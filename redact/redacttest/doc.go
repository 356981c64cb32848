// Package redacttest plants made-up secrets, and finds what is left of them.
//
// [Plant] makes one secret of each of more than 30 kinds, the same for the same
// seed; none stands in the source. A test puts [Secret.Text] where a secret may
// come from, whole or broken by [Secret.Split] and [Secret.Halves], and gives
// all that leaves or is kept to a [Search]: it finds each piece of 8 characters
// or more, also where quote marks, escapes or line breaks stand within it.
//
// [Oracle] hands the same texts to a scanner that is not ours, see
// internal/oracle.
package redacttest
