package redact_test

import (
	"strings"
)

// noise is a small generator of made-up characters: the same for the same seed.
type noise struct{ state uint64 }

func (n *noise) next() uint64 {
	n.state ^= n.state << 13
	n.state ^= n.state >> 7
	n.state ^= n.state << 17
	return n.state
}

func (n *noise) intn(k int) int { return int(n.next() >> 33 % uint64(k)) }

func (n *noise) of(chars string, length int) string {
	var b strings.Builder
	for range length {
		b.WriteByte(chars[n.intn(len(chars))])
	}
	return b.String()
}

const (
	digits = "0123456789"
	hexa   = digits + "abcdef"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lowers + uppers
	base64 = alnum + "+/"
	web64  = alnum + "-_"
)

// planted is a made-up secret: the text with its context, and what must not
// survive of it.
type planted struct {
	kind   string
	text   string
	secret string
}

// plant makes one secret of each kind. All are put together from pieces, so
// that no secret stands in this file.
func plant(seed uint64) []planted {
	n := &noise{state: seed*2654435761 + 88172645463325252}
	var out []planted
	bare := func(kind string, pieces ...string) {
		s := strings.Join(pieces, "")
		out = append(out, planted{kind, s, s})
	}
	within := func(kind, before, secret, after string) {
		out = append(out, planted{kind, before + secret + after, secret})
	}
	uuid := func() string {
		return n.of(hexa, 8) + "-" + n.of(hexa, 4) + "-" + n.of(hexa, 4) + "-" + n.of(hexa, 4) + "-" + n.of(hexa, 12)
	}
	bare("aws id", "AK", "IA", n.of(uppers+"234567", 16))
	within("aws secret", "aws_secret"+"_access_key = ", n.of(base64, 40), "")
	bare("google api key", "AI", "za", n.of(web64, 35))
	bare("google oauth secret", "GOC", "SPX-", n.of(web64, 28))
	bare("google access token", "ya", "29.", n.of(web64, 120))
	within("azure storage", "DefaultEndpointsProtocol=https;AccountName=devstore;Account"+"Key=", n.of(base64, 86)+"==", ";EndpointSuffix=core.windows.net")
	within("azure sas", "sv=2024-11-04&ss=b&si"+"g=", n.of(alnum, 40)+"%2B"+n.of(alnum, 2)+"%3D", "")
	within("azure bus", "Endpoint=sb://dev.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccess"+"Key=", n.of(base64, 43)+"=", "")
	bare("azure client secret", n.of(alnum, 3), "8", "Q~", n.of(alnum+"_.-", 33)+n.of(alnum, 1))
	for _, p := range []string{"p", "o", "u", "s", "r"} {
		bare("github gh"+p, "gh", p, "_", n.of(alnum, 36))
	}
	bare("github fine", "github", "_pat_", n.of(alnum, 22), "_", n.of(alnum, 59))
	bare("gitlab", "gl", "pat-", n.of(web64, 19)+"7")
	bare("bitbucket", "AT", "BB", n.of(alnum, 32))
	bare("atlassian", "ATA", "TT3xFfGF0", n.of(web64, 170), "=", n.of(hexa, 8))
	bare("openai", "sk", "-", n.of(alnum, 20), "T3Blbk", "FJ", n.of(alnum, 20))
	bare("openai project", "sk", "-proj-", n.of(web64, 74), "T3Blbk", "FJ", n.of(web64, 74))
	bare("anthropic", "sk", "-ant-", "api03-", n.of(web64, 93), "AA")
	bare("hugging face", "h", "f_", n.of(lowers+uppers, 34))
	bare("groq", "gs", "k_", n.of(alnum, 52))
	bare("xai", "xa", "i-", n.of(alnum, 80))
	bare("openrouter", "sk", "-or-", "v1-", n.of(hexa, 64))
	bare("replicate", "r", "8_", n.of(alnum, 37))
	bare("deepseek", "sk", "-", n.of(hexa, 32))
	within("mistral", "MISTRAL_"+"API_KEY=", n.of(alnum, 32), "")
	bare("perplexity", "pp", "lx-", n.of(alnum, 48))
	bare("slack bot", "xo", "xb-", n.of(digits, 12), "-", n.of(digits, 13), "-", n.of(alnum, 24))
	within("slack hook", "https://hooks.sla"+"ck.com/services/", "T"+n.of(uppers+digits, 8)+"/B"+n.of(uppers+digits, 10)+"/"+n.of(alnum, 24), "")
	bare("discord", "M", n.of(alnum, 23), ".", n.of(web64, 6), ".", n.of(web64, 37)+n.of(alnum, 1))
	within("discord hook", "https://discord"+".com/api/webhooks/", n.of("123456789", 18)+"/"+n.of(web64, 68), "")
	bare("telegram", n.of("123456789", 10), ":A", "A", n.of(web64, 32)+n.of(alnum, 1))
	bare("stripe", "sk_", "live_", n.of(alnum, 24))
	bare("stripe restricted", "rk_", "live_", n.of(alnum, 24))
	bare("stripe hook", "wh", "sec_", n.of(alnum, 32))
	bare("twilio", "S", "K", n.of(hexa, 32))
	bare("sendgrid", "S", "G.", n.of(web64, 22), ".", n.of(web64, 43))
	bare("mailgun", "ke", "y-", n.of(hexa, 32))
	bare("mailchimp", n.of(hexa, 32), "-u", "s14")
	bare("npm", "np", "m_", n.of(alnum, 36))
	bare("pypi", "py", "pi-AgEIcHlwaS5vcmc", n.of(web64, 150))
	bare("docker", "dck", "r_pat_", n.of(web64, 27))
	bare("digitalocean", "do", "p_v1_", n.of(hexa, 64))
	within("heroku", "HEROKU_"+"API_KEY=", uuid(), "")
	within("cloudflare", "CLOUDFLARE_"+"API_TOKEN=", n.of(web64, 39)+n.of(digits, 1), "")
	bare("vault", "hv", "s.", n.of(web64, 90))
	bare("terraform", n.of(alnum, 14), ".atl", "asv1.", n.of(web64, 67))
	bare("sentry", "sn", "trys_", n.of(base64, 120), "_", n.of(alnum, 43))
	bare("linear", "lin", "_api_", n.of(alnum, 40))
	bare("notion", "nt", "n_", n.of(alnum, 46))
	bare("notion old", "sec", "ret_", n.of(alnum, 43))
	bare("figma", "fi", "gd_", n.of(web64, 40))
	bare("shopify", "sh", "pat_", n.of(hexa, 32))
	bare("square", "sq", "0atp-", n.of(web64, 22))
	bare("jwt", "ey", "J", n.of(web64, 33), ".ey", "J", n.of(web64, 60), ".", n.of(web64, 43))
	within("postgres", "postgres"+"://app:", n.of(alnum, 16), "@db.internal:5432/app")
	within("mysql", "mysql"+"://root:", n.of(alnum, 12), "@10.0.0.5/shop")
	within("mongodb", "mongodb+srv"+"://svc:", n.of(alnum, 20), "@cluster0.example.net/?retryWrites=true")
	within("redis", "redis"+"://:", n.of(alnum, 24), "@cache:6379/0")
	within("amqp", "amqp"+"://mq:", n.of(alnum, 14), "@rabbit:5672/")
	within("basic auth url", "https"+"://ci:", n.of(alnum, 18), "@git.example.net/team/app.git")
	within("bearer", "Authorization: Bea"+"rer ", n.of(web64, 40), "")
	within("basic", "Authorization: Ba"+"sic ", n.of(base64, 30)+"==", "")
	within("cookie", "Cook"+"ie: sid=", n.of(alnum, 32), "")
	within("set-cookie", "Set-Cook"+"ie: session=", n.of(alnum, 40), "; Path=/; HttpOnly")
	within("x-api-key", "X-Api"+"-Key: ", n.of(alnum, 32), "")
	within("setting", "client_sec"+"ret=", n.of(alnum, 32), "")
	within("password", "DB_PASS"+"WORD=", n.of(alnum, 9)+"!"+n.of(digits, 4), "")
	within("flag", "--tok"+"en ", n.of(alnum, 40), "")
	bare("age", "AGE-SECRET", "-KEY-1", n.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	within("wireguard", "Private"+"Key = ", n.of(base64, 42)+"8=", "")
	within("netrc", "machine git.example.net login dev pass"+"word ", n.of(alnum, 20), "")
	within("kubeconfig", "tok"+"en: ", n.of(web64, 60), "")
	within("kube client key", "client-key"+"-data: ", n.of(alnum, 200)+"==", "")
	bare("grafana", "gl", "sa_", n.of(alnum, 32), "_", n.of(hexa, 8))
	bare("rubygems", "ruby", "gems_", n.of(hexa, 48))
	bare("tailscale", "tsk", "ey-auth-", n.of(alnum, 12), "-", n.of(alnum, 32))
	bare("databricks", "da", "pi", n.of(hexa, 32))
	bare("supabase", "sb", "p_", n.of(hexa, 40))
	return out
}

// plantBlocks makes secrets of several lines: the text and the lines of it that
// must not survive.
func plantBlocks(seed uint64) map[string][]string {
	n := &noise{state: seed*2654435761 + 88172645463325252}
	block := func(name string, last int) []string {
		lines := []string{"-----BE" + "GIN " + name + "-----"}
		for range 6 {
			lines = append(lines, n.of(base64, 64))
		}
		return append(lines, n.of(base64, last)+"==", "-----E"+"ND "+name+"-----")
	}
	return map[string][]string{
		"rsa":     block("RSA PRIV"+"ATE KEY", 42),
		"pkcs8":   block("PRIV"+"ATE KEY", 30),
		"ec":      block("EC PRIV"+"ATE KEY", 18),
		"openssh": block("OPENSSH PRIV"+"ATE KEY", 22),
		"pgp":     block("PGP PRIV"+"ATE KEY BLOCK", 26),
	}
}
