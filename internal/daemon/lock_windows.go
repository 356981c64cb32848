package daemon

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is the place of the lock: what is locked can't be read by others, so
// it lies behind what stands in the file.
const beyond = 1 << 30

// tryLock takes the lock of a file, for itself alone or shared, or says that
// it is held.
func tryLock(f *os.File, alone bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: beyond})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

// alive is not asked of the system: the lock says enough.
func alive(pid int) bool { return pid > 0 }
