package config

import (
	"net/url"
	"strings"
	"testing"
)

func TestProxyForAnAddress(t *testing.T) {
	const corp, here = "http://bob:hunter2@proxy.corp.example:3128", "http://127.0.0.1:3128"
	for _, c := range []struct {
		name string
		env  map[string]string
		to   string
		want string // "" none, "error" for one
	}{
		{"none", nil, "https://api.example.com/v1", ""},
		{"https", map[string]string{"HTTPS_PROXY": corp}, "https://api.example.com/v1", corp},
		{"https, small letters", map[string]string{"https_proxy": corp}, "https://api.example.com/v1", corp},
		{"capitals before small letters", map[string]string{"https_proxy": here, "HTTPS_PROXY": corp}, "https://api.example.com/v1", corp},
		{"https has nothing of HTTP_PROXY", map[string]string{"HTTP_PROXY": corp}, "https://api.example.com/v1", ""},
		{"ALL_PROXY", map[string]string{"ALL_PROXY": "socks5h://proxy.corp.example:1080"}, "https://api.example.com/v1", "socks5h://proxy.corp.example:1080"},
		{"as desktops write it", map[string]string{"all_proxy": "socks://proxy.corp.example:1080/"}, "https://api.example.com/v1", "socks5://proxy.corp.example:1080/"},
		{"HTTPS_PROXY before ALL_PROXY", map[string]string{"ALL_PROXY": here, "HTTPS_PROXY": corp}, "https://api.example.com/v1", corp},
		{"without a scheme", map[string]string{"HTTPS_PROXY": "proxy.corp.example:3128"}, "https://api.example.com/v1", "http://proxy.corp.example:3128"},
		{"a number without a scheme", map[string]string{"HTTPS_PROXY": "10.1.2.3:3128"}, "https://api.example.com/v1", "http://10.1.2.3:3128"},
		{"no address", map[string]string{"HTTPS_PROXY": "://hunter2@"}, "https://api.example.com/v1", "error"},
		{"another kind", map[string]string{"HTTPS_PROXY": "ftp://bob:hunter2@proxy"}, "https://api.example.com/v1", "error"},
		{"no address, and none is needed", map[string]string{"HTTPS_PROXY": "://hunter2@"}, "https://127.0.0.1/v1", ""},
		{"plain http, a proxy elsewhere", map[string]string{"HTTP_PROXY": corp, "HTTPS_PROXY": corp}, "http://api.example.com/v1", ""},
		{"plain http, a proxy elsewhere for all", map[string]string{"ALL_PROXY": corp}, "http://api.example.com/v1", ""},
		{"plain http, a proxy here", map[string]string{"HTTP_PROXY": here}, "http://api.example.com/v1", here},
		{"plain http has nothing of HTTPS_PROXY", map[string]string{"HTTPS_PROXY": here}, "http://api.example.com/v1", ""},
		{"from a web server", map[string]string{"HTTP_PROXY": here, "REQUEST_METHOD": "GET"}, "http://api.example.com/v1", ""},
		{"this machine", map[string]string{"HTTP_PROXY": here, "HTTPS_PROXY": corp}, "http://127.0.0.1:8080/v1", ""},
		{"this machine over https", map[string]string{"HTTPS_PROXY": corp}, "https://127.3.2.1:8443/v1", ""},
		{"this machine, IPv6", map[string]string{"HTTPS_PROXY": corp}, "https://[::1]:8443/v1", ""},
		{"this machine, mapped", map[string]string{"HTTPS_PROXY": corp}, "https://[::ffff:127.0.0.1]/v1", ""},
		{"this machine by name", map[string]string{"HTTPS_PROXY": corp}, "https://LOCALHOST./v1", ""},
		{"this machine by a name of its own", map[string]string{"HTTPS_PROXY": corp}, "https://llm.localhost/v1", ""},
		{"looks like this machine", map[string]string{"HTTPS_PROXY": corp}, "https://localhost.example.com/v1", corp},
		{"NO_PROXY all", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "*"}, "https://api.example.com/v1", ""},
		{"NO_PROXY name", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "a.example, Example.com"}, "https://example.com/v1", ""},
		{"NO_PROXY below a name", map[string]string{"HTTPS_PROXY": corp, "no_proxy": "example.com"}, "https://api.example.com/v1", ""},
		{"NO_PROXY not the end of a word", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "ample.com"}, "https://example.com/v1", corp},
		{"NO_PROXY with a dot", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": ".example.com"}, "https://api.example.com/v1", ""},
		{"NO_PROXY with a dot, not the name itself", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": ".example.com"}, "https://example.com/v1", corp},
		{"NO_PROXY with a star", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "*.example.com"}, "https://api.example.com/v1", ""},
		{"NO_PROXY port", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "example.com:443"}, "https://example.com/v1", ""},
		{"NO_PROXY another port", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "example.com:8443"}, "https://example.com/v1", corp},
		{"NO_PROXY number", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "10.0.0.5"}, "https://10.0.0.5/v1", ""},
		{"NO_PROXY range", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "10.0.0.0/8"}, "https://10.9.8.7/v1", ""},
		{"NO_PROXY range of others", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "10.0.0.0/8"}, "https://11.9.8.7/v1", corp},
		{"NO_PROXY IPv6", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": "[2001:db8::1]:443,x"}, "https://[2001:db8::1]/v1", ""},
		{"NO_PROXY empty entries", map[string]string{"HTTPS_PROXY": corp, "NO_PROXY": ", ,.,"}, "https://example.com/v1", corp},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Load(Options{Home: t.TempDir(), Env: func(n string) string { return c.env[n] }}).Proxy()
			u, err := url.Parse(c.to)
			if err != nil {
				t.Fatal(err)
			}
			via, err := p.For(u)
			got := ""
			switch {
			case err != nil:
				got = "error"
			case via != nil:
				got = via.String()
			}
			if got != c.want {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
			if text := p.String(); strings.Contains(text, "hunter2") || err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a password is shown: %s, %v", text, err)
			}
		})
	}
}

func TestProxyInWords(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{nil, ""},
		{map[string]string{"NO_PROXY": "x"}, ""},
		{map[string]string{"HTTPS_PROXY": "http://bob:hunter2@proxy:3128/"}, "https through http://proxy:3128 with a login [env HTTPS_PROXY]"},
		{map[string]string{"all_proxy": "socks5://127.0.0.1:1080", "NO_PROXY": "a, b"}, "https through socks5://127.0.0.1:1080 [env all_proxy]; plain http through socks5://127.0.0.1:1080 [env all_proxy]; not for a, b [env NO_PROXY]"},
		{map[string]string{"HTTP_PROXY": "proxy:1"}, "plain http through none, a proxy would see the key"},
		{map[string]string{"HTTPS_PROXY": "gopher://x"}, "https through none: HTTPS_PROXY names a kind of proxy that can't be used"},
	} {
		if got := Load(Options{Home: t.TempDir(), Env: func(n string) string { return c.env[n] }}).Proxy().String(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
