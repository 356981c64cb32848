package cli_test

import (
	"net"
	"strings"
	"testing"
	"time"
)

// hung is a server that takes connections and never answers (G1).
func hung(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() }) //nolint:errcheck // a test's
	return "http://" + l.Addr().String()
}

// A server that hangs is a problem that is shown, and what is at rest is listed
// all the same.
func TestG1_AHungServerSlowsNoCommand(t *testing.T) {
	d := samples(t)
	d.env["RECAP_SOURCES_OPENCODE_URL"] = hung(t)
	begin := time.Now()
	a := d.run(t, "list", "--json")
	if n := strings.Count(a.out, "\n"); a.code != 0 || n != 19 {
		t.Errorf("%d rows, %d: %s", n, a.code, a.err)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	d.saysOnce(t)
}

// saysOnce looks whether doctor says once what is wrong with the server.
func (d *desk) saysOnce(t *testing.T) {
	t.Helper()
	_, problems, _ := strings.Cut(d.ok(t, "doctor"), "\nProblems\n")
	if n := strings.Count(problems, "can't be reached"); n != 1 {
		t.Errorf("doctor says it %d times: %s", n, problems)
	}
}

// The daemon starts at once beside a server that hangs, and stops at once.
func TestG1_AHungServerHoldsNoDaemon(t *testing.T) {
	d := newDesk(t)
	d.env["RECAP_SOURCES_OPENCODE_URL"] = hung(t)
	begin := time.Now()
	if out, _ := d.serve(t, func() { d.saysOnce(t) }); !strings.Contains(out, "1 OpenCode server") {
		t.Errorf("it says %s", out)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("start and stop took %v", took)
	}
}
