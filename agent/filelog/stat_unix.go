//go:build linux || darwin

package filelog

import (
	"io/fs"
	"syscall"
)

// nonblock keeps the opening of a FIFO from waiting for a writer.
const nonblock = syscall.O_NONBLOCK

// system gives a number that moves with the change time (nanoseconds) and with
// the inode, so that a file put in another's place within one tick of the
// clock is noticed, and the inode.
func system(fi fs.FileInfo) (change, inode uint64) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	const odd = 0x9e3779b97f4a7c15 // spreads neighbouring inodes
	return ctime(st) ^ st.Ino*odd, st.Ino
}
