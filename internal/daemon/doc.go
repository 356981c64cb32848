// Package daemon is the life of `recap serve`: one daemon per machine and
// store, from its lock to its last line.
//
// Call [Start]. It takes the lock, writes the status file and begins to follow;
// it returns when that is done, or says who runs already ([*RunningError]).
// [Daemon.Stop] ends what runs and waits for it; it may be called twice, and
// from several goroutines. [Daemon.Done] is closed when following ended by
// itself, and [Daemon.Err] says why.
//
// # The lock
//
// The lock is the system's own lock of an open file beside the store, held for
// the life of the process: what a killed daemon leaves behind is no obstacle.
// The file says who holds it. A second one of the same kind lies beside the
// status file, so that removing either file, or its folder, lets no second
// daemon start. Both are looked at before anything is read or written: what was
// removed is taken anew, and a daemon that finds the store's lock with another
// ends, and leaves that one's status file alone. On a network file system the lock is as good as
// the system's: where flock does not reach other machines, two of them may
// follow the same store, and the claims in the store keep their calls apart.
//
// # The status file
//
// It is replaced whole: at the start, when a count changed and at the end.
// Nothing is written while nothing happens, and no timer runs while no session
// is live. It holds counts and codes, never text.
// [Look] reads both files for `recap doctor` and changes neither.
package daemon
