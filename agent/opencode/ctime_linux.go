package opencode

import (
	"io/fs"
	"syscall"
)

// changeTime gives the change time of a file in Unix nanoseconds, 0 where the
// system has none.
func changeTime(fi fs.FileInfo) int64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}
