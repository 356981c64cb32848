package config

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// Proxy is the proxy of the environment: HTTPS_PROXY, HTTP_PROXY, else
// ALL_PROXY, and NO_PROXY, each in capitals or not.
type Proxy struct {
	https, http proxyURL
	none        string
}

// proxyURL is what one variable says.
type proxyURL struct {
	name string // of the variable, "" where none is set
	url  *url.URL
	err  error
}

// Proxy reads the proxy of the environment.
func (c *Config) Proxy() Proxy {
	p := Proxy{https: c.proxyOf("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"), http: c.proxyOf("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")}
	if c.env("REQUEST_METHOD") != "" && strings.EqualFold(p.http.name, "HTTP_PROXY") {
		p.http = proxyURL{} // a web server fills it from a header of the request
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		if p.none == "" {
			p.none = c.env(name)
		}
	}
	return p
}

func (c *Config) proxyOf(names ...string) proxyURL {
	for _, name := range names {
		if v := strings.TrimSpace(c.env(name)); v != "" {
			u, err := parseProxy(v)
			if err != nil {
				err = errors.New(name + " " + err.Error())
			}
			return proxyURL{name, u, err}
		}
	}
	return proxyURL{}
}

// parseProxy reads an address, which may leave out the scheme. Its error does
// not quote it: a password may stand in it.
func parseProxy(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" {
		u, err = url.Parse("http://" + s)
	}
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("is no address of a proxy")
	}
	switch u.Scheme = strings.ToLower(u.Scheme); u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u, nil
	case "socks": // as desktops write it
		u.Scheme = "socks5"
		return u, nil
	}
	return nil, errors.New("names a kind of proxy that can't be used")
}

// For gives the proxy for an address, nil for none. This machine is never asked
// through one, nor is what NO_PROXY names. Of plain http a proxy sees key and
// text, so that only one on this machine gets it.
func (p Proxy) For(u *url.URL) (*url.URL, error) {
	via := p.https
	if u.Scheme == "http" {
		via = p.http
		if via.url != nil && !loopback(via.url.Hostname()) {
			return nil, nil
		}
	}
	if via.name == "" || loopback(u.Hostname()) || p.spared(u) {
		return nil, nil
	}
	return via.url, via.err
}

// String says for people which proxy is used, and by which variable: "" where
// there is none. It holds no login.
func (p Proxy) String() string {
	var parts []string
	if p.https.name != "" {
		parts = append(parts, "https through "+p.https.text())
	}
	switch {
	case p.http.name == "":
	case p.http.err != nil || loopback(p.http.url.Hostname()):
		parts = append(parts, "plain http through "+p.http.text())
	default:
		parts = append(parts, "plain http through none, a proxy would see the key")
	}
	if len(parts) > 0 && strings.TrimSpace(p.none) != "" {
		parts = append(parts, "not for "+strings.Join(p.exceptions(), ", ")+" [env NO_PROXY]")
	}
	return strings.Join(parts, "; ")
}

func (v proxyURL) text() string {
	if v.err != nil {
		return "none: " + v.err.Error()
	}
	s := v.url.Scheme + "://" + v.url.Host
	if v.url.User != nil {
		s += " with a login"
	}
	return s + " [env " + v.name + "]"
}

func (p Proxy) exceptions() []string {
	return strings.FieldsFunc(p.none, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// spared reports an address that NO_PROXY names.
func (p Proxy) spared(u *url.URL) bool {
	const some = "http://proxy.invalid"
	via, err := (&httpproxy.Config{HTTPProxy: some, HTTPSProxy: some, NoProxy: p.none}).ProxyFunc()(u)
	return err == nil && via == nil
}

func plainHost(s string) string { return strings.ToLower(strings.TrimSuffix(s, ".")) }

// loopback reports a name or number of this machine.
func loopback(host string) bool {
	host = plainHost(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
