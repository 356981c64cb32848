package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/llm"
)

// book is a catalogue of a few providers.
type book struct{}

var (
	_ Catalogue = book{}
	_ Catalogue = (*llm.Catalog)(nil)
)

func known() map[string]llm.Known {
	return map[string]llm.Known{
		"anthropic":  {ID: "anthropic", Protocol: llm.Anthropic, BaseURL: "https://api.anthropic.com", KeyVars: []string{"ANTHROPIC_API_KEY"}, Small: "haiku"},
		"openai":     {ID: "openai", Protocol: llm.OpenAI, BaseURL: "https://api.openai.com/v1", KeyVars: []string{"OPENAI_API_KEY"}, Small: "mini"},
		"gemini":     {ID: "gemini", Protocol: llm.Gemini, BaseURL: "https://generativelanguage.googleapis.com", KeyVars: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Small: "flash"},
		"alibaba-cn": {ID: "alibaba-cn", Protocol: llm.OpenAI, BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", Small: "qwen-flash"},
		"plain":      {ID: "plain", Protocol: llm.OpenAI, BaseURL: "https://plain.example/v1"},
		"bedrock":    {ID: "bedrock", Small: "haiku"},
		"azure":      {ID: "azure", Protocol: llm.OpenAI, Small: "mini"},
		"ollama":     {ID: "ollama", Protocol: llm.OpenAI, BaseURL: "http://127.0.0.1:11434/v1", Keyless: true},
	}
}

func (book) id(id string) string {
	switch id {
	case "google":
		return "gemini"
	case "amazon-bedrock":
		return "bedrock"
	}
	return id
}

func (b book) Provider(id string) (llm.Known, bool) { k, ok := known()[b.id(id)]; return k, ok }

func (book) At(u string) (llm.Known, bool) {
	for _, k := range known() {
		if u != "" && sameHost(u, k.BaseURL) {
			return k, true
		}
	}
	return llm.Known{}, false
}

func (b book) Same(x, y string) bool { return b.id(x) == b.id(y) }

func (b book) Model(provider, id string) (llm.Model, bool) {
	if b.id(provider) == "anthropic" && id == "haiku" {
		return llm.Model{ID: id, Context: 200_000, MaxOutput: 8000, Reasons: true}, true
	}
	return llm.Model{ID: id}, false
}

// providers reads "id=login" with "@address" and "!protocol": login is "key",
// "no", "sub", "cmd", "cloud" or "off".
func providers(spec string) []llm.Provider {
	var out []llm.Provider
	for s := range strings.FieldsSeq(spec) {
		s, models, _ := strings.Cut(s, "[")
		s, protocol, _ := strings.Cut(s, "!")
		s, address, _ := strings.Cut(s, "@@")
		id, login, _ := strings.Cut(s, "=")
		p := llm.Provider{ID: id, Protocol: llm.Protocol(protocol), BaseURL: address}
		if models != "" {
			p.Models = strings.Split(strings.TrimSuffix(models, "]"), ",")
		}
		switch login {
		case "key":
			p.Key = llm.NewKey("sk-made-" + id)
		case "open":
			p.Keyless = true
		case "public":
			p.Key = llm.NewKey("public")
		case "sub":
			p.Problem = agent.SubscriptionLogin
		case "cmd":
			p.Problem = agent.CommandLogin
		case "cloud":
			p.Problem = agent.CloudLogin
		case "off":
			p.Problem = "disabled in OpenCode's settings"
		}
		out = append(out, p)
	}
	return out
}

func ref(s string) recap.ModelRef {
	if s == "" {
		return recap.ModelRef{}
	}
	return recap.ParseModelRef(s)
}

func TestResolve(t *testing.T) {
	const (
		none        = string(recap.CodeNoModel)
		login       = string(recap.CodeNoLogin)
		unsupported = string(recap.CodeProviderUnsupported)
		claude      = "anthropic/opus"
		codex       = "openai/gpt"
		gem         = "google/pro"
		qwen        = "alibaba-cn/max"
		open        = "openrouter/vendor/big"
		router      = "openrouter=key@@https://openrouter.ai/api/v1!openai"
		gateway     = "anthropic@gw.example=key@@https://gw.example!anthropic"
	)
	for _, c := range []struct {
		name                              string
		explicit, override, small, agents string // agents: the session's model
		cross                             bool
		have, want                        string
	}{
		// Claude Code.
		{"claude, key", "", "", "", claude, false, "anthropic=key", "4 anthropic/haiku"},
		{"claude, subscription", "", "", "", claude, false, "anthropic=sub", login},
		{"claude, no login", "", "", "", claude, false, "anthropic=no", login},
		{"claude, nothing known of its login", "", "", "", claude, false, "", login},
		{"claude, a command makes keys", "", "", "", claude, false, "anthropic=cmd", login},
		{"claude, E62 sentinel", "", "", "", claude, false, "anthropic=public", login},
		{"claude, Bedrock", "", "", "", "amazon-bedrock/opus", false, "amazon-bedrock=cloud", unsupported},
		{"claude, Bedrock, key of Anthropic there", "", "", "", "amazon-bedrock/opus", false, "amazon-bedrock=cloud anthropic=key", none},
		{"claude, small model set", "", "", "anthropic/haiku-3", claude, false, "anthropic=key", "3 anthropic/haiku-3"},
		{"claude, small model set, subscription", "", "", "anthropic/haiku-3", claude, false, "anthropic=sub", login},
		{"claude, gateway", "", "", "", "anthropic@gw.example/opus", false, gateway, "5 anthropic@gw.example/opus"},
		{"claude, gateway with a small model", "", "", "anthropic@gw.example/s", "anthropic@gw.example/opus", false, gateway, "3 anthropic@gw.example/s"},
		{"claude, gateway without a key, Anthropic's key is not for it", "", "", "", "anthropic@gw.example/opus", false, "anthropic@gw.example=no@@https://gw.example!anthropic anthropic=key", none},
		{"claude, subscription, OpenAI's key there", "", "", "", claude, false, "anthropic=sub openai=key", none},
		{"claude, subscription, cross allowed", "", "", "", claude, true, "anthropic=sub openai=key", "6 openai/mini"},
		{"claude, key, cross allowed", "", "", "", claude, true, "openai=key anthropic=key", "4 anthropic/haiku"},
		{"claude, subscription, cross allowed, nobody there", "", "", "", claude, true, "anthropic=sub openai=no", login},
		{"claude, local gateway without a key", "", "", "", "anthropic@127.0.0.1:9/opus", false, "anthropic@127.0.0.1:9=no@@http://127.0.0.1:9!anthropic", "5 anthropic@127.0.0.1:9/opus"},
		// Codex.
		{"codex, key", "", "", "", codex, false, "openai=key", "4 openai/mini"},
		{"codex, ChatGPT", "", "", "", codex, false, "openai=sub", login},
		{"codex, ChatGPT, cross allowed", "", "", "", codex, true, "openai=sub gemini=key", "6 gemini/flash"},
		{"codex, ChatGPT, cross not allowed", "", "", "", codex, false, "openai=sub gemini=key", none},
		{"codex, own provider", "", "", "", "gw/m", false, "gw=key@@https://gw.example/v1!openai openai=key", "5 gw/m"},
		{"codex, own provider without a key", "", "", "", "gw/m", false, "gw=no@@https://gw.example/v1!openai openai=key", none},
		{"codex, own provider without an address", "", "", "", "gw/m", false, "gw=key!openai", unsupported},
		{"codex, own provider at a known host", "", "", "", "gw/m", false, "gw=key@@https://api.openai.com/v1!openai", "4 gw/mini"},
		{"codex, known host, other protocol", "", "", "", "gw/m", false, "gw=key@@https://api.openai.com/v1!anthropic", "5 gw/m"},
		{"codex, Azure", "", "", "", "azure/m", false, "azure=key", unsupported},
		{"codex, local server by name", "", "", "", "ollama/llama", false, "ollama=no@@http://127.0.0.1:11434/v1!openai", "5 ollama/llama"},
		{"codex, local server nobody listed", "", "", "", "ollama/llama", false, "", "5 ollama/llama"},
		{"codex, server in the house", "", "", "", "lab/m", false, "lab=no@@http://192.168.1.5:8000/v1!openai", "5 lab/m"},
		{"codex, keyless elsewhere", "", "", "", "lab/m", false, "lab=no@@http://lab.example.com/v1!openai", login},
		// Gemini CLI.
		{"gemini, key", "", "", "", gem, false, "google=key", "4 google/flash"},
		{"gemini, key under the other name", "", "", "", gem, false, "gemini=key", "4 gemini/flash"},
		{"gemini, Google login", "", "", "", gem, false, "google=sub", login},
		{"gemini, Google login, cross allowed", "", "", "", gem, true, "google=sub plain=key anthropic=key", "6 anthropic/haiku"},
		{"gemini, Vertex", "", "", "", "google-vertex/pro", false, "google-vertex=cloud google=key", none},
		// Qwen Code.
		{"qwen, key", "", "", "", qwen, false, "alibaba-cn=key", "4 alibaba-cn/qwen-flash"},
		{"qwen, fast model", "", "", "alibaba-cn/fast", qwen, false, "alibaba-cn=key", "3 alibaba-cn/fast"},
		{"qwen, Qwen login", "", "", "", "qwen-oauth/coder", false, "qwen-oauth=sub", login},
		{"qwen, Qwen login, a key of Alibaba is not for it", "", "", "", "qwen-oauth/coder", false, "qwen-oauth=sub alibaba-cn=key", none},
		{"qwen, provider not known", "", "", "", "coder", false, "alibaba-cn=key", none},
		{"qwen, provider not known, no login anywhere", "", "", "", "coder", false, "", none},
		{"qwen, provider not known, cross allowed", "", "", "", "coder", true, "alibaba-cn=key", "6 alibaba-cn/qwen-flash"},
		{"qwen, local server", "", "", "", "openai@127.0.0.1:5/m", false, "openai@127.0.0.1:5=no@@http://127.0.0.1:5/v1!openai openai=key", "5 openai@127.0.0.1:5/m"},
		// OpenCode.
		{"opencode, small_model", "", "", "openai/mini-x", claude, false, "openai=key anthropic=key", "3 openai/mini-x"},
		{"opencode, E61 small_model of a provider without a login", "", "", "openai/mini-x", claude, false, "openai=no anthropic=key", login},
		{"opencode, small_model nobody knows", "", "", "lab/s", claude, false, "anthropic=key", unsupported},
		{"opencode, small_model under a subscription", "", "", "anthropic/haiku", open, false, "anthropic=sub " + router, login},
		{"opencode, small_model disabled", "", "", "anthropic/haiku", open, false, "anthropic=off " + router, unsupported},
		{"opencode, router has no small model", "", "", "", open, false, router, "5 openrouter/vendor/big"},
		{"opencode, disabled since", "", "", "", claude, false, "anthropic=off openai=key", none},
		{"opencode, free models have a sentinel", "", "", "", "zen/free", false, "zen=public@@https://zen.example/v1!openai", login},
		{"opencode, protocol of the catalogue", "", "", "", claude, false, "anthropic=key", "4 anthropic/haiku"},
		{"opencode, address without a protocol", "", "", "", "mine/m", false, "mine=key@@https://mine.example/v1", "5 mine/m"},
		{"opencode, another protocol than the usual address speaks", "", "", "", codex, false, "openai=key!anthropic", unsupported},
		{"opencode, neither", "", "", "", "mine/m", false, "mine=key", unsupported},
		{"opencode, session without an answer", "", "", "", "", false, "anthropic=key", none},
		// The person's word.
		{"--model", "openai/gpt-x", "", "", claude, false, "openai=key anthropic=key", "1 openai/gpt-x"},
		{"--model before the override and small_model", "openai/a", "anthropic/b", "gemini/c", claude, false, "openai=key anthropic=key gemini=key", "1 openai/a"},
		{"--model, id with slashes", "openrouter/vendor/big:free", "", "", claude, false, router, "1 openrouter/vendor/big:free"},
		{"--model, E62 no login", "openai/gpt-x", "", "", claude, false, "anthropic=key", login},
		{"--model, E62 no login, cross allowed", "openai/gpt-x", "", "", claude, true, "anthropic=key", login},
		{"--model, subscription", "openai/gpt-x", "", "", claude, false, "openai=sub anthropic=key", login},
		{"--model, nobody knows it", "nowhere/x", "", "", claude, false, "anthropic=key", unsupported},
		{"--model, cloud", "bedrock/x", "", "", claude, false, "bedrock=key anthropic=key", unsupported},
		{"--model, by another name", "gemini/x", "", "", claude, false, "google=key", "1 google/x"},
		{"--model without a provider", "sonnet", "", "", claude, false, "anthropic=key openai=key", "1 anthropic/sonnet"},
		{"--model without a provider, session under subscription", "sonnet", "", "", claude, false, "anthropic=sub openai=key", none},
		{"--model, a provider alone", "openai/", "", "", claude, false, "openai=key", none},
		{"--model of a local server nobody listed", "ollama/llama", "", "", claude, false, "", "1 ollama/llama"},
		{"--model not among those listed", "plain/z", "", "", claude, false, "plain=key[a,b]", "1 plain/z"},
		{"override", "", "openai/o", "", claude, false, "openai=key anthropic=key", "2 openai/o"},
		{"override before small_model", "", "openai/o", "anthropic/h", claude, false, "openai=key anthropic=key", "2 openai/o"},
		{"override, id with slashes", "", "openrouter/a/b/c", "", claude, false, router, "2 openrouter/a/b/c"},
		{"override, E62 no login", "", "openai/o", "anthropic/h", claude, false, "anthropic=key", login},
		{"override, E62 no login, cross allowed", "", "openai/o", "", claude, true, "openai=sub anthropic=key", login},
		{"override, E62 nothing but headers in the settings", "", "openai/o", "", claude, false, "openai=open anthropic=key", login},
		{"override, a gateway that asks for no key", "", "openai/o", "", claude, false, "openai=open@@https://gw.example/v1", "2 openai/o"},
		// What the settings list.
		{"small model is not listed", "", "", "", claude, false, "anthropic=key[opus,sonnet]", "5 anthropic/opus"},
		{"small model is listed", "", "", "", claude, false, "anthropic=key[opus,haiku]", "4 anthropic/haiku"},
		{"cross, first of the listed", "", "", "", claude, true, "anthropic=sub mine=key@@https://mine.example/v1!openai[s,t]", "6 mine/s"},
		{"cross, in the order of the list", "", "", "", claude, true, "anthropic=sub gemini=key openai=key", "6 gemini/flash"},
		{"cross, none has a small model", "", "", "", claude, true, "anthropic=sub plain=key", none},
		{"cross is not for a session whose provider answers", "", "", "", "plain/", true, "plain=key openai=key", none},
		{"no provider at all, cross allowed", "", "", "", claude, true, "", login},
	} {
		t.Run(c.name, func(t *testing.T) {
			choice, err := Resolve(Candidates{
				Explicit: ref(c.explicit), Override: ref(c.override), AgentSmall: ref(c.small), AgentSmallOrigin: "small_model of a file",
				Session: ref(c.agents), AllowCross: c.cross, Providers: providers(c.have), Catalogue: book{},
			})
			got := fmt.Sprintf("%d %s/%s", choice.Step, choice.Provider.ID, choice.Model)
			if err != nil {
				got = string(recap.CodeOf(err))
				if _, ok := errors.AsType[*llm.Error](err); !ok || choice.Model != "" || choice.Provider.ID != "" || len(choice.Rejected) == 0 {
					t.Errorf("error %T with %v", err, choice)
				}
			} else if !choice.Provider.Usable() {
				t.Errorf("the provider can't be asked: %+v", choice.Provider)
			}
			if got != c.want {
				t.Errorf("got %s, want %s (%v; %v)", got, c.want, err, choice.Rejected)
			}
			if text := fmt.Sprintf("%v %+v %#v", err, choice, choice.Rejected); strings.Contains(text, "sk-made-") {
				t.Errorf("a key is shown: %s", text)
			}
		})
	}
}

func TestResolveSaysWhy(t *testing.T) {
	c := Candidates{AgentSmallOrigin: "small_model of opencode.json", Session: ref("anthropic/opus"), Providers: providers("anthropic=sub openai=no gemini=key"), AllowCross: true, Catalogue: book{}}
	got, err := Resolve(c)
	want := []Rejection{
		{1, "--model", "not set"},
		{2, "model.override", "not set"},
		{3, "small_model of opencode.json", "not set"},
		{4, "anthropic", "subscription login"},
		{5, "anthropic", "subscription login"},
		{6, "openai", "there is no key for it: OPENAI_API_KEY is not set"},
	}
	if err != nil || got.Why != "another provider with a login" || !slices.Equal(got.Rejected, want) {
		t.Errorf("%v, why %q, rejected\n got %+v\nwant %+v", err, got.Why, got.Rejected, want)
	}
	for step, c := range map[int]Candidates{
		1: {Explicit: ref("anthropic/x")}, 2: {Override: ref("anthropic/x")}, 3: {AgentSmall: ref("anthropic/x"), AgentSmallOrigin: "fastModel of settings.json"},
		4: {Session: ref("anthropic/opus")}, 5: {Session: ref("plain/m")},
	} {
		c.Providers, c.Catalogue = providers("anthropic=key plain=key"), book{}
		got, err := Resolve(c)
		why := []string{"", "--model", "model.override", "fastModel of settings.json", "small model of the session's provider", "the session's own model"}[step]
		if err != nil || got.Step != step || got.Why != why || len(got.Rejected) != step-1 {
			t.Errorf("step %d: %v, %+v", step, err, got)
		}
	}
	got, err = Resolve(Candidates{Session: ref("anthropic/opus"), Providers: providers("anthropic=key"), Catalogue: book{}})
	if err != nil || got.Known.Context != 200_000 || !got.Known.Reasons || got.Known.ID != "haiku" {
		t.Errorf("known %+v, %v", got.Known, err)
	}
}

// TestE61_TextStaysWithTheProviderOfTheSession draws settings at random: no
// step but the named ones and an allowed crossing leaves that provider.
func TestE61_TextStaysWithTheProviderOfTheSession(t *testing.T) {
	ids := []string{"anthropic", "openai", "gemini", "google", "plain", "ollama", "azure", "bedrock", "lab", "openai@gw.example"}
	logins := []string{"key", "no", "sub", "cmd", "cloud", "off", "public"}
	rapid.Check(t, func(t *rapid.T) {
		model := func(label string) recap.ModelRef {
			if !rapid.Bool().Draw(t, label+" set") {
				return recap.ModelRef{}
			}
			return recap.ModelRef{Provider: rapid.SampledFrom(append(ids, "")).Draw(t, label), ID: rapid.SampledFrom([]string{"m", ""}).Draw(t, label+" id")}
		}
		var spec []string
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, 6, rapid.ID[string]).Draw(t, "providers") {
			s := id + "=" + rapid.SampledFrom(logins).Draw(t, "login")
			spec = append(spec, s+rapid.SampledFrom([]string{"", "@@https://gw.example/v1!openai", "@@http://127.0.0.1:1/v1"}).Draw(t, "address"))
		}
		c := Candidates{
			Explicit: model("explicit"), Override: model("override"), AgentSmall: model("small"), Session: model("session"),
			AllowCross: rapid.Bool().Draw(t, "cross"), Providers: providers(strings.Join(spec, " ")), Catalogue: book{},
		}
		got, err := Resolve(c)
		named := c.Explicit
		if named == (recap.ModelRef{}) {
			named = c.Override
		}
		if named == (recap.ModelRef{}) {
			named = c.AgentSmall
		}
		if err != nil {
			if got.Model != "" || got.Provider.ID != "" {
				t.Fatalf("refused with %+v", got)
			}
			return
		}
		if !got.Provider.Usable() || got.Model == "" {
			t.Fatalf("chose %+v", got)
		}
		own := c.Session.Provider != "" && (book{}).Same(got.Provider.ID, c.Session.Provider)
		if named != (recap.ModelRef{}) {
			if got.Step > StepAgentSmall || got.Model != named.ID || named.Provider != "" && !(book{}).Same(got.Provider.ID, named.Provider) || named.Provider == "" && !own {
				t.Fatalf("%v was named, chose %+v", named, got)
			}
			return
		}
		if !own && (got.Step != StepCross || !c.AllowCross) {
			t.Fatalf("left the provider of the session: %+v", got)
		}
	})
}

