package redacttest

import (
	"fmt"
	"strings"
)

// Secret is a made-up secret in its context.
type Secret struct {
	Kind string
	// Before and After are the context by which some kinds are known: they are
	// no secret. Key may be broken, see Split.
	Before, Key, After string

	whole string // Key without line breaks
	fixed []bool // the bytes of whole that every secret of the kind has
}

// Text is the secret in its context.
func (s Secret) Text() string { return s.Before + s.Key + s.After }

// Split breaks the key by the separator: in the middle, or where it has lines
// already.
func (s Secret) Split(separator string) Secret {
	if strings.Contains(s.Key, "\n") {
		s.Key = strings.ReplaceAll(s.Key, "\n", separator)
		return s
	}
	half := len(s.Key) / 2
	s.Key = s.Key[:half] + separator + s.Key[half:]
	return s
}

// Halves gives the text in two, cut in the middle of the key.
func (s Secret) Halves() (first, second string) {
	half := len(s.Key) / 2
	return s.Before + s.Key[:half], s.Key[half:] + s.After
}

// spec describes a kind. {set:n} is n characters of the set. No secret stands
// here.
type spec struct{ kind, before, key, after string }

func specs() []spec {
	const dashes = "-----"
	return []spec{
		{"aws key id", "", "AKIA{UPPER32:16}", ""},
		{"aws secret key", "aws_secret_access_key = ", "{base64:40}", ""},
		{"google api key", "", "AIza{web64:35}", ""},
		{"google oauth secret", "", "GOCSPX-{web64:28}", ""},
		{"azure storage key", "DefaultEndpointsProtocol=https;AccountName=devstore;AccountKey=", "{base64:86}==", ";EndpointSuffix=core.windows.net"},
		{"digitalocean", "", "dop_v1_{hex:64}", ""},
		{"github token", "", "ghp_{alnum:36}", ""},
		{"github fine grained", "", "github_pat_{alnum:22}_{alnum:59}", ""},
		{"gitlab token", "", "glpat-{alnum:20}", ""},
		{"bitbucket token", "", "ATBB{alnum:32}", ""},
		{"openai key", "", "sk-{alnum:20}T3BlbkFJ{alnum:20}", ""},
		{"openai project key", "", "sk-proj-{web64:74}T3BlbkFJ{web64:74}", ""},
		{"anthropic key", "", "sk-ant-api03-{web64:93}AA", ""},
		{"hugging face", "", "hf_{letter:34}", ""},
		{"groq key", "", "gsk_{alnum:52}", ""},
		{"xai key", "", "xai-{alnum:80}", ""},
		{"openrouter key", "", "sk-or-v1-{hex:64}", ""},
		{"perplexity key", "", "pplx-{alnum:48}", ""},
		{"slack bot", "", "xoxb-{digit:12}-{digit:13}-{alnum:24}", ""},
		{"slack hook", "https://hooks.slack.com/services/", "T{UPPER:8}/B{UPPER:10}/{alnum:24}", ""},
		{"telegram bot", "", "{digit:10}:AA{web64:32}x", ""},
		{"stripe key", "", "sk_live_{alnum:24}", ""},
		{"sendgrid key", "", "SG.{web64:22}.{web64:43}", ""},
		{"npm token", "", "npm_{alnum:36}", ""},
		{"pypi token", "", "pypi-AgEIcHlwaS5vcmc{web64:150}", ""},
		{"docker token", "", "dckr_pat_{web64:27}", ""},
		{"vault token", "", "hvs.{web64:90}", ""},
		{"linear key", "", "lin_api_{alnum:40}", ""},
		{"jwt", "", "eyJ{web64:33}.eyJ{web64:60}.{web64:43}", ""},
		{"postgres url", "postgres://app:", "{alnum:16}", "@db.internal:5432/app"},
		{"mongodb url", "mongodb+srv://svc:", "{alnum:20}", "@cluster0.example.net/?retryWrites=true"},
		{"redis url", "redis://:", "{alnum:24}", "@cache:6379/0"},
		{"bearer header", "Authorization: Bearer ", "{web64:40}", ""},
		{"basic header", "Authorization: Basic ", "{base64:30}==", ""},
		{"cookie", "Cookie: sid=", "{alnum:32}", ""},
		{"api key header", "X-Api-Key: ", "{alnum:32}", ""},
		{"setting", "client_secret=", "{alnum:32}", ""},
		{"age key", "", "AGE-SECRET-KEY-1{BECH:58}", ""},
		{"grafana token", "", "glsa_{alnum:32}_{hex:8}", ""},
		{
			"private key block", dashes + "BEGIN RSA PRIVATE KEY" + dashes + "\n",
			"{base64:64}\n{base64:64}\n{base64:64}\n{base64:62}==", "\n" + dashes + "END RSA PRIVATE KEY" + dashes,
		},
		{
			"openssh key block", dashes + "BEGIN OPENSSH PRIVATE KEY" + dashes + "\n",
			"{base64:70}\n{base64:70}\n{base64:68}==", "\n" + dashes + "END OPENSSH PRIVATE KEY" + dashes,
		},
	}
}

func sets() map[string]string {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return map[string]string{
		"digit": "123456789", "hex": digits + "abcdef", "letter": lower + upper, "alnum": digits + lower + upper,
		"base64": digits + lower + upper + "+/", "web64": digits + lower + upper + "-_", "UPPER": upper + digits,
		"UPPER32": upper + "234567", "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	}
}

// Plant makes one secret of each kind, the same for the same seed.
func Plant(seed uint64) []Secret {
	n := noise(seed*2654435761 + 88172645463325252)
	known := specs()
	out := make([]Secret, 0, len(known))
	for _, k := range known {
		key, fixed := expand(k.key, &n)
		s := Secret{Kind: k.kind, Before: k.before, Key: key, After: k.after}
		for i := range key {
			if key[i] != '\n' {
				s.whole += key[i : i+1]
				s.fixed = append(s.fixed, fixed[i])
			}
		}
		out = append(out, s)
	}
	return out
}

// expand fills the holes of a key, and says which bytes of it were no hole.
func expand(spec string, n *noise) (key string, fixed []bool) {
	add := func(s string, is bool) {
		key += s
		for range s {
			fixed = append(fixed, is)
		}
	}
	for spec != "" {
		text, rest, found := strings.Cut(spec, "{")
		add(text, true)
		if !found {
			break
		}
		var set string
		var length int
		hole, after, _ := strings.Cut(rest, "}")
		if _, err := fmt.Sscanf(strings.Replace(hole, ":", " ", 1), "%s %d", &set, &length); err != nil || sets()[set] == "" {
			panic("redacttest: " + spec) // the table is of our own making
		}
		add(n.of(sets()[set], length), false)
		spec = after
	}
	return key, fixed
}

// noise gives made-up characters, the same for the same seed.
type noise uint64

func (n *noise) of(chars string, length int) string {
	b := make([]byte, length)
	for i := range b {
		*n ^= *n << 13
		*n ^= *n >> 7
		*n ^= *n << 17
		b[i] = chars[uint64(*n>>33)%uint64(len(chars))]
	}
	return string(b)
}
