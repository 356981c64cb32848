//go:build !linux && !darwin

package claudecode

// running can't tell on this system.
func running(int, string, string) (alive, known bool) { return false, false }
