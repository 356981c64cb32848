package geminicli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which the system tells when a process was started. It is
// the same on every Linux.
const tick = time.Second / 100

// agentsIn looks through the processes whose directories may be seen, which
// are those of the same user.
func agentsIn(dirs []string) map[string][]process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	boot := booted()
	found := map[string][]process{}
	below := map[int][]int{}
	starts := map[int]string{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		s := status(pid)
		if s.start == "" || s.gone() {
			continue
		}
		starts[pid] = s.start
		below[s.parent] = append(below[s.parent], pid)
		dir, err := os.Readlink("/proc/" + e.Name() + "/cwd")
		if err != nil {
			continue
		}
		if i := slices.IndexFunc(dirs, func(d string) bool { return d == dir || resolved(d) == dir }); i >= 0 && isAgent(pid) {
			found[dirs[i]] = append(found[dirs[i]], process{pid: pid, start: s.start})
		}
	}
	own := map[int]bool{} // the program runs itself again with more memory
	for _, procs := range found {
		for _, p := range procs {
			own[p.pid] = true
		}
	}
	for _, procs := range found {
		for i := range procs {
			for queue, seen := below[procs[i].pid], map[int]bool{}; len(queue) > 0; {
				pid := queue[0]
				queue = queue[1:]
				if seen[pid] {
					continue
				}
				seen[pid] = true
				queue = append(queue, below[pid]...)
				if at := startedAt(boot, starts[pid]); !own[pid] && at.After(procs[i].child) {
					procs[i].child = at
				}
			}
		}
	}
	return found
}

func resolved(dir string) string {
	to, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	return to
}

// isAgent reports by its command line that a process is Gemini CLI: a program,
// or a script that one runs, of that name or in a folder of it.
func isAgent(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return false
	}
	for i, arg := range strings.Split(string(b), "\x00") {
		if i > 8 {
			break
		}
		base := filepath.Base(arg)
		if base == "gemini" || base == "gemini.js" || strings.Contains(arg, "/gemini-cli/") {
			return true
		}
	}
	return false
}

func running(p process) bool {
	s := status(p.pid)
	return s.start == p.start && !s.gone()
}

// stat is what the system says of a process.
type stat struct {
	state, start string
	parent       int
}

func (s stat) gone() bool { return s.state == "Z" || s.state == "X" }

func status(pid int) stat {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}
	}
	// The name, in brackets, may hold anything.
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 20 {
		return stat{}
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return stat{}
	}
	return stat{state: fields[0], start: fields[19], parent: parent}
}

// booted is when the system was started.
func booted() time.Time {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}
	}
	for line := range strings.Lines(string(b)) {
		if s, ok := strings.CutPrefix(line, "btime "); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
				return time.Unix(n, 0)
			}
		}
	}
	return time.Time{}
}

func startedAt(boot time.Time, start string) time.Time {
	n, err := strconv.ParseInt(start, 10, 64)
	if err != nil || boot.IsZero() {
		return time.Time{}
	}
	return boot.Add(time.Duration(n) * tick)
}
