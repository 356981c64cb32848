package cli

import (
	"context"
	"fmt"
	"iter"
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
func (a *app) server(c *config.Config, s config.Source) *opencode.Server {
	if !s.Enabled || s.URL == "" || s.PasswordProblem != "" {
		return nil
	}
	set := opencode.ServerConfig{
		Name: s.Name, URL: s.URL, Username: s.Username, Password: s.Password, Origin: "config", Namespace: s.Namespace, Local: a.local,
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

// connect makes the servers that the settings name.
func (a *app) connect(c *config.Config) []*opencode.Server {
	var out []*opencode.Server
	for _, s := range c.Sources {
		if srv := a.server(c, s); srv != nil {
			out = append(out, srv)
		}
	}
	return out
}

// watchers are what a daemon follows.
func (a *app) watchers() []agent.Watcher {
	out := []agent.Watcher{a.openCode()}
	for _, src := range a.all {
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

// openCode follows OpenCode's databases and its servers, and goes on with
// others where the settings name others.
type openCode struct {
	a   *app
	set string // what the settings say of servers

	mu   sync.Mutex
	live *opencode.Live
	next chan struct{} // closed when live is another
}

func (a *app) openCode() *openCode {
	a.oc = &openCode{a: a, set: serverSettings(a.cfg), live: opencode.NewLive(a.local, a.servers), next: make(chan struct{})}
	return a.oc
}

// serverSettings tells settings of servers apart.
func serverSettings(c *config.Config) string {
	var b strings.Builder
	for _, s := range c.Sources {
		if s.URL != "" {
			fmt.Fprintf(&b, "%t %q %q %q %q %q %q\n", s.Enabled, s.Name, s.URL, s.Username, s.Password, s.PasswordProblem, s.Namespace)
		}
	}
	return b.String()
}

// renew connects to the servers of new settings.
func (o *openCode) renew(c *config.Config) {
	set := serverSettings(c)
	if set == o.set {
		return
	}
	o.set = set
	a := o.a
	servers := a.connect(c)
	all := slices.DeleteFunc(slices.Clone(a.all), func(s agent.Source) bool { _, ok := s.(*opencode.Server); return ok })
	for _, srv := range servers {
		all = append(all, srv)
	}
	a.eng.Replace(all)
	a.mu.Lock()
	a.servers = servers
	a.mu.Unlock()
	o.mu.Lock()
	o.live = opencode.NewLive(a.local, servers)
	close(o.next)
	o.next = make(chan struct{})
	o.mu.Unlock()
}

func (o *openCode) now() (*opencode.Live, chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.live, o.next
}

// Watch implements agent.Watcher.
func (o *openCode) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		for ctx.Err() == nil {
			live, next := o.now()
			part, stop := context.WithCancel(ctx)
			go func() {
				select {
				case <-next:
					stop()
				case <-part.Done():
				}
			}()
			for ev, err := range live.Watch(part) {
				if part.Err() == nil && !yield(ev, err) {
					stop()
					return
				}
			}
			ended := part.Err() == nil // by itself
			stop()
			if ended {
				return
			}
		}
	}
}

// PutRecord implements agent.Mirror.
func (o *openCode) PutRecord(ctx context.Context, ref recap.SessionRef, r recap.Record) error {
	live, _ := o.now()
	return live.PutRecord(ctx, ref, r)
}

// home is a home of an agent.
type home struct {
	agent.Home
	agent recap.Agent
}

// homes are those that are followed. No server is asked.
func (a *app) homes() []home {
	a.mu.Lock()
	servers := a.servers
	a.mu.Unlock()
	var out []home
	for _, src := range a.all {
		if _, ok := src.(*opencode.Server); !ok {
			out = append(out, home{src.Home(), src.Agent()})
		}
	}
	for _, srv := range servers {
		h, _ := srv.State()
		out = append(out, home{h, srv.Agent()})
	}
	return out
}

// serverStates says how the servers are, by the names of their settings.
func (a *app) serverStates() []daemon.Server {
	a.mu.Lock()
	servers := a.servers
	a.mu.Unlock()
	var out []daemon.Server
	for _, srv := range servers {
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
