package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// What a model says of the login session.
const (
	saidRecap = "The login page answered 500 for an address with a plus sign."
	saidAway  = "The login page answered 500 for an address with a plus sign; the tests pass."
	saidNext  = "Check the sign-up page for the same problem."
)

// What one says of the invoice session, which is not finished.
const (
	openID    = "10925"
	openRecap = "Rechnungen werden kaufmännisch gerundet, der Test für Gutschriften schlägt noch fehl."
	openNext  = "Runde auch die Gutschriften kaufmännisch und bring den Test für −0,50 € in Ordnung."
)

// withNext is a desk whose model suggests a message for that session.
func withNext(t *testing.T) (*desk, *llmtest.Server) {
	t.Helper()
	d, srv := withModel(t, "")
	srv.Answer(reply(t, "recap", openRecap, "away", openRecap, "suggestion", openNext))
	return d, srv
}

func reply(t *testing.T, pairs ...string) llmtest.Reply {
	t.Helper()
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return llmtest.Reply{Text: string(b), Input: 900, Output: 60}
}

// settings writes the settings file of a desk.
func (d *desk) settings(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(d.env["RECAP_CONFIG"], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// withModel is a desk with the samples and a model on this machine.
func withModel(t *testing.T, more string) (*desk, *llmtest.Server) {
	t.Helper()
	d, srv := samples(t), llmtest.NewServer(t)
	srv.Answer(reply(t, "recap", saidRecap, "away", saidAway, "suggestion", saidNext))
	d.settings(t, more+"\n[model.providers.local]\nprotocol = \"openai\"\nbase_url = \""+srv.URL+"/v1\"\nmodels = [\"tiny\"]\n"+
		"\n[model.providers.keyed]\nprotocol = \"openai\"\nbase_url = \""+srv.URL+"/v1\"\nkey = \"{env:KEYED}\"\nmodels = [\"tiny\"]\n")
	return d, srv
}

const free = "login page 500s" // stands in the free recap

func TestRecapByAModel(t *testing.T) {
	d, srv := withModel(t, "")
	a := d.run(t, "cc52", "--model=local/tiny")
	if a.code != 0 || !strings.Contains(a.out, saidAway) || strings.Contains(a.out, "next:") {
		t.Fatalf("%d\n%s%s", a.code, a.out, a.err)
	}
	if !strings.Contains(a.err, "asked local/tiny: 900 tokens in, 60 out, free") {
		t.Errorf("it does not say what it took: %q", a.err)
	}
	if srv.Count() != 1 || srv.Last().Asked().Model != "tiny" {
		t.Fatalf("%d requests", srv.Count())
	}
	// It is stored, shown by all, and asked for again only by wish.
	for _, args := range [][]string{{"cc52"}, {"show", "cc52"}, {"cc52", "--no-model"}} {
		if out := d.ok(t, args...); !strings.Contains(out, saidAway) {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out := d.ok(t, "show", "cc52"); !strings.Contains(out, "by local/tiny") {
		t.Errorf("show: %s", out)
	}
	if out := d.ok(t, "list"); !strings.Contains(out, saidRecap) {
		t.Errorf("list: %s", out)
	}
	if srv.Count() != 1 {
		t.Errorf("%d requests", srv.Count())
	}
	d.ok(t, "cc52", "--model=local/tiny")
	if srv.Count() != 2 {
		t.Errorf("%d requests: a wish asks anew", srv.Count())
	}
}

func TestRecapByAModelJSON(t *testing.T) {
	d, _ := withNext(t)
	text := d.ok(t, openID, "--suggest", "--model=local/tiny", "--json")
	r := decode[api.Result](t, text)
	if r.Reason != nil || r.Record == nil || !r.Fresh || r.Record.Source != "model" || r.Record.Suggestion != openNext {
		t.Fatalf("%s", text)
	}
	if r.Record.Model == nil || r.Record.Model.Provider != "local" || r.Record.Model.ID != "tiny" {
		t.Errorf("model %+v", r.Record.Model)
	}
	if u := r.Record.Usage; u == nil || u.InputTokens != 900 || u.OutputTokens != 60 || u.CostUSD == nil || *u.CostUSD != 0 {
		t.Errorf("usage %+v", u)
	}
	v := object(t, text)
	holds(t, keys(t, v, "record", "model"), "provider,id")
	holds(t, keys(t, v, "record", "usage"), "inputTokens,outputTokens,cachedTokens,costUsd")
	holds(t, keys(t, v, "record", "fieldSources"), "recap,away,suggestion")
}

func TestSuggestionIsShown(t *testing.T) {
	d, srv := withNext(t)
	out := d.ok(t, openID, "--suggest", "--model=local/tiny")
	if !strings.Contains(out, "→ next: "+openNext) {
		t.Errorf("recap --suggest: %s", out)
	}
	for _, args := range [][]string{{openID}, {"show", openID}} {
		if out := d.ok(t, args...); strings.Count(out, "→ next: "+openNext) != 1 {
			t.Errorf("%v: %s", args, out)
		}
	}
	d.env["LANG"] = "C"
	if out := d.ok(t, openID); !strings.Contains(out, "-> next: "+openNext) {
		t.Errorf("ASCII: %s", out)
	}
	// Empty is a success.
	srv.Answer(reply(t, "recap", saidRecap, "away", saidAway, "suggestion", ""))
	a := d.run(t, "cc52", "--suggest", "--model=local/tiny")
	if a.code != 0 || strings.Contains(a.out, "next:") || !strings.Contains(a.out, saidAway) {
		t.Errorf("%d\n%s%s", a.code, a.out, a.err)
	}
}

// Refused: 4, failed: 1, each with the free recap and the reason, also in why.
func TestModelCallsThatGiveNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings string
		reply    llmtest.Reply
		args     []string
		exit     int
		code     string
		says     string // on stderr
		requests int
	}{
		{"no model at all", "", llmtest.Reply{}, []string{"cc52", "--model"}, 4, "no-permitted-model", "recap doctor", 0},
		{"--suggest alone", "", llmtest.Reply{}, []string{"cc52", "--suggest"}, 4, "no-permitted-model", "recap doctor", 0},
		{"a provider without a login", "", llmtest.Reply{}, []string{"cc52", "--model=mistral/mistral-small-latest"}, 4, "no-provider-login", "MISTRAL_API_KEY is not set", 0},
		{"a key that is not set", "", llmtest.Reply{}, []string{"cc52", "--model=keyed/tiny"}, 4, "no-provider-login", "KEYED is not set", 0},
		{"nobody knows it", "", llmtest.Reply{}, []string{"cc52", "--model=nosuch/tiny"}, 4, "provider-unsupported", "does not know this provider", 0},
		{"E62 override without a login", "[model]\noverride = \"mistral/x\"\n", llmtest.Reply{}, []string{"cc52", "--model"}, 4, "no-provider-login", "MISTRAL_API_KEY", 0},
		{"budget", "[budget]\ndaily_tokens = 0\n", llmtest.Reply{}, []string{"cc52", "--model=local/tiny"}, 4, "budget-exceeded", "--over-budget", 0},
		{"waits for approval", "", llmtest.Reply{}, []string{"f6fa", "--model=local/tiny"}, 4, "not_enough_conversation", "no complete answer", 0},
		{"401", "", llmtest.Reply{Status: 401, Message: "bad key"}, []string{"cc52", "--model=local/tiny"}, 1, "no-provider-login", "bad key) (recap doctor says which key that is", 1},
		{"429", "", llmtest.Reply{Status: 429, Message: "slow down"}, []string{"cc52", "--model=local/tiny"}, 1, "rate-limited", "slow down", 1},
		{"500", "", llmtest.Reply{Status: 500, Message: "oops"}, []string{"cc52", "--model=local/tiny"}, 1, "provider-error", "the provider failed", 1},
		{"the provider says the prompt is too long", "", llmtest.Reply{Status: 413, Message: "too large"}, []string{"cc52", "--model=local/tiny"}, 1, "context-too-small", "too small", 1},
		{"H5 login notice", "", llmtest.Reply{Text: "Invalid API key · Please run /login"}, []string{"cc52", "--model=local/tiny"}, 1, "no-provider-login", "local", 1},
		{"H5 limit notice", "", llmtest.Reply{Text: "You have reached your usage limit. Try again at 5pm."}, []string{"cc52", "--model=local/tiny"}, 1, "rate-limited", "local", 1},
		{"the guards", "", llmtest.Reply{Text: `{"recap":"All 999 tests were deployed.","away":"All 999 tests were deployed."}`}, []string{"cc52", "--model=local/tiny"}, 1, "guarded", "did not pass the checks", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, srv := withModel(t, c.settings)
			srv.Answer(c.reply)
			want := free
			if c.args[0] == "f6fa" {
				want = "2025年"
			}
			a := d.run(t, c.args...)
			if a.code != c.exit || !strings.Contains(a.out, want) {
				t.Errorf("exit code %d, want %d\n%s%s", a.code, c.exit, a.out, a.err)
			}
			if !strings.Contains(a.err, c.says) {
				t.Errorf("the reason: %q", a.err)
			}
			if srv.Count() != c.requests {
				t.Errorf("%d requests, want %d", srv.Count(), c.requests)
			}
			if why := d.ok(t, "why", c.args[0]); !strings.Contains(why, ": no recap by a model: ") || !strings.Contains(why, " ("+c.code+")") ||
				!strings.Contains(why, "\n    → ") {
				t.Errorf("why: %s", why)
			}
			j := d.run(t, append(c.args, "--json")...)
			r := decode[api.Result](t, j.out)
			if j.code != c.exit || r.Reason == nil || r.Reason.Code != c.code || r.Reason.Message == "" || r.Reason.Hint == "" || r.Record == nil || r.Record.Source != "extractive" || !r.Fresh {
				t.Errorf("%d %s", j.code, j.out)
			}
			if j.err != "" {
				t.Errorf("stderr beside JSON: %q", j.err)
			}
		})
	}
}

func TestOverBudget(t *testing.T) {
	d, srv := withModel(t, "[budget]\ndaily_tokens = 0\n")
	if a := d.run(t, "cc52", "--model=local/tiny", "--over-budget"); a.code != 0 || !strings.Contains(a.out, saidAway) || srv.Count() != 1 {
		t.Errorf("%d\n%s%s", a.code, a.out, a.err)
	}
	if a := d.run(t, "cc52", "--over-budget"); a.code != 2 {
		t.Errorf("--over-budget alone: %d", a.code)
	}
	// A model on this machine costs no dollars.
	d, srv = withModel(t, "[budget]\ndaily_usd = 0\n")
	if a := d.run(t, "cc52", "--model=local/tiny"); a.code != 0 || srv.Count() != 1 {
		t.Errorf("%d\n%s%s", a.code, a.out, a.err)
	}
}

func TestFlagsThatContradict(t *testing.T) {
	d, srv := withModel(t, "")
	for _, args := range [][]string{
		{"cc52", "--no-model", "--model"},
		{"cc52", "--no-model", "--suggest"},
		{"cc52", "--no-model", "--dry-run"},
		{"cc52", "--model=tiny"},
		{"cc52", "--model=local/"},
		{"cc52", "--model=/tiny"},
	} {
		if a := d.run(t, args...); a.code != 2 || a.out != "" {
			t.Errorf("%v: %d %s", args, a.code, a.out)
		}
	}
	if srv.Count() != 0 {
		t.Errorf("%d requests", srv.Count())
	}
}

func TestModelManual(t *testing.T) {
	d, srv := withModel(t, "[model]\nmanual = true\noverride = \"local/tiny\"\n")
	for range 2 { // the second time a model has spoken
		if out := d.ok(t, "cc52"); !strings.Contains(out, saidAway) {
			t.Errorf("%s", out)
		}
	}
	if srv.Count() != 1 {
		t.Errorf("%d requests", srv.Count())
	}
	if d.ok(t, "10925", "--no-model"); srv.Count() != 1 {
		t.Errorf("--no-model asked: %d", srv.Count())
	}
	// Without a flag no model is no failure; the reason is there.
	srv.Answer(llmtest.Reply{Status: 500, Message: "oops"})
	a := d.run(t, "10925")
	if a.code != 0 || a.out == "" || !strings.Contains(a.err, "the provider failed") {
		t.Errorf("%d\n%s%s", a.code, a.out, a.err)
	}
	r := decode[api.Result](t, d.ok(t, "10925", "--json"))
	if r.Reason == nil || r.Reason.Code != "provider-error" || r.Record.Source != "extractive" {
		t.Errorf("%+v", r.Reason)
	}
}

func TestModelOverrideAndCross(t *testing.T) {
	d, srv := withModel(t, "[model]\noverride = \"local/vendor/tiny\"\n")
	d.ok(t, "cc52", "--model")
	if got := srv.Last().Asked().Model; got != "vendor/tiny" {
		t.Errorf("split at the first slash: %q", got)
	}
	d, srv = withModel(t, "[model]\nallow_cross_provider = true\n")
	if a := d.run(t, "cc52", "--model"); a.code != 0 || srv.Count() != 1 {
		t.Errorf("allow_cross_provider: %d, %d requests\n%s", a.code, srv.Count(), a.err)
	}
	d, srv = withModel(t, "")
	if a := d.run(t, "cc52", "--model"); a.code != 4 || srv.Count() != 0 {
		t.Errorf("without it: %d, %d requests\n%s", a.code, srv.Count(), a.err)
	}
}

func TestDryRun(t *testing.T) {
	d, srv := withModel(t, "")
	out := d.ok(t, "cc52", "--dry-run", "--model=local/tiny")
	for _, want := range []string{"model: local/tiny", "because: --model", "key: config", "price: free (local)", "secrets replaced", "\nsystem\n", "\nprompt\n", "nothing was sent"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	text := d.ok(t, "cc52", "--dry-run", "--suggest", "--model=local/tiny", "--json")
	r := decode[api.DryRun](t, text)
	holds(t, keys(t, object(t, text)), "model,system,prompt,fields,inputTokensEstimate,costUsdEstimate,redactions,permitted,reason")
	holds(t, keys(t, object(t, text), "model"), "provider,id,why")
	if !r.Permitted || r.Reason != nil || r.Model == nil || r.Model.Provider != "local" || r.Model.ID != "tiny" || r.Model.Why != "--model" ||
		strings.Join(r.Fields, ",") != "recap,away,suggestion" || r.InputTokensEstimate <= 0 || r.CostUSDEstimate == nil || *r.CostUSDEstimate != 0 || r.System == "" || r.Prompt == "" {
		t.Errorf("%s", text)
	}
	if srv.Count() != 0 {
		t.Fatalf("%d requests", srv.Count())
	}
	if out := d.ok(t, "egress"); !strings.Contains(out, "Nothing has left") {
		t.Errorf("egress: %s", out)
	}
	// What a dry run shows is what leaves.
	d.ok(t, "cc52", "--suggest", "--model=local/tiny")
	if a := srv.Last().Asked(); a.User != r.Prompt || a.System != r.System {
		t.Error("other bytes were sent")
	}
}

func TestDryRunRefused(t *testing.T) {
	d, _ := withModel(t, "")
	a := d.run(t, "cc52", "--dry-run", "--json")
	r := decode[api.DryRun](t, a.out)
	if a.code != 4 || r.Permitted || r.Model != nil || r.Reason == nil || r.Reason.Code != "no-permitted-model" || r.Reason.Message == "" {
		t.Errorf("%d %s", a.code, a.out)
	}
	a = d.run(t, "cc52", "--dry-run")
	if a.code != 4 || !strings.Contains(a.out, "refused: ") || !strings.Contains(a.out, "not: model.override (not set)") || !strings.Contains(a.out, "nothing was sent") {
		t.Errorf("%d %s", a.code, a.out)
	}
	// Of a key that is not there no provider said anything.
	a = d.run(t, "cc52", "--dry-run", "--model=anthropic/some-model")
	if a.code != 4 || !strings.Contains(a.out, "refused: anthropic: there is no key for it") || strings.Contains(a.out, "did not accept") {
		t.Errorf("%d %s", a.code, a.out)
	}
	// A session that waits: the model is named all the same.
	a = d.run(t, "f6fa", "--dry-run", "--model=local/tiny", "--json")
	r = decode[api.DryRun](t, a.out)
	if a.code != 4 || r.Permitted || r.Model == nil || r.Reason == nil || r.Reason.Code != "not_enough_conversation" {
		t.Errorf("%d %s", a.code, a.out)
	}
}

// A dry run says what a cap would say.
func TestDryRunBeyondACap(t *testing.T) {
	d, srv := withModel(t, "[budget]\nsession_tokens = 100\n")
	a := d.run(t, "cc52", "--dry-run", "--model=local/tiny", "--json")
	r := decode[api.DryRun](t, a.out)
	if a.code != 4 || r.Permitted || r.Model == nil || r.Prompt == "" || r.Reason == nil || r.Reason.Code != "budget-exceeded" || !strings.Contains(r.Reason.Message, "budget.session_tokens") {
		t.Errorf("%d %s", a.code, a.out)
	}
	a = d.run(t, "cc52", "--dry-run", "--model=local/tiny")
	if a.code != 4 || !strings.Contains(a.out, "refused: ") || !strings.Contains(a.out, "--over-budget") || !strings.Contains(a.out, "nothing was sent") {
		t.Errorf("%d %s", a.code, a.out)
	}
	if out := d.ok(t, "cc52", "--dry-run", "--model=local/tiny", "--over-budget"); strings.Contains(out, "refused") {
		t.Errorf("%s", out)
	}
	if srv.Count() != 0 {
		t.Errorf("%d requests", srv.Count())
	}
}

func TestPriceOfADryRun(t *testing.T) {
	d, _ := withModel(t, "")
	d.env["KEYED"], d.env["ANTHROPIC_API_KEY"] = "sk-made-for-tests", "sk-made-for-tests"
	if out := d.ok(t, "cc52", "--dry-run", "--model=keyed/tiny"); !strings.Contains(out, "price: price unknown\n") {
		t.Errorf("never as zero: %s", out)
	}
	out := d.ok(t, "cc52", "--dry-run", "--model=anthropic/claude-haiku-4-5-20251001")
	if !regexp.MustCompile(`price: \$0\.0\d* at most`).MatchString(out) {
		t.Errorf("%s", out)
	}
}

func TestSpendAndEgress(t *testing.T) {
	d, srv := withModel(t, "")
	d.env["KEYED"] = llmtest.Key
	d.ok(t, "cc52", "--model=local/tiny")
	d.ok(t, "cc52", "--model=keyed/tiny")
	srv.Answer(llmtest.Reply{Status: 429, Message: "slow down"})
	d.run(t, "cc52", "--model=keyed/tiny")

	text := d.ok(t, "spend", "--json")
	s := decode[api.Spend](t, text)
	if s.Calls != 3 || s.Tokens != 1920 || s.CostUSD != 0 || s.PriceUnknown != 1 || len(s.Caps) != 3 || len(s.Entries) != 3 {
		t.Errorf("%s", text)
	}
	out := d.ok(t, "spend")
	for _, want := range []string{"3 calls", "1920 tokens", "of unknown price", "budget.daily_usd = 1", "keyed/tiny", "local/tiny", "price unknown", "the provider's limit is reached"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	lines := strings.Split(strings.TrimSpace(d.ok(t, "egress", "--json")), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	e := decode[api.Egress](t, lines[0])
	if e.Provider != "keyed" || e.Model != "tiny" || e.Host != strings.TrimPrefix(srv.URL, "http://") || e.Purpose != "recap,away" || e.Characters == 0 || !strings.HasPrefix(e.Session, "cc52") {
		t.Errorf("%s", lines[0])
	}
	if out := d.ok(t, "egress"); strings.Count(out, "\n") != 3 || strings.Contains(out, llmtest.Key) {
		t.Errorf("%s", out)
	}
	d.ok(t, "forget", "cc52")
	if s := decode[api.Spend](t, d.ok(t, "spend", "--json")); s.Tokens != 1920 {
		t.Errorf("forgetting frees no budget: %+v", s)
	}
	if out := d.ok(t, "egress"); !strings.Contains(out, "Nothing has left") {
		t.Errorf("%s", out)
	}
}

// Without a session doctor names the model that serves all, or says why there
// is none.
func TestDoctorNamesTheModelBeforeTheFirstSession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, settings, says string }{
		{"an override", "[model]\noverride = \"local/tiny\"\n", "any session: local/tiny, model.override"},
		{"one that can't be asked", "[model]\noverride = \"keyed/tiny\"\n", "any session: none (keyed: "},
		{"nothing", "", "none: there is no session yet to say which"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := withModel(t, c.settings)
			if err := os.RemoveAll(filepath.Join(d.home, "agents")); err != nil {
				t.Fatal(err)
			}
			out := strings.Join(strings.Fields(d.ok(t, "doctor")), " ")
			if _, models, _ := strings.Cut(out, " Models "); !strings.HasPrefix(models, c.says) {
				t.Errorf("doctor: %s", out)
			}
		})
	}
}

func TestDoctorNamesTheModels(t *testing.T) {
	d, srv := withModel(t, "[model]\noverride = \"local/tiny\"\n")
	var r struct{ Models []api.DoctorModel }
	if err := json.Unmarshal([]byte(d.ok(t, "doctor", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Models) != 5 {
		t.Fatalf("%d models", len(r.Models))
	}
	for _, m := range r.Models {
		if m.Provider != "local" || m.Model != "tiny" || m.Why != "model.override" || m.Problem != "" {
			t.Errorf("%+v", m)
		}
	}
	d.settings(t, "")
	r.Models = nil
	if err := json.Unmarshal([]byte(d.ok(t, "doctor", "--json")), &r); err != nil || len(r.Models) != 5 {
		t.Fatalf("%d models, %v", len(r.Models), err)
	}
	for _, m := range r.Models {
		if m.Provider != "" || m.Problem == "" || len(m.Rejected) == 0 {
			t.Errorf("%+v", m)
		}
	}
	if srv.Count() != 0 {
		t.Errorf("%d requests", srv.Count())
	}
}

// Ctrl-C ends the request at the socket; the free recap is shown.
func TestCtrlC(t *testing.T) {
	d, srv := withModel(t, "")
	srv.Answer(llmtest.Reply{Hang: true})
	late := time.Hour
	for try := 0; late > 50*time.Millisecond; try++ { // a busy machine may be late once
		if try == 5 {
			t.Fatalf("the socket closed after %v, and so in five tries", late)
		}
		ctx, stop := context.WithCancel(t.Context())
		var at time.Time
		go func() {
			<-srv.Arrived()
			at = time.Now()
			stop()
		}()
		a := d.runContext(ctx, t, "cc52", "--model=local/tiny")
		stop()
		if a.code != 1 || !strings.Contains(a.out, free) || !strings.Contains(a.err, "stopped") {
			t.Errorf("%d\n%s%s", a.code, a.out, a.err)
		}
		late = (<-srv.Left()).Sub(at)
	}
	if why := d.ok(t, "why", "cc52"); !strings.Contains(why, "canceled") {
		t.Errorf("why: %s", why)
	}
}

// The same with the program and a real signal, also that of a terminal that is
// closed: no claim is left behind.
func TestSignalsOfTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	d, srv := withModel(t, "")
	bin := filepath.Join(t.TempDir(), "recap")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../cmd/recap").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	srv.Answer(llmtest.Reply{Hang: true})
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		cmd := exec.CommandContext(t.Context(), bin, "cc52", "--model=local/tiny")
		cmd.Env = append(os.Environ(), "HOME="+d.home)
		for k, v := range d.env {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-srv.Arrived() // with a claim held by the one before, it never does
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		<-srv.Left() // the socket is closed
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), free) || !strings.Contains(errs.String(), "stopped") {
			t.Errorf("%v: %d\n%s%s", sig, cmd.ProcessState.ExitCode(), out.String(), errs.String())
		}
	}
}
