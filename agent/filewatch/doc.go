// Package filewatch follows the sessions of an agent that keeps them in files
// or in a database file: what every file source's Watch stands on.
//
// [Watch] is the whole of it: give it the folders to watch and the source's own
// listing. It looks once, keeps still about what has been still, and looks
// again when something changed below the folders. While a session is at work it
// also looks from time to time, because an open file is not always reported and
// a process that was killed changes no file. While none is at work no timer
// runs. Looks are gathered and paced: all together they take at most a twentieth
// of the time.
//
// A [Tracker] is the rule by which listings become events, for those that find
// out by themselves when to look. It does no I/O.
//
// [Remember] gives a listing that is made again and again an index, where its
// source has none.
package filewatch
