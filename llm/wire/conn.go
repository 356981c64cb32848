package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// Bounds of what is read, in bytes, after decompression.
const (
	MaxReply   = 4 << 20
	MaxFailure = 64 << 10
)

// userAgent tells a provider, and the person who reads its log, who asked.
const userAgent = "recap (github.com/sessionrecap/recap)"

// NewHTTP gives a client for model calls. Each call has a connection of its
// own, which is closed with it: calls are minutes apart, and a socket that
// nobody keeps can't outlive a cancelled one. Proxy chooses a proxy for an
// address, nil for none; a nil proxy means none for all. Through a proxy an
// https provider is reached by a tunnel: the proxy sees its host alone. Of plain
// http a proxy sees everything. Proxy's error is shown.
func NewHTTP(proxy func(*url.URL) (*url.URL, error)) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	t := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: MaxFailure,
		Protocols:              protocols,
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
			if r.StatusCode/100 == 2 {
				return nil
			}
			return &proxyError{"it answers " + strconv.Itoa(r.StatusCode) + " " + http.StatusText(r.StatusCode)}
		},
	}
	if proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			u, err := proxy(r.URL)
			if err != nil {
				return nil, &proxyError{err.Error()}
			}
			return u, nil
		}
	}
	return &http.Client{Transport: t}
}

// Conn asks one provider. It is safe for concurrent use.
type Conn struct {
	p    llm.Provider
	base *url.URL
	err  error
	hc   *http.Client
}

// New makes a Conn; nil hc means NewHTTP(nil). Of hc the transport is used,
// its redirects and cookies are not. A base URL that can't be used is told by
// the first Post.
func New(p llm.Provider, hc *http.Client) *Conn {
	if hc == nil {
		hc = NewHTTP(nil)
	}
	c := &Conn{p: p}
	c.hc = &http.Client{
		Transport:     hc.Transport,
		Timeout:       hc.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	u, err := url.Parse(strings.TrimSpace(p.BaseURL))
	switch {
	case err != nil:
		c.err = errors.New("the base URL can't be read")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		c.err = errors.New("the base URL is no http address")
	default:
		u.Path = strings.TrimRight(u.Path, "/")
		u.RawPath = ""
		u.Fragment = ""
		c.base = u
	}
	return c
}

// Provider gives the provider as it was passed in.
func (c *Conn) Provider() llm.Provider { return c.p }

// Path gives the path of the base URL without a slash at its end.
func (c *Conn) Path() string {
	if c.base == nil {
		return ""
	}
	return c.base.Path
}

// Local reports whether the provider is a server on this machine.
func (c *Conn) Local() bool {
	if c.base == nil {
		return false
	}
	host := c.base.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// Host gives the host of the base URL with its port.
func (c *Conn) Host() string {
	if c.base == nil {
		return ""
	}
	return c.base.Host
}

// Known gives what the catalogue knows of the server behind the base URL: by
// its host, and for a server on this machine by the provider's id. The zero
// value is a server of which nothing is known.
func (c *Conn) Known() llm.Known {
	k, ok := llm.Catalogue().At(c.p.BaseURL)
	if !ok {
		k, ok = llm.Catalogue().Provider(c.p.ID)
		if !ok || !c.Local() {
			k = llm.Known{} // an id does not say what a foreign host understands
		}
		if k.JSON == llm.JSONPlain && c.Local() {
			k.JSON = llm.JSONSchema // every local server in use has it
		}
	}
	if c.p.PlainJSON {
		k.JSON = llm.JSONPlain
	}
	return k
}

// Out is a request to send.
type Out struct {
	// Path replaces the path of the base URL.
	Path string
	// KeyHeader and KeyPrefix say where the key goes: "Authorization",
	// "Bearer ".
	KeyHeader, KeyPrefix string
	// Header holds what the protocol demands besides.
	Header map[string]string
	Body   any
	// Extra is a JSON object whose members are added to the body, or nil.
	Extra json.RawMessage
}

// Post sends the request once and gives the reply's body: JSON of a success.
// All else is an [*llm.Error].
func (c *Conn) Post(ctx context.Context, req llm.Request, out Out) ([]byte, error) {
	if !c.p.Keyless && !c.p.Key.Set() {
		return nil, c.fail(req, llm.Error{Code: recap.CodeNoLogin, Detail: "no key"})
	}
	if c.err != nil {
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderUnsupported, Detail: c.err.Error()})
	}
	body, err := encode(out.Body, out.Extra)
	if err != nil {
		return nil, c.fail(req, llm.Error{Code: recap.CodeInvalidRequest, Detail: "the request can't be written as JSON"})
	}
	u := *c.base
	u.Path = out.Path
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderUnsupported, Detail: "the base URL can't be used"})
	}
	c.headers(hr.Header, req, out)

	resp, err := c.hc.Do(hr)
	if err != nil {
		return nil, c.broken(ctx, req, err)
	}
	defer func() { _ = resp.Body.Close() }()
	limit := int64(MaxReply)
	if resp.StatusCode/100 != 2 {
		limit = MaxFailure
	}
	got, whole, err := read(resp, limit)
	if err != nil && (ctx.Err() != nil || resp.StatusCode/100 == 2) {
		return nil, c.broken(ctx, req, err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, c.refused(req, resp, got)
	}
	switch trimmed := bytes.TrimSpace(got); {
	case !whole:
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderError, Status: resp.StatusCode, Detail: fmt.Sprintf("the reply is longer than %d MB", MaxReply>>20)})
	case len(trimmed) == 0:
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderError, Status: resp.StatusCode, Detail: "the reply is empty"})
	case isPage(resp.Header, trimmed):
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderError, Status: resp.StatusCode, Detail: "the reply is a web page, no model answered: is the base URL right?"})
	case trimmed[0] != '{' || !json.Valid(trimmed):
		return nil, c.fail(req, llm.Error{Code: recap.CodeProviderError, Status: resp.StatusCode, Detail: "the reply is no JSON object"})
	}
	// Gateways report errors with status 200.
	if f := readFailure(got); f.is && !hasAnswer(got) {
		return nil, c.refusedAs(req, f.status(resp.StatusCode), resp.Header, f)
	}
	return got, nil
}

