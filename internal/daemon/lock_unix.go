//go:build unix

package daemon

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of a file, for itself alone or shared, or says that
// it is held.
func tryLock(f *os.File, alone bool) error {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); {
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

// alive reports whether a process is there.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
