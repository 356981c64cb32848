package agent

import (
	"net/url"
	"strings"
)

// Reasons of a ProviderSettings.Problem.
const (
	// SubscriptionLogin: only the agent's own program may use the login.
	SubscriptionLogin = "subscription login"
	// CloudLogin: requests are signed by a cloud's own login.
	CloudLogin = "login of a cloud platform"
	// CommandLogin: the key comes from a command, which recap does not run.
	CommandLogin = "the key comes from a command"
	// OtherProtocol: the provider speaks none of the protocols recap does.
	OtherProtocol = "protocol not supported"
	// KeyProblem begins one of the key alone: it is not where it should be.
	KeyProblem = "key: "
)

// ProviderAt names the provider at an address for agents that name none: its
// usual id where the host is known, else the protocol and the host, such as
// "openai@127.0.0.1:8080". Two addresses are one provider only if their hosts
// are: what was meant for one must not go to the other. Without an address it
// is the protocol's own provider.
func ProviderAt(protocol, baseURL string) string {
	own := map[string]string{"openai": "openai", "anthropic": "anthropic", "gemini": "google"}[protocol]
	if baseURL == "" {
		return own
	}
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" {
		return protocol + "@unknown"
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	if u.Scheme == "https" && hosts(protocol, host) != "" {
		return hosts(protocol, host)
	}
	return protocol + "@" + host
}

// hosts knows the addresses of providers. The same company may have several,
// with keys of their own.
func hosts(protocol, host string) string {
	switch protocol + " " + host {
	case "openai api.openai.com":
		return "openai"
	case "anthropic api.anthropic.com":
		return "anthropic"
	case "gemini generativelanguage.googleapis.com":
		return "google"
	case "openai openrouter.ai":
		return "openrouter"
	case "openai api.deepseek.com":
		return "deepseek"
	case "openai api.groq.com":
		return "groq"
	case "openai api.x.ai":
		return "xai"
	case "openai api.mistral.ai":
		return "mistral"
	case "openai api.cerebras.ai":
		return "cerebras"
	case "openai api.moonshot.ai":
		return "moonshotai"
	case "openai dashscope-intl.aliyuncs.com":
		return "alibaba"
	case "openai dashscope.aliyuncs.com":
		return "alibaba-cn"
	}
	return ""
}

// IsKey reports whether a value of a key's setting can be one: agents write
// "public" or "dummy" where a program insists on a key and none is needed.
func IsKey(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "public", "dummy", "none", "null", "undefined", "sk-no-key-required", "not-needed", "no-key":
		return false
	}
	return true
}
