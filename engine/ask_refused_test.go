package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/claudecode"
	"github.com/sessionrecap/recap/agent/codex"
	"github.com/sessionrecap/recap/agent/geminicli"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/agent/qwencode"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// modelled is a source in memory that answers for its models what the agent's
// own files say.
type modelled struct {
	*source
	agent.Modeler
}

// agentCase is an agent whose login recap may not use, and where the person is
// logged in besides.
type agentCase struct {
	agent   recap.Agent
	session recap.ModelRef
	files   map[string]string
	key     map[string]string // the environment in which its own provider has a key; {URL} is its server
	own     llm.Protocol
	ownFile map[string]string // or the files in which it has one
}

func agentCases() []agentCase {
	return []agentCase{
		{
			recap.Claude,
			recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"},
			map[string]string{".credentials.json": "{}"},
			map[string]string{"ANTHROPIC_API_KEY": llmtest.Key, "ANTHROPIC_BASE_URL": "{URL}"},
			llm.Anthropic, nil,
		},
		{
			recap.Codex,
			recap.ModelRef{Provider: "openai", ID: "gpt-5.5"},
			map[string]string{"auth.json": `{"auth_mode":"chatgpt","tokens":{"access_token":"t"}}`},
			nil, llm.OpenAI,
			map[string]string{"auth.json": `{"OPENAI_API_KEY":"` + llmtest.Key + `"}`, "config.toml": "openai_base_url = \"{URL}/v1\"\n"},
		},
		{
			recap.Gemini,
			recap.ModelRef{Provider: "google", ID: "gemini-pro"},
			map[string]string{"oauth_creds.json": "{}"},
			map[string]string{"GEMINI_API_KEY": llmtest.Key, "GOOGLE_GEMINI_BASE_URL": "{URL}"},
			llm.Gemini, nil,
		},
		{
			recap.Qwen,
			recap.ModelRef{Provider: "qwen", ID: "coder-model"},
			map[string]string{"oauth_creds.json": "{}"},
			map[string]string{"OPENAI_API_KEY": llmtest.Key, "OPENAI_BASE_URL": "{URL}/v1", "OPENAI_MODEL": "coder-model"},
			llm.OpenAI, nil,
		},
		{
			recap.OpenCode,
			recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"},
			map[string]string{"auth.json": `{"anthropic":{"type":"oauth","refresh":"t"}}`},
			nil, llm.Anthropic,
			map[string]string{
				"auth.json":                        `{"anthropic":{"type":"api","key":"` + llmtest.Key + `"}}`,
				"~/.config/opencode/opencode.json": `{"provider":{"anthropic":{"options":{"baseURL":"{URL}/v1"}}}}`,
			},
		},
	}
}

// town is an agent's session, a server of every provider, and what was asked of
// whom.
type town struct {
	*asker
	servers map[llm.Protocol]*llmtest.Server

	mu    sync.Mutex
	asked []string // addresses of the providers that a client was made for
}

