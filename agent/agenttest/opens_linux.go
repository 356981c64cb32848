package agenttest

import (
	"syscall"
	"testing"
	"unsafe"
)

// opens watches files; the function it returns names those that were opened
// since. Where the system does not tell, nothing is named.
func opens(t *testing.T, files []string) func() []string {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		return func() []string { return nil }
	}
	t.Cleanup(func() { syscall.Close(fd) }) //nolint:errcheck // a test's own
	names := map[int32]string{}
	for _, f := range files {
		wd, err := syscall.InotifyAddWatch(fd, f, syscall.IN_OPEN|syscall.IN_ACCESS)
		if err != nil {
			t.Fatal(err)
		}
		names[int32(wd)] = f
	}
	return func() []string {
		var out []string
		buf := make([]byte, 64<<10)
		for {
			n, err := syscall.Read(fd, buf)
			if n <= 0 || err != nil {
				return out
			}
			for at := 0; at+syscall.SizeofInotifyEvent <= n; {
				ev := (*syscall.InotifyEvent)(unsafe.Pointer(&buf[at]))
				out = append(out, names[ev.Wd])
				at += syscall.SizeofInotifyEvent + int(ev.Len)
			}
		}
	}
}
