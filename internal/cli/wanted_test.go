package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// during writes the settings when the server was asked, and lets it answer.
func (d *desk) during(t *testing.T, srv *llmtest.Server, rep llmtest.Reply, more string) <-chan struct{} {
	t.Helper()
	held, done := make(chan struct{}), make(chan struct{})
	rep.Wait = held
	srv.Answer(rep)
	go func() {
		defer close(done)
		defer close(held)
		<-srv.Arrived()
		if err := os.WriteFile(d.env["RECAP_CONFIG"], []byte(modelOf(srv.URL, more)), 0o600); err != nil {
			t.Error(err)
		}
	}()
	return done
}

// modelOf are the settings of a model on this machine, with more before.
func modelOf(url, more string) string {
	return more + "\n[model.providers.local]\nprotocol = \"openai\"\nbase_url = \"" + url + "/v1\"\nmodels = [\"tiny\"]\n"
}

// TestSwitchedOffFieldsAreNotAskedFor: a wish goes no further than what the
// settings make.
func TestSwitchedOffFieldsAreNotAskedFor(t *testing.T) {
	d, srv := withModel(t, "[assist]\nsuggestion = false\n")
	d.ok(t, "cc52", "--suggest", "--model=local/tiny")
	if a := srv.Last().Asked(); strings.Contains(a.User+a.System, `"suggestion"`) {
		t.Error("a suggestion was asked for")
	}
	d, srv = withModel(t, "[assist]\nrecap = false\n")
	a := d.run(t, "cc52", "--model=local/tiny", "--json")
	r := decode[api.Result](t, a.out)
	if a.code != 4 || srv.Count() != 0 || r.Reason == nil || r.Reason.Code != "excluded" || r.Record == nil {
		t.Errorf("%d, %d requests: %s", a.code, srv.Count(), a.out)
	}
	if a := d.run(t, "cc52", "--dry-run", "--model=local/tiny"); a.code != 4 || !strings.Contains(a.out, "switched off") {
		t.Errorf("%d %s", a.code, a.out)
	}
}

// TestE6_SwitchedOffDuringAManualCall: the settings are read again before what
// a model said is stored.
func TestE6_SwitchedOffDuringAManualCall(t *testing.T) {
	for name, more := range map[string]string{
		"excluded": "[privacy]\nexclude = [\"/home/dev\"]\n", "off": "[assist]\nrecap = false\nsuggestion = false\n", "broken": "[assist\n",
	} {
		t.Run(name, func(t *testing.T) {
			d, srv := withModel(t, "")
			done := d.during(t, srv, reply(t, "recap", saidRecap, "away", saidAway, "suggestion", ""), more)
			a := d.run(t, "cc52", "--model=local/tiny", "--json")
			<-done
			if a.code == 0 || srv.Count() != 1 || strings.Contains(a.out, saidRecap) {
				t.Errorf("%d, %d requests: %s", a.code, srv.Count(), a.out)
			}
			d.settings(t, modelOf(srv.URL, ""))
			if out := d.ok(t, "cc52", "--json"); strings.Contains(out, saidRecap) {
				t.Errorf("it was stored: %s", out)
			}
		})
	}
	// One field less is blank, the other stays.
	d, srv := withModel(t, "")
	done := d.during(t, srv, reply(t, "recap", openRecap, "away", openRecap, "suggestion", openNext), "[assist]\nsuggestion = false\n")
	if r := decode[api.Result](t, d.ok(t, openID, "--suggest", "--model=local/tiny", "--json")); r.Record.Suggestion != "" || r.Record.Recap != openRecap {
		t.Errorf("%+v", r.Record)
	}
	<-done
}

// TestH6_NoCallWithoutALedger: where the store can't be used there is the free
// recap, and no call that no cap and no mute would bind.
func TestH6_NoCallWithoutALedger(t *testing.T) {
	d, srv := withModel(t, "")
	path := d.env["XDG_DATA_HOME"]
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cc52", "--model=local/tiny"}, {"cc52", "--model=local/tiny", "--over-budget"}, {"cc52", "--suggest", "--model=local/tiny", "-q"}} {
		a := d.run(t, append(args, "--json")...)
		r := decode[api.Result](t, a.out)
		if a.code != 4 || r.Record == nil || r.Reason == nil || r.Reason.Code != "store_unavailable" {
			t.Errorf("%v: %d %s", args, a.code, a.out)
		}
	}
	if a := d.run(t, "cc52", "--dry-run", "--model=local/tiny"); a.code != 4 || !strings.Contains(a.out, "refused") {
		t.Errorf("%d %s", a.code, a.out)
	}
	if srv.Count() != 0 {
		t.Errorf("%d requests", srv.Count())
	}
}

// TestH6_MistypedCapsRefuse: a cap that can't be understood is no other cap.
func TestH6_MistypedCapsRefuse(t *testing.T) {
	for _, more := range []string{"[budget]\ndaily_tokens = -5\n", "[budget]\ndaily_usd = \"much\"\n", "[budget]\nsession_tokens = 99999999999999999999\n", "[privacy]\nredact = \"perhaps\"\n"} {
		d, srv := withModel(t, more)
		if a := d.run(t, "cc52", "--model=local/tiny"); a.code != 4 || srv.Count() != 0 || !strings.Contains(a.err, "can't be understood") {
			t.Errorf("%q: %d, %d requests: %s", more, a.code, srv.Count(), a.err)
		}
	}
}
