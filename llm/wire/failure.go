package wire

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/redact"
)

// broken makes the error of a call that got no whole reply.
func (c *Conn) broken(ctx context.Context, req llm.Request, err error) error {
	e := llm.Error{Code: recap.CodeProviderError, Err: cause(err)}
	var (
		timeout net.Error
		cert    *tls.CertificateVerificationError
		dns     *net.DNSError
		op      *net.OpError
		proxy   *proxyError
	)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Code, e.Err = recap.CodeTimeout, context.DeadlineExceeded
	case ctx.Err() != nil:
		e.Code, e.Err = recap.CodeCanceled, context.Canceled
	case errors.As(err, &proxy):
		e.Detail = proxy.Error()
	case errors.As(err, &op) && (op.Op == "proxyconnect" || op.Op == "socks connect"):
		e.Detail = (&proxyError{"it does not let us through to " + c.Host()}).Error()
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Code = recap.CodeTimeout
	case errors.As(err, &cert):
		e.Detail = "the certificate of " + c.Host() + " is not trusted"
	case errors.As(err, &dns):
		e.Detail = "no such host: " + c.Host()
	case errors.As(err, &op) && op.Op == "dial":
		e.Detail = "no server answers at " + c.Host()
		if c.Local() {
			e.Code = recap.CodeModelUnavailable
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e.Detail = "the connection was cut"
	default:
		e.Detail = "the reply could not be read"
	}
	return c.fail(req, e)
}

// proxyError is what a proxy, or the setting of one, has against a call.
type proxyError struct{ why string }

func (e *proxyError) Error() string {
	return "the proxy can't be used: " + e.why + "; recap doctor names it"
}

// cause keeps what is safe to keep of an error: an [url.Error] holds the whole
// address, and net/http quotes what a broken server wrote.
func cause(err error) error {
	var op *net.OpError
	var ue *url.Error
	switch {
	case errors.As(err, &op):
		return op
	case errors.As(err, &ue) && errors.Is(ue.Err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	}
	return nil
}

// failure is what a provider wrote about an error, in whichever shape.
type failure struct {
	is      bool
	message string
	// kind joins what stands in type, code and status: machines' words.
	kind  string
	code  int
	after time.Duration
}

// status gives the HTTP status that the body names, else fallback.
func (f failure) status(fallback int) int {
	if f.code >= 400 && f.code < 600 {
		return f.code
	}
	if fallback/100 == 2 {
		return http.StatusBadGateway
	}
	return fallback
}

// readFailure understands {"error": {...}}, {"error": "..."}, {"message": ...},
// {"detail": ...}, {"type": "error"} and a list of one of them.
func readFailure(body []byte) failure {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top map[string]any
	if json.Unmarshal(body, &top) != nil {
		return failure{}
	}
	var f failure
	switch e := top["error"].(type) {
	case map[string]any:
		f.is = true
		f.fill(e)
		if meta, ok := e["metadata"].(map[string]any); ok { // OpenRouter: the real provider's words
			if raw, ok := meta["raw"].(string); ok {
				f.message += ": " + raw
			}
		}
	case string:
		f.is = true
		f.message = e
		f.fill(top)
	default:
		f.is = top["type"] == "error" || top["object"] == "error"
		f.fill(top)
	}
	if s, ok := top["estimated_time"].(float64); ok { // Hugging Face: until a model is loaded
		f.after = seconds(s)
	}
	return f
}

func (f *failure) fill(m map[string]any) {
	for _, k := range []string{"message", "detail", "msg", "error_description"} {
		if s, ok := m[k].(string); ok && f.message == "" {
			f.message = s
		}
	}
	for _, k := range []string{"type", "code", "status", "reason"} {
		switch v := m[k].(type) {
		case string:
			f.kind += " " + strings.ToLower(v)
		case float64:
			if v == float64(int(v)) {
				f.code = int(v)
			}
		}
	}
	details, ok := m["details"].([]any)
	if !ok {
		return
	}
	for _, d := range details { // Google
		d, ok := d.(map[string]any)
		if !ok {
			continue
		}
		if s, ok := d["reason"].(string); ok {
			f.kind += " " + strings.ToLower(s)
		}
		if s, ok := d["retryDelay"].(string); ok {
			if after, err := time.ParseDuration(s); err == nil {
				f.after = after
			}
		}
	}
}

func (c *Conn) refused(req llm.Request, resp *http.Response, body []byte) error {
	f := readFailure(body)
	if !f.is && f.message == "" && !isPage(resp.Header, body) {
		f.message = string(body) // plain text: "404 page not found"
	}
	if loc, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		f.message = "it sends us on to " + loc.Host + ", which is not followed: is the base URL right?"
	}
	if isPage(resp.Header, body) {
		f.message = "an error page instead of an answer"
		f.kind = " page"
	}
	return c.refusedAs(req, resp.StatusCode, resp.Header, f)
}

func (c *Conn) refusedAs(req llm.Request, status int, h http.Header, f failure) error {
	e := llm.Error{Status: status, Detail: f.message, Reset: resetAt(h, f.after, time.Now())}
	e.Code = codeOf(status, f)
	e.Loading = e.Code == recap.CodeModelUnavailable && status == http.StatusServiceUnavailable && strings.Contains(strings.ToLower(f.message), "loading")
	e.Form = len(req.Fields) > 0 && !c.p.PlainJSON && e.Code == recap.CodeInvalidRequest && aboutForm(f)
	e.Limits = c.p.Protocol == llm.OpenAI && !c.p.NewLimits && e.Code == recap.CodeInvalidRequest && aboutLimits(f)
	return c.fail(req, e)
}

