package opencode

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// Limits of each request to a server. One that is still starting takes a
// connection and never answers: nothing is asked without a limit.
const (
	healthWithin  = 5 * time.Second
	answerWithin  = 15 * time.Second
	messageWithin = 30 * time.Second
	dialWithin    = 5 * time.Second

	maxSmall   = 1 << 20  // health, statuses, approvals
	maxSession = 8 << 20  // a session: its metadata is anybody's
	maxMany    = 32 << 20 // a page of sessions or of messages
	maxWrite   = 4 << 20  // metadata with ours in it
)

// Faults of a server, as errors.Is finds them.
var (
	errSilent   = errors.New("the server did not answer in time")
	errTooLarge = errors.New("the answer of the server is too large")
	errNotFound = errors.New("the server does not know it")
)

// client asks one server. It is safe for concurrent use.
type client struct {
	base     *url.URL // no user, no query
	root     string   // its text
	user     string
	password string
	http     *http.Client
	key      string // of the settings, for hints: "sources.NAME"

	mu      sync.Mutex
	version string        // "" before the first health
	skew    time.Duration // how far its clock is ahead of ours
}

// newClient checks the address. Nothing is asked yet.
func newClient(address, user, password, key string, rt http.RoundTripper) (*client, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	bad := func(what string) error {
		return &recap.Error{Code: recap.CodeConfig, Message: "the address of OpenCode's server " + what, Hint: "set " + key + ".url to http://HOST:PORT"}
	}
	switch {
	case err != nil: // the error quotes the address, and with it a password
		return nil, bad("can't be read")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, bad("does not begin with http:// or https://")
	case u.Hostname() == "":
		return nil, bad("names no host")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, bad("has a query")
	}
	if u.User != nil { // kept out of every text
		if p, ok := u.User.Password(); ok && password == "" {
			password = p
		}
		user = cmp.Or(user, u.User.Username())
		u.User = nil
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	if rt == nil {
		rt = &http.Transport{
			DialContext:            (&net.Dialer{Timeout: dialWithin}).DialContext,
			TLSHandshakeTimeout:    dialWithin,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		}
	}
	return &client{
		base: u, root: u.String(), user: cmp.Or(user, "opencode"), password: password, key: key,
		// The password goes to the address that was configured and nowhere else.
		http: &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// address is the server's address, without a password.
func (c *client) address() string { return c.root }

func (c *client) request(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Request, error) {
	u := *c.base
	u.Path += path
	u.RawQuery = query.Encode()
	var in io.Reader = http.NoBody
	if body != nil {
		in = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), in)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.password != "" {
		req.SetBasicAuth(c.user, c.password)
	}
	return req, nil
}

// answer is what a server answered; v is never nil where there is no error.
type answer struct {
	v    *fastjson.Value
	head http.Header
	size int64
}

// ask sends a request and reads the whole answer, within the limits.
func (c *client) ask(ctx context.Context, method, path string, query url.Values, body []byte, within time.Duration, limit int64) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errSilent)
	defer cancel()
	req, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return answer{}, c.fault(ctx, err)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, c.fault(ctx, err)
	}
	defer res.Body.Close() //nolint:errcheck // nothing was written
	if err := c.refused(res); err != nil {
		return answer{}, err
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return answer{}, c.fault(ctx, err)
	}
	if int64(len(b)) > limit {
		return answer{}, errTooLarge
	}
	if len(b) == 0 {
		return answer{fastjson.MustParse("null"), res.Header, 0}, nil
	}
	if err := isJSON(res); err != nil {
		return answer{}, c.stranger()
	}
	v, err := fastjson.ParseBytes(b)
	if err != nil {
		return answer{}, c.stranger()
	}
	return answer{v, res.Header, int64(len(b))}, nil
}

var errNoJSON = errors.New("no JSON")

func isJSON(res *http.Response) error {
	t, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || (t != "application/json" && !strings.HasSuffix(t, "+json")) {
		return errNoJSON
	}
	return nil
}

// stranger says that something else than OpenCode answers at the address.
func (c *client) stranger() error {
	return &recap.Error{
		Code: recap.CodeUnsupported, Message: "what answers at " + c.address() + " is no OpenCode server",
		Hint: "set " + c.key + ".url to the address that \"opencode serve\" prints",
	}
}