func newTown(t *testing.T, c agentCase, ownKey bool, change func(k *engine.Asking, o *outbound.Options, e *engine.Options)) *town {
	t.Helper()
	w := &town{servers: map[llm.Protocol]*llmtest.Server{}}
	for _, p := range protocols() {
		w.servers[p] = llmtest.NewServer(t)
		w.servers[p].Answer(llmtest.Reply{Text: trueReply})
	}
	url := w.servers[c.own].URL
	dir := t.TempDir()
	root := filepath.Join(dir, "agent")
	files, env := c.files, map[string]string{"HOME": dir}
	if ownKey {
		if c.ownFile != nil {
			files = c.ownFile
		} else {
			files = nil
		}
		for k, v := range c.key {
			env[k] = strings.ReplaceAll(v, "{URL}", url)
		}
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			path = filepath.Join(dir, rest)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "{URL}", url)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var reals agent.Modeler
	switch c.agent {
	case recap.Claude:
		reals = claudecode.New(claudecode.Config{Root: root})
	case recap.Codex:
		reals = codex.New(codex.Config{Root: root})
	case recap.Gemini:
		reals = geminicli.New(geminicli.Config{Root: root})
	case recap.Qwen:
		reals = qwencode.New(qwencode.Config{Root: root})
	case recap.OpenCode:
		reals = opencode.New(opencode.Config{Root: root})
	}
	src := modelled{newSource(c.agent, root), reals}
	src.add("a", filepath.Join(dir, "src"), time.Hour, login("a", edit("src/login.go"))...)
	src.change("a", func(x *recap.Session) { x.Model = c.session })
	k := &engine.Asking{Catalogue: llm.Catalogue(), Env: func(n string) string { return env[n] }, Owner: "this:1"}
	for _, p := range protocols() { // logged in with all others
		if llm.Catalogue().Same(string(p), c.session.Provider) {
			continue
		}
		login := w.servers[p].Provider(p)
		login.Origin = "env"
		k.Logins = append(k.Logins, login)
	}
	out := outbound.Options{
		Client: func(p llm.Provider) (llm.Client, error) {
			w.mu.Lock()
			w.asked = append(w.asked, p.BaseURL)
			w.mu.Unlock()
			if !strings.HasPrefix(p.BaseURL, "http://127.0.0.1:") {
				return nil, fmt.Errorf("%s is not of this test", p.BaseURL)
			}
			return open(p)
		},
		Now: func() time.Time { return noon }, Caps: store.NoCaps,
	}
	world := newWorld(t, func(o *engine.Options) {
		if change != nil {
			change(k, &out, o)
		}
		out.Ledger = o.Store
		k.Sender = outbound.New(out)
		o.Asking = func() *engine.Asking { return k }
	}, agent.Source(src))
	w.asker = &asker{world, src.source, recap.Session{}}
	w.s = src.sessions["a"]
	return w
}

// requests counts them at every server.
func (w *town) requests() map[llm.Protocol]int {
	out := map[llm.Protocol]int{}
	for p, s := range w.servers {
		if n := s.Count(); n > 0 {
			out[p] = n
		}
	}
	return out
}

// other is a provider that is logged in and is not the session's.
func (c agentCase) other() llm.Protocol {
	for _, p := range protocols() {
		if p != c.own && !llm.Catalogue().Same(string(p), c.session.Provider) {
			return p
		}
	}
	return ""
}

// Text goes to no provider that the person did not choose: in every refused
// case no server of any provider sees a request.
func TestE61E62_RefusedCallsReachNobody(t *testing.T) {
	named := func(m string) recap.ModelRef { return recap.ParseModelRef(m) }
	for _, ac := range agentCases() {
		other := string(ac.other())
		for _, c := range []struct {
			name   string
			model  recap.ModelRef // --model
			change func(k *engine.Asking, o *outbound.Options, e *engine.Options)
			move   func(w *town)
			want   recap.Code
		}{
			{"E61 its provider has no login, others have", recap.ModelRef{}, nil, nil, recap.CodeNoModel},
			{"nobody has a login", recap.ModelRef{}, func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) { k.Logins = nil }, nil, recap.CodeNoLogin},
			{"E62 --model without a login", named("mistral/mistral-small-latest"), nil, nil, recap.CodeNoLogin},
			{"E62 model.override without a login", recap.ModelRef{}, func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) {
				k.Override = named("mistral/mistral-small-latest")
			}, nil, recap.CodeNoLogin},
			{"--model without a login does not fall back to model.override", named("mistral/mistral-small-latest"), func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) {
				k.Override = named(other + "/m")
			}, nil, recap.CodeNoLogin},
			{"--model of a provider nobody knows", named("nosuch/m"), nil, nil, recap.CodeProviderUnsupported},
			{"--model without a model", recap.ModelRef{Provider: other}, nil, nil, recap.CodeNoModel},
			{"allow_cross_provider, and nobody has a login", recap.ModelRef{}, func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) {
				k.Logins, k.AllowCross = nil, true
			}, nil, recap.CodeNoLogin},
			{"it works", named(other + "/m"), nil, func(w *town) { w.s.State = recap.StateBusy }, recap.CodeBusy},
			{"a subagent's", named(other + "/m"), nil, func(w *town) { w.s.ParentID = "p" }, recap.CodeNotEnough},
			{"no answer", named(other + "/m"), nil, func(w *town) {
				w.src.mu.Lock()
				w.src.records["a"] = talk("a", loginAsk)
				w.src.mu.Unlock()
			}, recap.CodeNotEnough},
			{"the budget is used up", named(other + "/m"), func(_ *engine.Asking, o *outbound.Options, _ *engine.Options) { o.Caps = store.Caps{} }, nil, recap.CodeBudget},
			{"redaction fails", named(other + "/m"), func(_ *engine.Asking, o *outbound.Options, _ *engine.Options) {
				o.Redact = func(string) (string, int, error) { return "", 0, errDisk }
			}, nil, recap.CodeRedaction},
			{"muted", named(other + "/m"), nil, func(w *town) {
				if err := w.Mute(t.Context(), &w.s.Ref, "", true); err != nil {
					t.Fatal(err)
				}
			}, recap.CodeMuted},
			{"excluded", named(other + "/m"), func(_ *engine.Asking, _ *outbound.Options, e *engine.Options) {
				e.Excluded = func(string, string) bool { return true }
			}, nil, recap.CodeExcluded},
			{"another process makes it", named(other + "/m"), nil, func(w *town) {
				if err := w.store.Claim(t.Context(), store.Claim{Session: w.s.Ref, Owner: "other:2", Fingerprint: "x"}, noon, time.Minute); err != nil {
					t.Fatal(err)
				}
			}, recap.CodeBusy},
		} {
			t.Run(string(ac.agent)+", "+c.name, func(t *testing.T) {
				w := newTown(t, ac, false, c.change)
				if c.move != nil {
					c.move(w)
				}
				for _, background := range []bool{false, true} {
					r := w.AskModel(t.Context(), w.s, engine.Ask{Fields: all(), Model: c.model, Background: background})
					wantCode(t, r.Err, c.want)
					if r.Record != nil && (r.Record.Source != recap.Extractive || !r.Fresh) {
						t.Errorf("not the free recap: %s", short(r.Record))
					}
					if r.Record == nil && c.want != recap.CodeMuted && c.want != recap.CodeExcluded {
						t.Error("no free recap")
					}
				}
				if got := w.requests(); len(got) > 0 || len(w.asked) > 0 {
					t.Errorf("requests: %v, clients: %v", got, w.asked)
				}
				if sent, err := w.store.Egress(t.Context(), time.Time{}, 0); err != nil || len(sent) > 0 {
					t.Errorf("egress: %+v (%v)", sent, err)
				}
			})
		}
	}
}

