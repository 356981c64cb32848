//go:build linux || darwin

package filelog

import (
	"io/fs"
	"syscall"
)

// nonblock keeps the opening of a FIFO from waiting for a writer.
const nonblock = syscall.O_NONBLOCK

// system gives the change time in nanoseconds and the inode.
func system(fi fs.FileInfo) (change, inode uint64) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return ctime(st), st.Ino
}