func TestMergeProviders(t *testing.T) {
	key := func(id, k, url string) llm.Provider {
		return llm.Provider{ID: id, Key: llm.NewKey(k), BaseURL: url, Origin: "from " + k}
	}
	one := func(p llm.Provider) []llm.Provider { return []llm.Provider{p} }
	with := func(p llm.Provider, f func(*llm.Provider)) llm.Provider { f(&p); return p }
	const api, gw, gw2 = "https://api.anthropic.com", "https://gw.example", "https://other.example"
	for _, c := range []struct {
		name             string
		own, agents, env []llm.Provider
		want             string
	}{
		{"nothing", nil, nil, nil, ""},
		{"each alone", one(key("a", "1", api)), one(key("b", "2", gw)), one(key("c", "3", gw2)), "a 1 " + api + "; b 2 " + gw + "; c 3 " + gw2},
		{"our own first", one(key("anthropic", "1", gw)), one(key("anthropic", "2", api)), one(key("anthropic", "3", api)), "anthropic 1 " + gw},
		{"our key, no address: not the agent's", one(key("anthropic", "1", "")), one(key("anthropic", "2", gw)), nil, "anthropic 1 -"},
		{"our key, no address: the environment's", one(key("anthropic", "1", "")), one(key("anthropic", "2", gw)), one(key("anthropic", "3", api)), "anthropic 1 " + api},
		{"our address, no key: not the agent's", one(key("anthropic", "", gw)), one(key("anthropic", "2", api)), nil, "anthropic - " + gw},
		{"our address, no key: the environment's", one(key("anthropic", "", gw)), one(key("anthropic", "2", api)), one(key("anthropic", "3", api)), "anthropic 3 " + gw},
		{"our address is the agent's", one(key("anthropic", "", gw+"/v1")), one(key("anthropic", "2", gw)), nil, "anthropic 2 " + gw + "/v1"},
		{"our headers alone", one(with(key("anthropic", "", ""), func(p *llm.Provider) { p.Headers = map[string]string{"X": "1"} })), one(with(key("anthropic", "2", gw), func(p *llm.Provider) { p.Headers = map[string]string{"x": "2", "Y": "3"} })), nil, "anthropic 2 " + gw + " map[X:1 Y:3]"},
		{"our settings without a key, the agent has one", one(with(key("anthropic", "", api), func(p *llm.Provider) { p.Keyless = true })), one(key("anthropic", "2", api)), nil, "anthropic 2 " + api},
		{"our settings without a key, the environment has one", one(with(key("anthropic", "", gw), func(p *llm.Provider) { p.Keyless = true })), nil, one(key("anthropic", "3", api)), "anthropic 3 " + gw},
		{"our own server needs none", one(key("anthropic", "", "http://127.0.0.1:1")), one(key("anthropic", "2", api)), one(key("anthropic", "3", api)), "anthropic - http://127.0.0.1:1"},
		{"the agent's headers stay with its address", one(key("anthropic", "1", api)), one(with(key("anthropic", "2", gw), func(p *llm.Provider) { p.Headers = map[string]string{"Authorization": "t"} })), nil, "anthropic 1 " + api},
		{"agent before environment", nil, one(key("anthropic", "2", "")), one(key("anthropic", "3", api)), "anthropic 2 " + api},
		{"agent without a key", nil, one(key("anthropic", "", "")), one(key("anthropic", "3", api)), "anthropic 3 " + api},
		{"agent without a key at another host", nil, one(key("anthropic", "", gw)), one(key("anthropic", "3", api)), "anthropic - " + gw},
		{"a key of the environment without an address stays at the usual one", nil, one(key("anthropic", "", gw)), one(key("anthropic", "3", "")), "anthropic - " + gw},
		{"a key of the environment without an address", nil, one(key("anthropic", "", "")), one(key("anthropic", "3", "")), "anthropic 3 " + api},
		{"subscription and a key in the environment", nil, one(llm.Provider{ID: "anthropic", Problem: agent.SubscriptionLogin}), one(key("anthropic", "3", api)), "anthropic 3 " + api},
		{"disabled stays so", nil, one(llm.Provider{ID: "anthropic", Problem: "disabled"}), one(key("anthropic", "3", api)), "anthropic - " + api + " disabled"},
		{"a key of ours makes it usable", one(key("anthropic", "1", "")), one(llm.Provider{ID: "anthropic", Problem: agent.SubscriptionLogin}), nil, "anthropic 1 -"},
		{"other protocol in the environment", nil, one(llm.Provider{ID: "anthropic", Protocol: llm.OpenAI}), one(with(key("anthropic", "3", api), func(p *llm.Provider) { p.Protocol = llm.Anthropic })), "anthropic - -"},
		{"two names", nil, one(key("google", "2", "")), one(key("gemini", "3", api)), "google 2 " + api},
		{"two names, our own", one(key("gemini", "1", gw)), one(key("google", "2", "")), one(key("google", "3", api)), "gemini 1 " + gw},
		{"two plans of one company", nil, []llm.Provider{key("zai", "1", gw), key("zai-coding-plan", "2", gw2)}, nil, "zai 1 " + gw + "; zai-coding-plan 2 " + gw2},
		{"two plans, one key in the environment", nil, []llm.Provider{key("zai", "", ""), key("zai-coding-plan", "2", gw2)}, one(key("zai", "3", api)), "zai 3 " + api + "; zai-coding-plan 2 " + gw2},
		{"a plan gets no key of another", nil, []llm.Provider{key("zai", "1", gw), key("zai-coding-plan", "", "")}, one(key("zai", "3", api)), "zai 1 " + gw + "; zai-coding-plan - -"},
		{"the same twice", nil, []llm.Provider{key("a", "1", gw), key("a", "2", gw2)}, nil, "a 1 " + gw},
		{"E62 a sentinel is no key", one(key("anthropic", "public", "")), nil, one(key("anthropic", "3", api)), "anthropic 3 " + api},
	} {
		t.Run(c.name, func(t *testing.T) {
			dash := func(s string) string {
				if s == "" {
					return "-"
				}
				return s
			}
			var got []string
			for _, p := range MergeProviders(c.own, c.agents, c.env) {
				k := p.Key.Reveal()
				s := p.ID + " " + dash(k) + " " + dash(p.BaseURL)
				if p.Problem != "" {
					s += " " + p.Problem
				}
				if len(p.Headers) > 0 {
					s += fmt.Sprintf(" %v", p.Headers)
				}
				got = append(got, s)
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), c.want)
			}
		})
	}
}

