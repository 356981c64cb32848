package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// What a server tells of one session in follow: a turn with its pieces.
const (
	eventsOfSession = 100
	followWindow    = "1h" // no window ends while it is measured
)

// follow: the daemon beside a plain Node program, both fed with the events of
// 10,000 sessions of an OpenCode server.
func (b *bench) follow() error {
	node, err := exec.LookPath("node")
	if err != nil {
		fmt.Fprintln(b.out, "node is not here: the daemon is not measured beside it")
		return nil
	}
	file := filepath.Join(b.dir, "events.jsonl")
	n, err := writeEvents(file, b.sessions)
	if err != nil {
		return err
	}
	srv, err := newFeeder(file)
	if err != nil {
		return err
	}
	defer srv.close()
	text, err := exec.CommandContext(context.Background(), node, "internal/bench/node/follow.mjs", srv.url).CombinedOutput()
	if err != nil {
		return fmt.Errorf("node: %w: %s", err, text)
	}
	var plain struct {
		Events, Sessions int
		CPU              float64
		Anon             int64
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		return fmt.Errorf("node: %w: %s", err, text)
	}
	if plain.Events < n || plain.Sessions < b.sessions {
		return fmt.Errorf("node took %d events of %d, %d sessions", plain.Events, n, plain.Sessions)
	}
	nodes := srv.took.Seconds()
	ours, err := b.followed(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d events of %d sessions: node %.2f s (%.2f s of processors), RssAnon %.1f MB; recap serve %.2f s (%.2f s of processors), RssAnon %.1f MB, at most %.1f MB\n",
		n, b.sessions, nodes, plain.CPU, mb(plain.Anon), ours.seconds, ours.cpu, mb(ours.anon), mb(ours.peak))
	b.check("time of node's / 3 against recap serve's: events a second", ours.seconds/(nodes/3), 1, "x")
	b.check("RssAnon of recap serve / a quarter of node's", float64(ours.anon)/(float64(plain.Anon)/4), 1, "x")
	b.check("live heap of a session", ours.session, 2048, "B")
	return nil
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }

