package cli_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// Model calls go through the proxy of the environment, as those of the agents
// do. This machine is asked without one.
func TestModelThroughAProxy(t *testing.T) {
	d, here := withModel(t, "\n[model.providers.plain]\nprotocol = \"openai\"\nbase_url = \"http://llm.corp.example/v1\"\nkey = \"{env:KEYED}\"\n"+
		"\n[model.providers.safe]\nprotocol = \"openai\"\nbase_url = \"https://llm.corp.example/v1\"\nkey = \"{env:KEYED}\"\n")
	d.env["KEYED"] = llmtest.Key
	proxy := llmtest.NewServer(t) // of plain http: it answers by itself
	proxy.Answer(reply(t, "recap", saidRecap, "away", saidAway))
	var tunnels atomic.Int32
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect && r.Host == "llm.corp.example:443" {
			tunnels.Add(1)
		}
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer closed.Close()
	d.env["HTTP_PROXY"] = strings.Replace(proxy.URL, "//", "//bob:hunter2@", 1)
	d.env["HTTPS_PROXY"] = strings.Replace(closed.URL, "//", "//bob:hunter2@", 1)

	if out := d.ok(t, "cc52", "--model=plain/tiny", "--over-budget"); !strings.Contains(out, saidAway) || proxy.Count() != 1 {
		t.Errorf("%d requests at the proxy\n%s", proxy.Count(), out)
	}
	a := d.run(t, "cc52", "--model=safe/tiny", "--over-budget")
	if tunnels.Load() != 1 || proxy.Count() != 1 || !strings.Contains(a.err, "the proxy can't be used: it answers 407") || strings.Contains(a.out+a.err, "hunter2") {
		t.Errorf("%d tunnels, %d requests\n%s", tunnels.Load(), proxy.Count(), a.err)
	}
	d.ok(t, "cc52", "--model=local/tiny")
	if here.Count() != 1 || proxy.Count() != 1 || tunnels.Load() != 1 {
		t.Errorf("this machine: %d requests, %d and %d at the proxies", here.Count(), proxy.Count(), tunnels.Load())
	}
	// The egress log names the provider, whichever way it was reached.
	if out := d.ok(t, "egress"); strings.Count(out, "llm.corp.example (plain/tiny)") != 1 || strings.Contains(out, "safe/tiny") || strings.Contains(out, "hunter2") {
		t.Errorf("%s", out)
	}
}

func TestDoctorNamesTheProxy(t *testing.T) {
	d := newDesk(t)
	if out := d.ok(t, "doctor"); strings.Contains(out, "proxy") {
		t.Errorf("%s", out)
	}
	d.env["HTTPS_PROXY"] = "http://bob:hunter2@proxy.corp.example:3128"
	const want = "https through http://proxy.corp.example:3128 with a login [env HTTPS_PROXY]"
	out, text := strings.Join(strings.Fields(d.ok(t, "doctor")), " "), d.ok(t, "doctor", "--json")
	if !strings.Contains(out, "proxy: "+want) || strings.Contains(out+text, "hunter2") {
		t.Errorf("%s\n%s", out, text)
	}
	r := decode[struct {
		Agents, Models, Settings, Problems []any
		Daemon                             api.Daemon
		Store, Log, Config, Proxy          string
	}](t, text)
	if r.Proxy != want {
		t.Errorf("%q", r.Proxy)
	}
}