func TestAgentProviders(t *testing.T) {
	for _, c := range []struct {
		name    string
		in      agent.ProviderSettings
		keyless bool
	}{
		{"key", agent.ProviderSettings{Key: "k", BaseURL: "http://localhost:1/v1"}, false},
		{"this machine", agent.ProviderSettings{BaseURL: "http://localhost:1/v1"}, true},
		{"this machine, IPv6", agent.ProviderSettings{BaseURL: "http://[::1]:1/v1"}, true},
		{"this machine, mapped", agent.ProviderSettings{BaseURL: "http://[::ffff:127.0.0.1]:1/v1"}, true},
		{"the house", agent.ProviderSettings{BaseURL: "http://10.0.0.2:1/v1"}, true},
		{"a name in the house", agent.ProviderSettings{BaseURL: "http://gpu-box:8000/v1"}, true},
		{"a name of the network", agent.ProviderSettings{BaseURL: "http://gpu.local/v1"}, true},
		{"the world", agent.ProviderSettings{BaseURL: "https://api.example.com/v1"}, false},
		{"the world by number", agent.ProviderSettings{BaseURL: "http://8.8.8.8/v1"}, false},
		{"looks local", agent.ProviderSettings{BaseURL: "http://localhost.example.com/v1"}, false},
		{"login in a header", agent.ProviderSettings{BaseURL: "https://api.example.com", Headers: map[string]string{"authorization": "Bearer t"}}, true},
		{"empty header", agent.ProviderSettings{BaseURL: "https://api.example.com", Headers: map[string]string{"Authorization": ""}}, false},
		{"problem", agent.ProviderSettings{BaseURL: "http://localhost:1", Problem: "x"}, false},
		{"no address", agent.ProviderSettings{}, false},
		{"no address at all", agent.ProviderSettings{BaseURL: "::"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.ID, c.in.Protocol, c.in.Origin = "p", "openai", "somewhere"
			got := AgentProviders([]agent.ProviderSettings{c.in})[0]
			if got.Keyless != c.keyless || got.ID != "p" || got.Protocol != llm.OpenAI || got.Origin != "somewhere" || got.Key.Reveal() != c.in.Key || got.Problem != c.in.Problem {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A key of two lines is refused before anything is booked.
func TestBrokenKey(t *testing.T) {
	for _, p := range []llm.Provider{
		{ID: "plain", Protocol: llm.OpenAI, BaseURL: "http://127.0.0.1:1/v1", Key: llm.NewKey("sk-one\nsk-two")},
		{ID: "plain", Protocol: llm.OpenAI, BaseURL: "http://127.0.0.1:1/v1", Key: llm.NewKey("sk-one"), Headers: map[string]string{"x-team": "a\r\nb"}},
	} {
		_, err := Resolve(Candidates{Explicit: ref("plain/m"), Providers: []llm.Provider{p}, Catalogue: book{}})
		if recap.CodeOf(err) != recap.CodeNoLogin || !strings.Contains(err.Error(), "line break") || strings.Contains(err.Error(), "sk-one") {
			t.Errorf("%v", err)
		}
	}
	if k := llm.NewKey("\ufeffsk-one\r\n"); k.Reveal() != "sk-one" {
		t.Errorf("%q", k.Reveal())
	}
}

// A key that is not where the settings say is a login that is missing.
func TestE62_AKeyThatIsNotThere(t *testing.T) {
	lab := llm.Provider{ID: "lab", Protocol: llm.OpenAI, BaseURL: "https://lab.example/v1", Problem: agent.KeyProblem + "the variable LAB_KEY is not set"}
	_, err := Resolve(Candidates{Explicit: ref("lab/m"), Providers: []llm.Provider{lab}, Catalogue: book{}})
	if recap.CodeOf(err) != recap.CodeNoLogin || !strings.Contains(err.Error(), "LAB_KEY") {
		t.Errorf("%s: %v", recap.CodeOf(err), err)
	}
}
