package redact_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// sets are what {set:n} of a form is made of.
var sets = map[string]string{
	"digit": "123456789", "hex": hexa, "UPPERHEX": digits + "ABCDEF", "letter": lowers + uppers, "alnum": alnum, "base64": base64, "web64": web64, "lower": lowers, "UPPER": uppers + digits,
	"UPPER32": uppers + "234567", "B32": uppers + "234567", "bech": "qpzry9x8gf2tvdw0s3jn54khce6mua7l", "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

// seedWords are words that a seed phrase may hold.
var seedWords = strings.Fields(`abandon ability able about above absent absorb abstract absurd abuse access accident legal winner thank year wave sausage
	worth useful title glove letter advice cage zebra zone wrist young width velvet tunnel trophy tiger`)

// expand fills the holes of a form.
func expand(t testing.TB, form string, n *noise) string {
	t.Helper()
	var b strings.Builder
	for form != "" {
		i := strings.IndexByte(form, '{')
		if i < 0 {
			break
		}
		end := strings.IndexByte(form[i:], '}')
		var set string
		var length int
		if end < 0 {
			break
		}
		if _, err := fmt.Sscanf(strings.Replace(form[i+1:i+end], ":", " ", 1), "%s %d", &set, &length); err != nil || set != "words" && sets[set] == "" {
			b.WriteString(form[:i+1]) // a brace of the text's own
			form = form[i+1:]
			continue
		}
		b.WriteString(form[:i])
		if set == "words" {
			for k := range length {
				if k > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(seedWords[n.intn(len(seedWords))])
			}
		} else {
			b.WriteString(n.of(sets[set], length))
		}
		form = form[i+end+1:]
	}
	return b.String() + form
}

// form is a text and the secrets that stand in it.
type form struct {
	group, text string
	secrets     []string
}

func forms(t testing.TB, seed uint64) []form {
	t.Helper()
	b, err := os.ReadFile("testdata/forms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := &noise{state: seed*2654435761 + 88172645463325252}
	var out []form
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		group, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("line %q", line)
		}
		text = strings.NewReplacer(`\\n`, `\n`, `\n`, "\n", `\t`, "\t").Replace(text)
		f := form{group: group}
		for i, piece := range strings.Split(expand(t, text, n), "§") {
			f.text += piece
			if i%2 == 1 {
				f.secrets = append(f.secrets, piece)
			}
		}
		out = append(out, f)
	}
	return out
}

// Each form is replaced, but for those that are noted to be left.
func TestH2_FormsOfSecrets(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(3) {
		for _, f := range forms(t, seed+1) {
			clean := mustText(t, f.text)
			kinds[f.group]++
			for _, secret := range f.secrets {
				left := leaked(clean, secret)
				if whole := strings.Contains(clean, secret); f.group != "left" && (whole || len(left) >= 8) {
					t.Errorf("%s: %q of %q is left in %q", f.group, left, f.text, clean)
				}
			}
			if again := mustText(t, clean); again != clean {
				t.Errorf("%q, then %q", clean, again)
			}
		}
	}
	t.Log(kinds)
}