// refused makes an error of a status. The body may hold text of a session: it
// is not quoted.
func (c *client) refused(res *http.Response) error {
	switch s := res.StatusCode; {
	case s < 300:
		return nil
	case s < 400:
		return &recap.Error{
			Code: recap.CodeUnsupported, Message: fmt.Sprintf("the server at %s sends elsewhere (status %d)", c.address(), s),
			Hint: "set " + c.key + ".url to the address of the server itself",
		}
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		message := "the server at " + c.address() + " asks for a password"
		if c.password != "" {
			message = "the server at " + c.address() + " refuses the password"
		}
		return &recap.Error{Code: recap.CodeConfig, Message: message, Hint: "set " + c.key + ".password (and .username where it is not \"opencode\") to those of the server"}
	case s == http.StatusNotFound:
		return errNotFound
	default:
		return &recap.Error{Code: recap.CodeUnreadable, Message: fmt.Sprintf("the server at %s failed (status %d)", c.address(), s)}
	}
}

// fault names what went wrong below HTTP.
func (c *client) fault(ctx context.Context, err error) error {
	message := "the server at " + c.address() + " can't be reached"
	switch {
	case errors.Is(context.Cause(ctx), errSilent):
		message, err = "the server at "+c.address()+" did not answer in time", errSilent
	case ctx.Err() != nil:
		return ctx.Err()
	}
	// The error of the standard library quotes the address of the request.
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return &recap.Error{Code: recap.CodeUnreadable, Message: message, Hint: "start it with \"opencode serve\", or set " + c.key + ".enabled to false", Err: err}
}

// health asks for the version; it is also the proof that the server answers.
func (c *client) health(ctx context.Context) error {
	got, err := c.ask(ctx, http.MethodGet, "/global/health", nil, nil, healthWithin, maxSmall)
	strange := errors.Is(err, errNotFound) || recap.CodeOf(err) == recap.CodeUnsupported
	if err != nil && !strange {
		return err
	}
	version := str(got.v, "version")
	if strange || version == "" {
		if c.second(ctx) {
			return tooNew("2")
		}
		if err == nil || errors.Is(err, errNotFound) {
			err = c.stranger()
		}
		return err
	}
	c.clock(got.head)
	c.mu.Lock()
	c.version = version
	c.mu.Unlock()
	switch n, ok := parseVersion(version); {
	case !ok, n == [3]int{}: // built from source
		return nil
	case n[0] >= 2:
		return tooNew(version)
	case before(n, pagingSince):
		return &recap.Error{Code: recap.CodeUnsupported, Message: "OpenCode " + version + " is too old to be followed", Hint: "update OpenCode: recap follows the servers of 1.2.26 to 1.18"}
	}
	return nil
}

func tooNew(version string) error {
	return &recap.Error{Code: recap.CodeUnsupported, Message: "the server of OpenCode " + version + " is not supported yet", Hint: "recap follows the servers of OpenCode 1.2.26 to 1.18"}
}

// second tells whether the server is one of OpenCode 2: its calls lie below
// /api and answer in an envelope.
func (c *client) second(ctx context.Context) bool {
	got, err := c.ask(ctx, http.MethodGet, "/api/session", url.Values{"limit": {"1"}}, nil, healthWithin, maxSession)
	return err == nil && got.v.Get("data") != nil
}

// What a server can do since which version.
var (
	pagingSince   = [3]int{1, 2, 26}
	metadataSince = [3]int{1, 15, 13}
)

// keepsMetadata tells whether the server keeps metadata of sessions.
func (c *client) keepsMetadata() (version string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, known := parseVersion(c.version)
	return c.version, !known || n == [3]int{} || !before(n, metadataSince)
}

