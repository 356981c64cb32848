package cli_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// A provider said when it can be asked again. The next program knows it.
func TestAProviderThatRests(t *testing.T) {
	t.Parallel()
	d, srv := withModel(t, "[model]\noverride = \"local/tiny\"\n")
	said := regexp.MustCompile(`before (\w{3}, \d+ \w{3} \d{4} \d\d:\d\d \S+)`)
	srv.Answer(llmtest.Reply{Status: 429, Message: "slow down", Header: http.Header{"Retry-After": {"90000"}}})
	a := d.run(t, "cc52", "--model")
	if a.code != 1 || !strings.Contains(a.err, "it can be asked again at ") || !strings.Contains(a.err, "calls in the background wait until then") {
		t.Errorf("%d %s", a.code, a.err)
	}
	srv.Answer(reply(t, "recap", saidRecap, "away", saidAway))
	why := d.ok(t, "why", "cc52")
	if !strings.Contains(why, "○ provider: local wants no call ") || !said.MatchString(why) || !strings.Contains(why, "--model asks it all the same") {
		t.Errorf("why: %s", why)
	}
	for _, g := range decode[api.Why](t, d.ok(t, "why", "cc52", "--json")).Gates {
		if g.Name == "provider" && (g.Pass || g.Message == "" || g.Hint == "" || !strings.HasPrefix(g.Value, "rests until 20")) {
			t.Errorf("%+v", g)
		}
	}
	if out := d.ok(t, "doctor"); strings.Count(out, "it wants no call before") == 0 {
		t.Errorf("doctor: %s", out)
	}
	// What only a setting asks for is not sent.
	d.env["RECAP_MODEL_MANUAL"] = "true"
	a = d.run(t, "cc52")
	if a.code != 0 || !strings.Contains(a.out, free) || !said.MatchString(a.err) || srv.Count() != 1 {
		t.Errorf("%d, %d requests\n%s%s", a.code, srv.Count(), a.out, a.err)
	}
	j := decode[api.Result](t, d.ok(t, "cc52", "--json"))
	if j.Reason == nil || j.Reason.Code != "rate-limited" || j.Reason.Hint == "" || srv.Count() != 1 {
		t.Errorf("%+v, %d requests", j.Reason, srv.Count())
	}
	if why := d.ok(t, "why", "cc52"); !strings.Contains(why, "no recap by a model: the provider's limit is reached (local: it wants no call before ") {
		t.Errorf("why: %s", why)
	}
	// What a person asks for is, and an answer ends the rest.
	if out := d.ok(t, "cc52", "--model"); !strings.Contains(out, saidAway) || srv.Count() != 2 {
		t.Errorf("%d requests\n%s", srv.Count(), out)
	}
	if why := d.ok(t, "why", "cc52"); strings.Contains(why, "○ provider") {
		t.Errorf("why: %s", why)
	}
	d.ok(t, openID) // the setting asks again
	if srv.Count() < 3 {
		t.Errorf("%d requests", srv.Count())
	}
}

// By itself a rest ends at its time.
func TestARestEnds(t *testing.T) {
	t.Parallel()
	d, srv := withModel(t, "[model]\noverride = \"local/tiny\"\nmanual = true\n")
	srv.Answer(llmtest.Reply{Status: 429, Header: http.Header{"Retry-After": {"90000"}}})
	d.run(t, "cc52")
	srv.Answer(reply(t, "recap", saidRecap, "away", saidAway))
	d.now = d.now.Add(23 * time.Hour)
	d.ok(t, "cc52")
	if srv.Count() != 1 {
		t.Errorf("%d requests before its end", srv.Count())
	}
	d.now = d.now.Add(2 * time.Hour)
	if out := d.ok(t, "cc52"); !strings.Contains(out, saidAway) || srv.Count() != 2 {
		t.Errorf("%d requests\n%s", srv.Count(), out)
	}
}
