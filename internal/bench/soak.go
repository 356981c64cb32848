package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of a soak: how far the medians of its last and its first third may be
// apart.
const (
	soakMemory     = 4 << 20
	soakGoroutines = 4
	soakSample     = 5 * time.Second
	soakWarm       = 30 * time.Second
	// A session rests this long after each sample, so that it goes quiet.
	soakRest = 3 * time.Second
)

// soak: the daemon for a long time against a server whose stream is cut every
// second, while sessions of files move and recaps are made. Its memory and its
// goroutines stay flat.
func (b *bench) soak() error {
	home := filepath.Join(b.dir, "soak")
	dir := filepath.Join(home, "src", "app")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	srv, cuts, err := cutter()
	if err != nil {
		return err
	}
	defer srv.Close()
	env := append(b.env(home), "RECAP_SOURCES_OPENCODE_URL=http://"+srv.Addr, "RECAP_ASSIST_QUIET_WINDOW=1s", "RECAP_DEBUG=1")
	if err := claudeSession(home, dir, 1, 1); err != nil {
		return err
	}
	d, err := b.serve(home, env)
	if err != nil {
		return err
	}
	defer d.stop()
	rnd := rand.New(rand.NewPCG(1, 2))
	var anon, goroutines []float64
	began := time.Now()
	next := began.Add(min(soakWarm, b.duration/10))
	for turn := 1; time.Since(began) < b.duration; turn++ {
		time.Sleep(700 * time.Millisecond)
		if err := liveTurn(home, dir, 1+rnd.IntN(20), turn); err != nil {
			return err
		}
		if err := d.cmd.Process.Signal(zeroSignal); err != nil {
			return errors.Join(errors.New("the daemon is gone"), err)
		}
		if time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(soakSample)
		s, err := d.fresh()
		if err != nil {
			return err
		}
		anon, goroutines = append(anon, float64(d.anon())), append(goroutines, float64(s.Goroutines))
		time.Sleep(soakRest)
		fmt.Fprintf(b.out, "%6.0f s  RssAnon %6.2f MB  live heap %6.2f MB  goroutines %3d  cuts %d  recaps %d\n",
			time.Since(began).Seconds(), mb(d.anon()), mb(s.Heap), s.Goroutines, cuts.Load(), s.Recaps)
	}
	if len(anon) < 6 {
		return errors.New("too short to say anything")
	}
	s := d.status()
	if cuts.Load() < int64(b.duration.Seconds()/10) || s.Recaps == 0 {
		return fmt.Errorf("%d cuts and %d recaps prove nothing", cuts.Load(), s.Recaps)
	}
	first, last := thirds(anon)
	b.check("RssAnon, last third - first third", (last-first)/(1<<20), soakMemory>>20, "MB")
	first, last = thirds(goroutines)
	b.check("goroutines, last third - first third", last-first, soakGoroutines, "")
	return nil
}

// thirds are the medians of the first and the last third.
func thirds(v []float64) (first, last float64) {
	n := len(v) / 3
	median := func(part []float64) float64 {
		part = slices.Sorted(slices.Values(part))
		return part[len(part)/2]
	}
	return median(v[:n]), median(v[len(v)-n:])
}

// cutter is a server of OpenCode whose stream is cut every second, in the middle
// of an event.
func cutter() (*http.Server, *atomic.Int64, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	var cuts atomic.Int64
	const dir = "/home/dev/src/cut"
	info := func(n int64) string {
		return fmt.Sprintf(`{"id":"ses_%06d","slug":"a","projectID":"p","directory":%q,"title":"t","version":"1.18.33","time":{"created":%d,"updated":%d}}`,
			n%40, dir, time.Now().UnixMilli()-1000, time.Now().UnixMilli())
	}
	mux := http.NewServeMux()
	answer := func(path string, body func(r *http.Request) string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, body(r))
		})
	}
	answer("/global/health", func(*http.Request) string { return `{"healthy":true,"version":"1.18.33"}` })
	answer("/experimental/session", func(*http.Request) string { return "[" + info(cuts.Load()) + "]" })
	answer("/session/status", func(*http.Request) string { return "{}" })
	answer("/permission", func(*http.Request) string { return "[]" })
	answer("/question", func(*http.Request) string { return "[]" })
	answer("/session/{id}", func(r *http.Request) string {
		var n int64
		fmt.Sscanf(r.PathValue("id"), "ses_%d", &n)
		return info(n)
	})
	answer("/session/{id}/message", func(*http.Request) string {
		at := time.Now().UnixMilli()
		return fmt.Sprintf(`[{"info":{"id":"msg_%da","role":"user","time":{"created":%d}},"parts":[{"id":"prt_1","type":"text","text":"please cut the stream"}]},`+
			`{"info":{"id":"msg_%db","role":"assistant","time":{"created":%d,"completed":%d},"finish":"stop"},"parts":[{"id":"prt_2","type":"text","text":"The stream is cut."}]}]`, at/100000, at, at/100000, at, at)
	})
	mux.HandleFunc("/global/event", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		put := func(kind, props string) {
			fmt.Fprintf(w, `data: {"directory":%q,"payload":{"id":"evt","type":%q,"properties":%s}}`+"\n\n", dir, kind, props)
			http.NewResponseController(w).Flush()
		}
		put("server.connected", "{}")
		n := cuts.Add(1)
		id := fmt.Sprintf("ses_%06d", n%40)
		put("session.created", fmt.Sprintf(`{"sessionID":%q,"info":%s}`, id, info(n)))
		put("session.status", fmt.Sprintf(`{"sessionID":%q,"status":{"type":"busy"}}`, id))
		put("message.part.delta", fmt.Sprintf(`{"sessionID":%q,"delta":%q}`, id, strings.Repeat("a piece of text ", 200)))
		put("session.status", fmt.Sprintf(`{"sessionID":%q,"status":{"type":"idle"}}`, id))
		select {
		case <-time.After(time.Second):
		case <-r.Context().Done():
			return
		}
		io.WriteString(w, `data: {"directory":"/home/dev/src/cut","payload":{"id":"evt","ty`)
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	srv := &http.Server{Handler: mux, Addr: l.Addr().String(), ReadHeaderTimeout: 10 * time.Second}
	go srv.Serve(l)
	return srv, &cuts, nil
}
