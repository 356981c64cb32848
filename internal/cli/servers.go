package cli

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/internal/daemon"
)

// A command does not wait long for a server that is gone or hangs.
const (
	serverDial   = time.Second
	serverAnswer = 2 * time.Second
)

// server makes the source of a running OpenCode server, nil where there is none.
// One that can't be used is a problem of the settings.
func (a *app) server(s config.Source) *opencode.Server {
	if !s.Enabled || s.URL == "" || s.PasswordProblem != "" {
		return nil
	}
	c := opencode.ServerConfig{
		Name: s.Name, URL: s.URL, Username: s.Username, Password: s.Password, Origin: "config", Namespace: s.Namespace, Local: a.local,
		Exclude: a.cfg.Exclude(),
	}
	if a.live == nil {
		c.Transport = &http.Transport{
			DialContext: (&net.Dialer{Timeout: serverDial}).DialContext, ResponseHeaderTimeout: serverAnswer, TLSHandshakeTimeout: serverAnswer,
			MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2,
		}
	}
	srv, err := opencode.NewServer(c)
	if err != nil {
		a.notice(withHint(err))
		return nil
	}
	return srv
}

// watchers are what a daemon follows.
func (a *app) watchers() []agent.Watcher {
	var out []agent.Watcher
	if len(a.local)+len(a.servers) > 0 {
		out = append(out, opencode.NewLive(a.local, a.servers))
	}
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

// serverStates says how the servers are, by the names of their settings.
func (a *app) serverStates() []daemon.Server {
	var out []daemon.Server
	for _, srv := range a.servers {
		h := srv.Home()
		out = append(out, daemon.Server{Name: h.Name, URL: h.Root, Connected: h.Problem == "", Problem: h.Problem})
	}
	slices.SortFunc(out, func(x, y daemon.Server) int { return strings.Compare(x.Name, y.Name) })
	return out
}
