package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/internal/daemon"
)

// A command does not wait long for a server that is gone or hangs.
const (
	serverDial   = time.Second
	serverAnswer = 5 * time.Second // once it was seen to be well; it may have to start in a directory
)

// impatient gives a server up for a command when it is not seen to be well at
// once.
type impatient struct {
	next http.RoundTripper
	mu   sync.Mutex
	lost error
}

// RoundTrip implements http.RoundTripper.
func (i *impatient) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	lost := i.lost
	i.mu.Unlock()
	if lost != nil {
		return nil, lost
	}
	if !strings.HasSuffix(r.URL.Path, "/global/health") {
		return i.next.RoundTrip(r)
	}
	ctx, cancel := context.WithCancel(r.Context())
	late := time.AfterFunc(serverDial, cancel)
	res, err := i.next.RoundTrip(r.WithContext(ctx))
	late.Stop()
	if err != nil && r.Context().Err() == nil {
		err = fmt.Errorf("the server does not answer: %w", err)
		i.mu.Lock()
		i.lost = err
		i.mu.Unlock()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	context.AfterFunc(r.Context(), cancel)
	return res, nil
}

// server makes the source of a running OpenCode server, nil where there is none.
// One that can't be used is a problem of the settings.
func (a *app) server(c *config.Config, s config.Source, local []*opencode.Source) *opencode.Server {
	if !s.Enabled || s.URL == "" || s.PasswordProblem != "" {
		return nil
	}
	set := opencode.ServerConfig{
		Name: s.Name, URL: s.URL, Username: s.Username, Password: s.Password, Origin: "config", Namespace: s.Namespace, Local: local,
		Exclude: c.Exclude(),
	}
	if !a.serving {
		set.Transport = &impatient{next: &http.Transport{
			DialContext: (&net.Dialer{Timeout: serverDial}).DialContext, ResponseHeaderTimeout: serverAnswer, TLSHandshakeTimeout: serverDial,
			MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2,
		}}
	}
	srv, err := opencode.NewServer(set)
	if err != nil {
		a.notice(withHint(err))
		return nil
	}
	return srv
}

// watchers are what a daemon follows.
func (a *app) watchers() []agent.Watcher {
	out := []agent.Watcher{a.oc}
	for _, src := range a.reads().all {
		switch src.(type) {
		case *opencode.Source, *opencode.Server:
			continue
		}
		if w, ok := src.(agent.Watcher); ok {
			out = append(out, w)
		}
	}
	return out
}

// renew goes on with the homes and servers of new settings. Those of which they
// say what they said before go on as they are. Where the settings can't be
// understood all stays, and nothing is made.
func (a *app) renew() {
	a.renewing.Lock()
	defer a.renewing.Unlock()
	c := a.live.config()
	if c.Refusal() != nil || c.Home() == "" || !a.assemble(c) {
		return
	}
	now := a.reads()
	a.eng.Replace(now.all)
	a.oc.Renew(now.local, now.servers)
	a.rewatch()
	a.logger().Info("follows others", "sources", len(now.all), "servers", len(now.servers))
}

// rewatch has the daemon, where there is one, hear what is followed now.
func (a *app) rewatch() {
	a.mu.Lock()
	d := a.daemon
	a.mu.Unlock()
	if d != nil {
		d.Rewatch(a.watchers())
	}
}

// home is a home of an agent.
type home struct {
	agent.Home
	agent recap.Agent
}

// homes are those that are followed. No server is asked.
func (a *app) homes() []home {
	var out []home
	for _, src := range a.reads().all {
		if srv, ok := src.(*opencode.Server); ok {
			h, _ := srv.State()
			out = append(out, home{h, srv.Agent()})
		} else {
			out = append(out, home{src.Home(), src.Agent()})
		}
	}
	return out
}

// serverStates says how the servers are, by the names of their settings.
func (a *app) serverStates() []daemon.Server {
	var out []daemon.Server
	for _, srv := range a.reads().servers {
		h, followed := srv.State()
		x := daemon.Server{Name: h.Name, URL: h.Root, Connected: followed, Problem: h.Problem}
		if h.Problem == "" && !followed {
			x.Connecting, x.Problem = true, "not connected yet"
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(x, y daemon.Server) int { return strings.Compare(x.Name, y.Name) })
	return out
}