// And what is allowed reaches the one that was chosen, and nobody else.
func TestPermittedCallsReachOne(t *testing.T) {
	for _, ac := range agentCases() {
		other := ac.other()
		for _, c := range []struct {
			name   string
			ownKey bool
			model  string
			change func(k *engine.Asking, o *outbound.Options, e *engine.Options)
			want   []llm.Protocol // one of them
		}{
			{"its own provider", true, "", nil, []llm.Protocol{ac.own}},
			{"its own, though others are allowed", true, "", func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) { k.AllowCross = true }, []llm.Protocol{ac.own}},
			{"--model", false, string(other) + "/m", nil, []llm.Protocol{other}},
			{"--model, though its own has a login", true, string(other) + "/m", nil, []llm.Protocol{other}},
			{"model.override", false, "", func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) {
				k.Override = recap.ParseModelRef(string(other) + "/m")
			}, []llm.Protocol{other}},
			{"allow_cross_provider", false, "", func(k *engine.Asking, _ *outbound.Options, _ *engine.Options) { k.AllowCross = true }, protocols()},
		} {
			t.Run(string(ac.agent)+", "+c.name, func(t *testing.T) {
				w := newTown(t, ac, c.ownKey, c.change)
				var m recap.ModelRef
				if c.model != "" {
					m = recap.ParseModelRef(c.model)
				}
				r := w.AskModel(t.Context(), w.s, engine.Ask{Fields: all(), Model: m})
				if r.Err != nil || r.Record.Recap != trueRecap {
					t.Fatalf("%v %s (%v)", r.Err, short(r.Record), w.asked)
				}
				got := w.requests()
				if len(got) != 1 || len(w.asked) != 1 {
					t.Fatalf("requests: %v, clients: %v", got, w.asked)
				}
				for p, n := range got {
					if n != 1 || !slices.Contains(c.want, p) {
						t.Errorf("%d requests at %s, want one of %v", n, p, c.want)
					}
					if _, key := w.servers[p].Last().Key(); key != llmtest.Key {
						t.Error("another key than its own")
					}
				}
			})
		}
	}
}
