package codex

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// writersOf looks through the processes whose open files may be seen, which
// are those of the same user. Nothing of the files is opened.
func writersOf(paths []string) map[string][]process {
	byName := map[string][]string{}
	for _, p := range paths {
		byName[filepath.Base(p)] = append(byName[filepath.Base(p)], p)
	}
	found := map[string][]process{}
	procs, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range procs {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := "/proc/" + e.Name()
		fds, err := os.ReadDir(dir + "/fd")
		if err != nil {
			continue // another user's, or gone
		}
		for _, fd := range fds {
			to, err := os.Readlink(dir + "/fd/" + fd.Name())
			if err != nil {
				continue
			}
			for _, path := range byName[filepath.Base(to)] {
				if same(dir+"/fd/"+fd.Name(), path) && writes(dir+"/fdinfo/"+fd.Name()) {
					if _, start := status(pid); start != "" {
						found[path] = append(found[path], process{pid, start})
					}
				}
			}
		}
	}
	return found
}

// same reports that an open file is the one at the path, by whatever name it
// was opened.
func same(fd, path string) bool {
	a, err := os.Stat(fd)
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// writes reports, by what the system says of an open file, that it was opened
// for writing: whoever only reads it does not write the session.
func writes(info string) bool {
	b, err := os.ReadFile(info) //nolint:gosec // below /proc
	if err != nil {
		return false
	}
	_, rest, ok := bytes.Cut(b, []byte("flags:"))
	if !ok {
		return false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.ParseUint(strings.TrimSpace(string(line)), 8, 32)
	return err == nil && n&3 != 0
}

func running(p process) bool {
	state, start := status(p.pid)
	return start == p.start && state != "Z" && state != "X"
}

// status gives what a process does and when it was started, in clock ticks
// since the system was.
func status(pid int) (state, start string) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", ""
	}
	// The name, in brackets, may hold anything.
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 20 {
		return "", ""
	}
	return fields[0], fields[19]
}
