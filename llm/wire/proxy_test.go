package wire_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/llm/openai"
	"github.com/sessionrecap/recap/llm/wire"
)

// tunnel is a proxy that opens tunnels to one address, and keeps what it saw.
type tunnel struct {
	to     string
	status int

	mu   sync.Mutex
	seen []string // each request, as it was written
}

func (p *tunnel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s %s\n", r.Method, r.RequestURI, r.Host)
	_ = r.Header.Write(&head)
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	p.seen = append(p.seen, head.String()+string(body))
	p.mu.Unlock()
	if p.status != 0 {
		w.WriteHeader(p.status)
		return
	}
	there, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", p.to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	h, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	here, buf, err := h.Hijack()
	if err != nil {
		_ = there.Close()
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(there, io.MultiReader(bufio.NewReader(buf), here)) }()
	_, _ = io.Copy(here, there)
	_, _ = here.Close(), there.Close()
}

func (p *tunnel) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen
}

// A proxy of an https provider is asked for a tunnel and sees the host alone.
// Its own login goes to it, and the key to the provider.
func TestProxy(t *testing.T) {
	const password, prompt = "hunter2", "the whole conversation"
	for _, c := range []struct {
		name   string
		status int
		gone   bool
		err    error
		detail string // "" where the call is answered
		count  int
	}{
		{"through", 0, false, nil, "", 1},
		{"it wants a login", 407, false, nil, "the proxy can't be used: it answers 407 Proxy Authentication Required; recap doctor names it", 1},
		{"it may not", 403, false, nil, "the proxy can't be used: it answers 403 Forbidden; recap doctor names it", 1},
		{"it is gone", 0, true, nil, "the proxy can't be used: it does not let us through to example.com; recap doctor names it", 0},
		{"it can't be used", 0, false, errors.New("HTTPS_PROXY is no address of a proxy"), "the proxy can't be used: HTTPS_PROXY is no address of a proxy; recap doctor names it", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			var keys []string
			provider := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				keys = append(keys, r.Header.Get("Authorization")+r.Header.Get("Proxy-Authorization"))
				mu.Unlock()
				_, _ = io.WriteString(w, `{"choices":[{"finish_reason":"stop","message":{"content":"hello"}}]}`)
			}))
			defer provider.Close()
			p := &tunnel{to: provider.Listener.Addr().String(), status: c.status}
			proxy := httptest.NewServer(p)
			defer proxy.Close()
			if c.gone {
				proxy.Close()
			}
			via, err := url.Parse(proxy.URL)
			if err != nil {
				t.Fatal(err)
			}
			via.User = url.UserPassword("bob", password)
			asked := 0
			hc := wire.NewHTTP(func(u *url.URL) (*url.URL, error) {
				asked++
				if u.Host != "example.com" {
					t.Errorf("a proxy for %s", u)
				}
				return via, c.err
			})
			tr, ok := hc.Transport.(*http.Transport)
			if !ok {
				t.Fatal("another transport")
			}
			pool := x509.NewCertPool()
			pool.AddCert(provider.Certificate())
			tr.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
			client := openai.New(llm.Provider{ID: "p", Protocol: llm.OpenAI, BaseURL: "https://example.com/v1", Key: llm.NewKey(llmtest.Key)}, hc)
			got, err := client.Complete(t.Context(), llm.Request{Model: "m", Prompt: prompt, MaxOutput: 10})
			if asked != 1 {
				t.Errorf("asked for a proxy %d times", asked)
			}
			seen := p.requests()
			if len(seen) != c.count {
				t.Errorf("the proxy saw %q", seen)
			}
			for _, s := range seen {
				if !strings.HasPrefix(s, "CONNECT example.com:443") || !strings.Contains(s, "Proxy-Authorization: Basic ") || strings.Contains(s, llmtest.Key) || strings.Contains(s, prompt) {
					t.Errorf("the proxy saw %q", s)
				}
			}
			if c.detail == "" {
				if err != nil || got.Text != "hello" || len(keys) != 1 || keys[0] != "Bearer "+llmtest.Key {
					t.Errorf("%v %q, the provider saw %q", err, got.Text, keys)
				}
				return
			}
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || e.Code != recap.CodeProviderError || e.Detail != c.detail || len(keys) > 0 {
				t.Errorf("%v, the provider saw %q", err, keys)
			}
			if text := fmt.Sprintf("%v %+v", err, e); strings.Contains(text, password) || strings.Contains(text, llmtest.Key) {
				t.Errorf("a secret is told: %s", text)
			}
		})
	}
}
