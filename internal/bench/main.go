// Command bench measures recap beside baselines in the same run, as ratios:
// the machine's speed cancels out. `make bench` runs it.
//
//	go run ./internal/bench -recap bin/recap [-only tail|list|start|idle|follow|soak] [-gb 1] [-sessions 10000]
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.recap, "recap", "bin/recap", "the program to measure")
	flag.StringVar(&o.only, "only", "", "tail, list, start, idle, follow or soak")
	flag.Float64Var(&o.gb, "gb", 1, "size of the long transcript in gigabytes")
	flag.IntVar(&o.sessions, "sessions", 10000, "sessions to list")
	flag.DurationVar(&o.duration, "duration", 30*time.Minute, "how long a soak takes")
	flag.StringVar(&o.dir, "dir", "", "scratch folder, a temporary one where empty")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	recap, only, dir string
	gb               float64
	sessions         int
	duration         time.Duration
}

type bench struct {
	options
	out io.Writer
	bad int
}

func run(o options) error {
	abs, err := filepath.Abs(o.recap)
	if err != nil {
		return err
	}
	o.recap = abs
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "recap-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	b := &bench{options: o, out: os.Stdout}
	for _, c := range []struct {
		name string
		f    func() error
	}{{"start", b.start}, {"tail", b.tail}, {"list", b.list}, {"idle", b.idle}, {"follow", b.follow}, {"soak", b.soak}} {
		if o.only == c.name || o.only == "" && c.name != "soak" {
			if err := c.f(); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	if b.bad > 0 {
		return fmt.Errorf("%d of the limits do not hold", b.bad)
	}
	return nil
}

// check prints a measure beside its limit.
func (b *bench) check(what string, got, limit float64, unit string) {
	word := "ok"
	if got > limit {
		word = "TOO MUCH"
		b.bad++
	}
	fmt.Fprintf(b.out, "%-62s %9.2f %-3s limit %9.2f  %s\n", what, got, unit, limit, word)
}

// env is a scratch home.
func (b *bench) env(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config", "XDG_DATA_HOME=" + home + "/.local/share",
		"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CACHE_HOME=" + home + "/.cache", "LANG=C.UTF-8",
	}
}

// cost of one run of a program.
type cost struct {
	time    time.Duration
	rssAnon int64 // highest seen, in bytes
	out     []byte
	err     string
}

// once runs a program and watches its anonymous memory where asked.
func (b *bench) once(dir string, env []string, watch bool, argv ...string) (cost, error) {
	cmd := exec.CommandContext(context.Background(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	var c cost
	done := make(chan struct{})
	if watch {
		go func() {
			defer close(done)
			for {
				n, ok := rssAnon(cmd.Process.Pid)
				if !ok {
					return
				}
				c.rssAnon = max(c.rssAnon, n)
			}
		}()
	} else {
		close(done)
	}
	err := cmd.Wait()
	c.time = time.Since(begin)
	<-done
	c.out, c.err = out.Bytes(), errOut.String()
	if err != nil {
		return c, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, c.err)
	}
	return c, nil
}

func rssAnon(pid int) (int64, bool) {
	s, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.SplitSeq(string(s), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "RssAnon:" {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// medians runs the programs in turn, n times, and gives the median of each in
// milliseconds.
func (b *bench) medians(n int, dir string, env []string, argvs ...[]string) ([]float64, error) {
	times := make([][]float64, len(argvs))
	for range n {
		for i, argv := range argvs {
			c, err := b.once(dir, env, false, argv...)
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], float64(c.time.Microseconds())/1000)
		}
	}
	out := make([]float64, len(argvs))
	for i, t := range times {
		slices.Sort(t)
		out[i] = t[len(t)/2]
	}
	return out, nil
}

// start: recap version beside a Go program that prints one line, and recap in
// a directory with one session beside recap version.
func (b *bench) start() error {
	src := filepath.Join(b.dir, "line")
	if err := os.MkdirAll(src, 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"go.mod":  "module line\n\ngo 1.26.0\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"one line\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	line := filepath.Join(src, "line")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-C", src, "-o", line, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	home := filepath.Join(b.dir, "one")
	work := filepath.Join(home, "src", "app")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	if err := claudeSession(home, work, 1, 3); err != nil {
		return err
	}
	env := b.env(home)
	if _, err := b.once(work, env, false, b.recap); err != nil {
		return err
	}
	m, err := b.medians(100, work, env, []string{line}, []string{b.recap, "version"}, []string{b.recap})
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "medians of 100 in turn: one line %.2f ms, recap version %.2f ms, recap %.2f ms\n", m[0], m[1], m[2])
	b.check("recap version / a Go program that prints one line", m[1]/m[0], 5, "x")
	b.check("recap in a directory with one session - recap version", m[2]-m[1], 10, "ms")
	// A session that moved is read again.
	grow := func() error { return claudeSession(home, work, 1, 3) }
	var fresh []float64
	for range 20 {
		if err := grow(); err != nil {
			return err
		}
		c, err := b.once(work, env, false, b.recap)
		if err != nil {
			return err
		}
		fresh = append(fresh, float64(c.time.Microseconds())/1000)
	}
	slices.Sort(fresh)
	fmt.Fprintf(b.out, "recap where the session moved: median %.2f ms (not limited)\n", fresh[len(fresh)/2])
	return nil
}

// tail: the newest turns of a very long transcript.
func (b *bench) tail() error {
	home := filepath.Join(b.dir, "long")
	work := filepath.Join(home, "src", "app")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	file, err := longTranscript(home, work, int64(b.gb*(1<<30)), false)
	if err != nil {
		return err
	}
	env := b.env(home)
	show := []string{b.recap, "show", "last", "--turns", "--json"}
	c, err := b.once(work, env, true, show...)
	if err != nil {
		return err
	}
	if n := bytes.Count(c.out, []byte(`"authored"`)); n != 3 {
		return fmt.Errorf("%d turns, want 3", n)
	}
	m, err := b.medians(20, work, env, []string{b.recap, "version"}, []string{"tail", "-c", "4M", file}, show)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "recap version %.2f ms, tail -c 4M %.2f ms, three turns %.2f ms\n", m[0], m[1], m[2])
	b.check("three turns of a long transcript / (version + 5 tail -c 4M)", m[2]/(m[0]+5*m[1]), 1, "x")
	var peak int64
	for range 5 {
		c, err := b.once(work, env, true, show...)
		if err != nil {
			return err
		}
		peak = max(peak, c.rssAnon)
	}
	b.check("RssAnon of it", float64(peak)/(1<<20), 16, "MB")
	if err := os.Remove(file); err != nil {
		return err
	}

	home = filepath.Join(b.dir, "giant")
	work = filepath.Join(home, "src", "app")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	if file, err = longTranscript(home, work, 200<<20, true); err != nil {
		return err
	}
	env = b.env(home)
	if c, err = b.once(work, env, true, show...); err != nil {
		return err
	}
	if n := bytes.Count(c.out, []byte(`"authored"`)); n != 3 {
		return fmt.Errorf("%d turns, want 3", n)
	}
	if m, err = b.medians(10, work, env, []string{b.recap, "version"}, []string{"tail", "-c", strconv.Itoa(giant + 4<<20), file}, show); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "a %d MB line inside: version %.2f ms, tail -c of the bytes crossed %.2f ms, three turns %.2f ms\n", giant>>20, m[0], m[1], m[2])
	b.check("with a giant line inside: (three turns - version) / tail -c", (m[2]-m[0])/m[1], 3, "x")
	b.check("RssAnon of it", float64(c.rssAnon)/(1<<20), 16, "MB")
	return os.Remove(file)
}

// list: a second listing of many sessions of five agents.
func (b *bench) list() error {
	home := filepath.Join(b.dir, "many")
	trees, err := manySessions(home, b.sessions)
	if err != nil {
		return err
	}
	env := b.env(home)
	first, err := b.once(home, env, true, b.recap, "list", "--json", "--limit", "20")
	if err != nil {
		return err
	}
	all, err := b.once(home, env, true, b.recap, "doctor", "--json")
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "first listing of %d sessions: %v, RssAnon %.1f MB; doctor %v\n", b.sessions, first.time.Round(time.Millisecond), float64(first.rssAnon)/(1<<20), all.time.Round(time.Millisecond))
	find := append(append([]string{"find"}, trees...), "-printf", "%s %T@ %p\n")
	m, err := b.medians(15, home, env, []string{b.recap, "version"}, find, []string{b.recap, "list", "--json", "--limit", "20"})
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "recap version %.2f ms, find %.2f ms, recap list again %.2f ms\n", m[0], m[1], m[2])
	b.check("second listing / (version + 3 find)", m[2]/(m[0]+3*m[1]), 1, "x")
	n, err := bytesOfTranscripts(b, home, env, trees)
	if err != nil {
		return err
	}
	b.check("transcripts opened by a second listing", float64(n), 0, "")
	return nil
}

// bytesOfTranscripts counts the files below the trees that a second listing
// opens for reading.
func bytesOfTranscripts(b *bench, home string, env, trees []string) (int, error) {
	if path, _ := exec.LookPath("strace"); path == "" {
		fmt.Fprintln(b.out, "strace is not here: opened files are not counted in this run (the tests count them)")
		return 0, nil
	}
	log := filepath.Join(b.dir, "opens")
	if _, err := b.once(home, env, false, "strace", "-f", "-e", "trace=openat", "-o", log, b.recap, "list", "--json", "--limit", "20"); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	n := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		for _, tree := range trees {
			if strings.Contains(line, tree) && (strings.Contains(line, ".jsonl") || strings.Contains(line, ".db")) && !strings.Contains(line, "ENOENT") {
				n++
			}
		}
	}
	return n, nil
}