func before(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func parseVersion(s string) (n [3]int, ok bool) {
	s = strings.TrimPrefix(s, "v")
	s, _, _ = strings.Cut(s, "-")
	fields := strings.Split(s, ".")
	if len(fields) < 2 {
		return n, false
	}
	for i := range min(len(fields), len(n)) {
		v, err := strconv.Atoi(fields[i])
		if err != nil || v < 0 {
			return [3]int{}, false
		}
		n[i] = v
	}
	return n, true
}

// info is a session as a server tells of it.
type info struct {
	id, title, dir, parent, revert string
	model                          recap.ModelRef
	created, updated               int64
	archived                       bool
	metadata                       *fastjson.Value
}

// parseInfo reads a session; false where it has no id. Fields of a wrong type
// are as if they were missing.
func parseInfo(v *fastjson.Value) (info, bool) {
	i := info{
		id: str(v, "id"), title: str(v, "title"), dir: str(v, "directory"), parent: str(v, "parentID"),
		model:   recap.ModelRef{Provider: str(v, "model", "providerID"), ID: str(v, "model", "id")},
		created: num(v, "time", "created"), updated: num(v, "time", "updated"),
		archived: num(v, "time", "archived") > 0,
		metadata: v.Get("metadata"),
	}
	if id := str(v, "revert", "messageID"); id != "" {
		i.revert = strings.TrimSpace(id + " " + str(v, "revert", "partID"))
	}
	return i, i.id != ""
}

// session asks for one session.
func (c *client) session(ctx context.Context, id string) (info, error) {
	got, err := c.ask(ctx, http.MethodGet, "/session/"+url.PathEscape(id), nil, nil, answerWithin, maxSession)
	if err != nil {
		return info{}, err
	}
	i, ok := parseInfo(got.v)
	if !ok || i.id != id {
		return info{}, c.stranger()
	}
	return i, nil
}

// putMetadata replaces the metadata of a session and gives the session after it.
func (c *client) putMetadata(ctx context.Context, id string, metadata []byte) (info, error) {
	body, err := json.Marshal(map[string]json.RawMessage{"metadata": metadata})
	if err != nil {
		return info{}, err
	}
	if len(body) > maxWrite {
		return info{}, &recap.Error{Code: recap.CodeUnsupported, Message: "the session's metadata is too large to be written again"}
	}
	got, err := c.ask(ctx, http.MethodPatch, "/session/"+url.PathEscape(id), nil, body, answerWithin, maxSession)
	if err != nil {
		return info{}, err
	}
	i, ok := parseInfo(got.v)
	if !ok || i.id != id {
		return info{}, c.stranger()
	}
	return i, nil
}

// sessions asks for a page of all projects' sessions, newest first, that were
// touched since; next asks for those before, 0 where there are none.
func (c *client) sessions(ctx context.Context, since, before int64, archived, children bool, limit int) (list []info, next int64, err error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	if since > 0 {
		q.Set("start", strconv.FormatInt(since, 10))
	}
	if before > 0 {
		q.Set("cursor", strconv.FormatInt(before, 10))
	}
	if !children {
		q.Set("roots", "true")
	}
	if archived {
		q.Set("archived", "true")
	}
	got, err := c.ask(ctx, http.MethodGet, "/experimental/session", q, nil, answerWithin, maxMany)
	if errors.Is(err, errTooLarge) && limit > 1 {
		return c.sessions(ctx, since, before, archived, children, limit/5)
	}
	if err != nil {
		return nil, 0, err
	}
	rows, err := got.v.Array()
	if err != nil {
		return nil, 0, c.stranger()
	}
	for _, r := range rows {
		if i, ok := parseInfo(r); ok {
			list = append(list, i)
		}
	}
	if n, err := strconv.ParseInt(got.head.Get("X-Next-Cursor"), 10, 64); err == nil && n > 0 {
		next = n
	}
	return list, next, nil
}

// messages asks for the newest messages of a session before a cursor.
func (c *client) messages(ctx context.Context, id, before string, limit int) (rows []*fastjson.Value, next string, size int64, err error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	if before != "" {
		q.Set("before", before)
	}
	got, err := c.ask(ctx, http.MethodGet, "/session/"+url.PathEscape(id)+"/message", q, nil, messageWithin, maxMany)
	if errors.Is(err, errTooLarge) && limit > 1 {
		return c.messages(ctx, id, before, max(1, limit/5))
	}
	if err != nil {
		return nil, "", 0, err
	}
	rows, err = got.v.Array()
	if err != nil {
		return nil, "", 0, c.stranger()
	}
	return rows, got.head.Get("X-Next-Cursor"), got.size, nil
}

// statuses asks which sessions of a directory are at work: "busy" or "retry".
func (c *client) statuses(ctx context.Context, dir string) (map[string]string, error) {
	got, err := c.ask(ctx, http.MethodGet, "/session/status", url.Values{"directory": {dir}}, nil, answerWithin, maxSmall)
	if err != nil {
		return nil, err
	}
	o, err := got.v.Object()
	if err != nil {
		return nil, c.stranger()
	}
	out := map[string]string{}
	o.Visit(func(id []byte, s *fastjson.Value) {
		if t := str(s, "type"); t != "idle" {
			out[string(id)] = t // what is not known is not idle
		}
	})
	return out, nil
}

// asked gives the approvals and questions that wait in a directory: the ids by
// session.
func (c *client) asked(ctx context.Context, dir string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, path := range []string{"/permission", "/question"} {
		got, err := c.ask(ctx, http.MethodGet, path, url.Values{"directory": {dir}}, nil, answerWithin, maxSmall)
		if errors.Is(err, errNotFound) {
			continue // older servers have no questions
		}
		if err != nil {
			return nil, err
		}
		rows, err := got.v.Array()
		if err != nil {
			return nil, c.stranger()
		}
		for _, r := range rows {
			if ses, id := str(r, "sessionID"), str(r, "id"); ses != "" && id != "" {
				out[ses] = append(out[ses], id)
			}
		}
	}
	return out, nil
}
