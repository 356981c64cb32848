//go:build linux || darwin

package opencode

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// dmsByte is the byte of a "-shm" file on which each process that has the
// database open holds a lock for as long as it does.
const dmsByte = 128

// openElsewhere tells whether another process has the database open. It asks
// who holds a lock and takes none.
func openElsewhere(db string) liveness {
	fi, err := os.Stat(db + "-shm")
	if errors.Is(err, fs.ErrNotExist) {
		return liveNo
	}
	if err != nil || !fi.Mode().IsRegular() {
		return liveUnknown
	}
	f, err := os.Open(db + "-shm") //nolint:gosec // a file of the home that is read
	if err != nil {
		return liveUnknown
	}
	defer f.Close() //nolint:errcheck // nothing was written
	lk := syscall.Flock_t{Type: syscall.F_WRLCK, Start: dmsByte, Len: 1}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lk); err != nil {
		return liveUnknown
	}
	if lk.Type == syscall.F_UNLCK {
		return liveNo
	}
	return liveYes
}
