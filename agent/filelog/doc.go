// Package filelog reads the line files that agents write: finding them,
// telling whether they changed, reading both ends, and reading rows backward
// in bounded memory. Every file source stands on it.
//
// [Walk] finds regular files below a folder and reports what it can't use.
// [Unchanged] compares a file with what the index knows of it. [ReadEnds]
// reads at most agent.EndBytes at each end. A [Reader] gives the rows from
// the end to the start; each byte is read once. A row over [MaxInline] bytes
// is not held: [Reader.Load] gives it with its long strings cut in the middle,
// so that a pasted picture costs nothing; a row over [MaxRow] is refused.
//
// The settings of agents are read by [JSONSettings] and its kin, in bounds too;
// no problem or error of theirs quotes a file.
//
// Nothing here is ever opened for writing, and a file that is not a regular
// file is never opened at all.
package filelog