// aboutLimits reports whether a refusal of a request is one of how the limit of
// the reply is called, or of its temperature.
func aboutLimits(f failure) bool {
	words := strings.ToLower(f.kind + " " + f.message)
	return strings.Contains(words, "max_tokens") || strings.Contains(words, "max_completion_tokens") || strings.Contains(words, "temperature")
}

// aboutForm reports whether a refusal of a request is one of the structured
// output in it.
func aboutForm(f failure) bool {
	words := strings.ToLower(f.kind + " " + f.message)
	for _, w := range [...]string{"response_format", "response format", "responseformat", "json_schema", "json schema", "jsonschema", "responseschema", "response_schema", "responsemimetype", "output_config", "output_format", "structured output", "grammar", "guided_json"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// codeOf is the one table from a provider's refusal to a code. Words are
// looked at only where providers share a status between kinds.
func codeOf(status int, f failure) recap.Code {
	words := f.kind + " " + strings.ToLower(f.message)
	has := func(list ...string) bool {
		for _, w := range list {
			if strings.Contains(words, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status/100 == 3:
		return recap.CodeProviderError
	case f.kind == " page" && status < 500 && status != http.StatusTooManyRequests && status != http.StatusUnauthorized:
		return recap.CodeProviderError // no API writes pages: a proxy, or a wrong address
	}
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		switch {
		case has("api_key_invalid", "api key not valid", "invalid api key"):
			return recap.CodeNoLogin
		case has("context_length_exceeded", "context length", "context window", "prompt is too long", "too many tokens", "exceeds the maximum number of tokens", "exceed_context_size", "context size"):
			return recap.CodeContextTooSmall
		case has("credit balance", "billing", "insufficient_quota", "insufficient balance"):
			return recap.CodeRateLimited
		case has("content_filter", "content management policy", "data_inspection_failed"):
			return recap.CodeProviderError
		case has("model_not_found", "model_decommissioned", "model not exist", "not a valid model", "invalid model", "no models loaded", "model not found"):
			return recap.CodeModelUnavailable
		}
		return recap.CodeInvalidRequest
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return recap.CodeNoLogin
	case http.StatusPaymentRequired, http.StatusTooManyRequests:
		return recap.CodeRateLimited
	case http.StatusNotFound, http.StatusGone:
		if has("model") {
			return recap.CodeModelUnavailable
		}
		return recap.CodeProviderError
	case http.StatusRequestEntityTooLarge:
		return recap.CodeContextTooSmall
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return recap.CodeTimeout
	case http.StatusServiceUnavailable, 529:
		return recap.CodeModelUnavailable
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return recap.CodeProviderUnsupported
	}
	return recap.CodeProviderError
}

// fail completes an error: the provider's name, and a detail that is safe.
func (c *Conn) fail(req llm.Request, e llm.Error) error {
	e.Provider = c.p.ID
	e.Detail = c.clean(e.Detail, req)
	return &e
}

const (
	maxDetail = 200
	// echo is how many characters in a row of a detail are an echo of the
	// prompt when the prompt holds them too.
	echo = 16
)

// clean makes a provider's words safe to show: one line, at most maxDetail
// characters, without the key, headers, secrets and pieces of the prompt.
func (c *Conn) clean(detail string, req llm.Request) string {
	if len(detail) > 8*maxDetail {
		// Up to a space: half a key would not be recognised any more.
		detail = detail[:max(strings.LastIndexByte(detail[:8*maxDetail], ' '), 0)]
	}
	// Before anything is taken out, joined or cut: what is left of a key then is
	// not known for one.
	detail, _, err := redact.Text(detail)
	if err != nil {
		return ""
	}
	for _, secret := range c.secrets() {
		detail = strings.ReplaceAll(detail, secret, "…")
	}
	detail = recap.Line(detail)
	if r := []rune(detail); len(r) > 2*maxDetail {
		detail = string(r[:2*maxDetail])
	}
	for _, text := range []string{req.System, req.Prompt} {
		detail = withoutEcho(detail, strings.Join(strings.Fields(text), " "))
	}
	if detail, _, err = redact.Text(detail); err != nil {
		return ""
	}
	if r := []rune(detail); len(r) > maxDetail {
		detail = string(r[:maxDetail-1]) + "…"
	}
	return detail
}

// secrets are the values that the provider was sent and may quote, the password
// of its address too, and the ends of the key that providers leave when they
// mask it.
func (c *Conn) secrets() []string {
	var out []string
	for _, v := range c.p.Headers {
		if len(v) >= 8 {
			out = append(out, v)
		}
	}
	if c.base != nil {
		if pw, ok := c.base.User.Password(); ok && len(pw) >= 6 {
			out = append(out, pw)
		}
	}
	key := c.p.Key.Reveal()
	if len(key) >= 8 { // shorter ones are no secrets: "ollama"
		out = append(out, key)
	}
	if n := len(key); n >= 20 {
		out = append(out, key[:8], "*"+key[n-4:], ".."+key[n-4:])
	}
	return out
}

// withoutEcho puts an ellipsis in place of each stretch of s that stands in
// text too and is at least echo characters long.
func withoutEcho(s, text string) string {
	r := []rune(s)
	if len(r) < echo || len(text) < echo {
		return s
	}
	var out []rune
	for i := 0; i < len(r); {
		n := echo
		if i+n > len(r) || !strings.Contains(text, string(r[i:i+n])) {
			out = append(out, r[i])
			i++
			continue
		}
		for i+n < len(r) && strings.Contains(text, string(r[i:i+n+1])) {
			n++
		}
		out = append(out, '…')
		i += n
	}
	return string(out)
}
