package claudecode

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// running reports whether the process runs that was started at start (clock
// ticks since boot, "" where not known), and whether that can be told from
// here: a process of another machine or container can't be seen.
func running(pid int, start, domain string) (alive, known bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		// The name, in brackets, may hold anything.
		if i := bytes.LastIndexByte(b, ')'); i >= 0 {
			fields := strings.Fields(string(b[i+1:]))
			if len(fields) > 19 && fields[0] != "Z" && fields[0] != "X" && (start == "" || fields[19] == start) {
				return true, true
			}
		}
	}
	return false, domain == "" || domain == ownDomain()
}

// ownDomain is how the agent names the machine and its name space of processes.
func ownDomain() string {
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return ""
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return "linux:" + strings.TrimSpace(string(id)) + ":" + ns
}