// writeEvents writes the events of a server, one a line, and counts them.
func writeEvents(file string, sessions int) (int, error) {
	f, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	n, id := 0, 0
	words := strings.Repeat("the parser accepts an empty list now ", 6)
	put := func(kind, props string) {
		n++
		fmt.Fprintf(w, `{"directory":"/home/dev/src/app%d","project":"ce40","payload":{"id":"evt_%012d","type":%q,"properties":%s}}`+"\n", id%50, n, kind, props)
	}
	const side = 200 // sessions that are at work at once
	at := time.Now().UnixMilli()
	for from := 0; from < sessions; from += side {
		for step := range eventsOfSession {
			for id = from; id < min(from+side, sessions); id++ {
				ses := fmt.Sprintf("ses_%08d", id)
				dir := fmt.Sprintf("/home/dev/src/app%d", id%50)
				switch step {
				case 0:
					put("session.created", fmt.Sprintf(`{"sessionID":%q,"info":{"id":%q,"slug":"a","projectID":"ce40","directory":%q,"title":"A title of session %d","version":"1.18.33","time":{"created":%d,"updated":%d}}}`, ses, ses, dir, id, at, at+1))
				case 1:
					put("message.updated", fmt.Sprintf(`{"sessionID":%q,"info":{"id":"msg_%08da","sessionID":%q,"role":"user","time":{"created":%d},"agent":"build","model":{"providerID":"fake","modelID":"fake-large"}}}`, ses, id, ses, at+2))
				case 2:
					put("session.status", fmt.Sprintf(`{"sessionID":%q,"status":{"type":"busy"}}`, ses))
				case eventsOfSession - 4:
					put("message.updated", fmt.Sprintf(`{"sessionID":%q,"info":{"id":"msg_%08db","sessionID":%q,"role":"assistant","parentID":"msg_%08da","time":{"created":%d,"completed":%d},"finish":"stop","cost":0,"tokens":{"input":1200,"output":200,"reasoning":0,"cache":{"read":0,"write":0}}}}`, ses, id, ses, id, at+3, at+4))
				case eventsOfSession - 3:
					put("session.status", fmt.Sprintf(`{"sessionID":%q,"status":{"type":"idle"}}`, ses))
				case eventsOfSession - 2:
					put("session.idle", fmt.Sprintf(`{"sessionID":%q}`, ses))
				case eventsOfSession - 1:
					put("session.updated", fmt.Sprintf(`{"sessionID":%q,"info":{"id":%q,"slug":"a","projectID":"ce40","directory":%q,"title":"A title of session %d","version":"1.18.33","time":{"created":%d,"updated":%d}}}`, ses, ses, dir, id, at, at+4))
				default:
					switch step % 4 {
					case 0:
						put("message.part.updated", fmt.Sprintf(`{"sessionID":%q,"part":{"id":"prt_%08d%02d","sessionID":%q,"messageID":"msg_%08db","type":"text","text":%q,"time":{"start":%d}},"time":%d}`, ses, id, step, ses, id, words, at, at))
					default:
						put("message.part.delta", fmt.Sprintf(`{"sessionID":%q,"messageID":"msg_%08db","partID":"prt_%08d%02d","field":"text","delta":%q}`, ses, id, id, step, words[:40]))
					}
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return n, f.Close()
}

type followCost struct {
	seconds, cpu, session float64
	anon, peak            int64
}

// feeder is a server that tells the events of a file to whoever asks, and
// measures how fast they are taken.
type feeder struct {
	file, url string
	srv       *http.Server
	// wait, if not nil, is called before the events are told; hold keeps the
	// stream open after them.
	wait func()
	hold bool
	took time.Duration
	over chan struct{}
}

func newFeeder(file string) (*feeder, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &feeder{file: file, url: "http://" + l.Addr().String(), over: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		"/global/health": `{"healthy":true,"version":"1.18.33"}`, "/experimental/session": "[]", "/session/status": "{}", "/permission": "[]", "/question": "[]",
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, body)
		})
	}
	mux.HandleFunc("/global/event", f.tell)
	f.srv = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go f.srv.Serve(l)
	return f, nil
}

func (f *feeder) close() { f.srv.Close() }

func (f *feeder) tell(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := bufio.NewWriterSize(w, 64<<10)
	flush := func() {
		out.Flush()
		http.NewResponseController(w).Flush()
	}
	out.WriteString("data: {\"payload\":{\"type\":\"server.connected\",\"properties\":{}}}\n\n")
	flush()
	if f.wait != nil {
		f.wait()
	}
	begin := time.Now()
	file, err := os.Open(f.file)
	if err != nil {
		return
	}
	defer file.Close()
	for in := bufio.NewReaderSize(file, 1<<20); ; {
		line, err := in.ReadSlice('\n')
		if err != nil {
			break
		}
		out.WriteString("data: ")
		out.Write(line)
		out.WriteByte('\n')
	}
	const last = `data: {"directory":"/home/dev/src/app","payload":{"type":%q,"properties":%s}}` + "\n\n"
	fmt.Fprintf(out, last, "session.created", `{"sessionID":"ses_last","info":{"id":"ses_last","directory":"/home/dev/src/app","title":"t","time":{"created":1,"updated":2}}}`)
	fmt.Fprintf(out, last, "session.status", `{"sessionID":"ses_last","status":{"type":"busy"}}`)
	if out.Flush() != nil || http.NewResponseController(w).Flush() != nil {
		return // who listened has gone: it comes again
	}
	// What is still on its way is little: the stream is read as it is taken.
	f.took = time.Since(begin)
	f.over <- struct{}{}
	if f.hold {
		<-r.Context().Done()
	}
}

// followed has the daemon follow a server that tells the events of the file.
func (b *bench) followed(file string) (followCost, error) {
	var c followCost
	gate := make(chan struct{})
	srv, err := newFeeder(file)
	if err != nil {
		return c, err
	}
	defer srv.close()
	srv.wait, srv.hold = func() { <-gate }, true
	home := filepath.Join(b.dir, "followed")
	env := append(b.env(home), "RECAP_SOURCES_OPENCODE_URL="+srv.url, "RECAP_ASSIST_QUIET_WINDOW="+followWindow, "RECAP_DEBUG=1")
	d, err := b.serve(home, env)
	if err != nil {
		return c, err
	}
	defer d.stop()
	begin, err := d.until(func(s served) bool { return len(s.Servers) == 1 && s.Servers[0].Connected })
	if err != nil {
		return c, err
	}
	cpu := d.cpu()
	close(gate)
	for told := false; !told; {
		select {
		case <-srv.over:
			told = true
		case <-time.After(10 * time.Millisecond):
			c.peak = max(c.peak, d.anon())
		}
	}
	c.seconds = srv.took.Seconds()
	end, err := d.until(func(s served) bool { return s.Known > b.sessions })
	if err != nil {
		return c, err
	}
	c.cpu = d.cpu() - cpu
	c.peak = max(c.peak, d.anon())
	c.anon = d.anon()
	if end, err = d.fresh(); err != nil {
		return c, err
	}
	c.session = float64(end.Heap-begin.Heap) / float64(b.sessions)
	return c, nil
}

// zeroSignal asks whether a process is there.
const zeroSignal = syscall.Signal(0)

// daemonRun is a recap serve that is measured.
type daemonRun struct {
	cmd    *exec.Cmd
	file   string
	pid    int
	errOut *bytes.Buffer
}

// served is what is read of the status file.
type served struct {
	PID, Known, Goroutines, Recaps int
	Heap                           int64
	WrittenAt                      time.Time
	Servers                        []struct{ Connected bool }
}

func (b *bench) serve(home string, env []string) (*daemonRun, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	d := &daemonRun{cmd: exec.CommandContext(context.Background(), b.recap, "serve"), file: filepath.Join(home, ".local", "state", "recap", "daemon.json"), errOut: &bytes.Buffer{}}
	d.cmd.Dir, d.cmd.Env, d.cmd.Stderr = home, env, d.errOut
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	d.pid = d.cmd.Process.Pid
	if _, err := d.until(func(s served) bool { return s.PID == d.pid }); err != nil {
		d.stop()
		return nil, err
	}
	return d, nil
}

func (d *daemonRun) status() served {
	var s served
	if b, err := os.ReadFile(d.file); err == nil {
		json.Unmarshal(b, &s)
	}
	return s
}

func (d *daemonRun) until(ok func(served) bool) (served, error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s := d.status(); ok(s) {
			return s, nil
		}
	}
	return served{}, fmt.Errorf("the daemon does not get that far: %s", d.errOut)
}

// fresh has the status written anew, its counts with it.
func (d *daemonRun) fresh() (served, error) {
	was := d.status().WrittenAt
	if err := d.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		return served{}, err
	}
	return d.until(func(s served) bool { return s.WrittenAt.After(was) })
}

func (d *daemonRun) anon() int64 {
	n, _ := rssAnon(d.pid)
	return n
}

// cpu is the time of processors that it took, in seconds.
func (d *daemonRun) cpu() float64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(d.pid) + "/stat")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}

// switches counts how often a thread of it gave up the processor to wait.
func (d *daemonRun) switches() int64 {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(d.pid) + "/task/*/status")
	var n int64
	for _, f := range files {
		b, _ := os.ReadFile(f)
		for line := range strings.SplitSeq(string(b), "\n") {
			if v, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				k, _ := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
				n += k
			}
		}
	}
	return n
}

func (d *daemonRun) stop() {
	d.cmd.Process.Signal(syscall.SIGTERM)
	d.cmd.Wait()
}