func (c *Conn) headers(h http.Header, req llm.Request, out Out) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	h.Set("User-Agent", userAgent)
	for k, v := range out.Header {
		h.Set(k, v)
	}
	if c.p.Key.Set() {
		h.Set(out.KeyHeader, out.KeyPrefix+c.p.Key.Reveal())
	}
	if c.p.SessionHeader != "" && req.Session != "" {
		h.Set(c.p.SessionHeader, req.Session)
	}
	// The person's own headers win: a gateway may want the key elsewhere.
	for k, v := range c.p.Headers {
		h.Set(k, v)
	}
}

// encode gives the body with the members of extra before its own. The caller
// sees to it that none stands twice.
func encode(body any, extra json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	out := bytes.TrimSpace(b.Bytes())
	if len(extra) == 0 {
		return out, nil
	}
	var more bytes.Buffer
	if err := json.Compact(&more, extra); err != nil {
		return nil, err
	}
	if more.Len() <= len("{}") || more.Bytes()[0] != '{' {
		return out, nil
	}
	joined := append(more.Bytes()[:more.Len()-1], ',')
	return append(joined, out[1:]...), nil
}

// read gives at most limit bytes of the body and whether that was all of it.
func read(resp *http.Response, limit int64) (body []byte, whole bool, err error) {
	var r io.Reader = resp.Body
	// The transport asks for gzip and undoes it, unless it was told not to; a
	// server may send it all the same.
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, false, err
		}
		r = z
	}
	body, err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], false, err
	}
	return body, true, err
}

func isPage(h http.Header, body []byte) bool {
	return strings.HasPrefix(h.Get("Content-Type"), "text/html") || len(body) > 0 && body[0] == '<'
}

// hasAnswer reports whether a reply holds a message besides an error.
func hasAnswer(body []byte) bool {
	var a struct {
		Choices    []json.RawMessage `json:"choices"`
		Content    []json.RawMessage `json:"content"`
		Candidates []json.RawMessage `json:"candidates"`
	}
	return json.Unmarshal(body, &a) == nil && len(a.Choices)+len(a.Content)+len(a.Candidates) > 0
}
