package redact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A key that is told in two messages is put together where its prefix says what
// it is. Those of no prefix, and some whose second half could be anything, are
// not: their halves stay.
func TestH2_SplitOverMessages(t *testing.T) {
	left := strings.Split("azure client secret,bitbucket,openai,openrouter,deepseek,slack bot,discord,telegram,stripe,twilio,mailgun,mailchimp,terraform,square", ",")
	for name, shape := range map[string]string{
		"names": "Person: use %s\nPerson: %s that is the rest", "an answer between": "Person: use %s\nAgent: ok, go on\nPerson: %s that is the rest", "first and second": "the first half is %s and the second half %s, done",
		"a fence": "<asked>\nuse %s\n</asked>\n<answered>\nok, go on\n</answered>\n<asked>\n%s that is the rest\n</asked>",
	} {
		for _, p := range plant(3) {
			if p.text != p.secret || slices.Contains(left, p.kind) {
				continue
			}
			cut := len(p.secret) / 2
			in := fmt.Sprintf(shape, p.secret[:cut], p.secret[cut:])
			clean := mustText(t, in)
			if a, b := leaked(clean, p.secret[:cut]), leaked(clean, p.secret[cut:]); len(a) >= 8 || len(b) >= 8 {
				t.Errorf("%s, %s: %q, %q survive in %q", p.kind, name, a, b, clean)
			}
		}
	}
	// What stands near a key and is no piece of one.
	n := &noise{state: 71}
	for _, s := range []string{
		" in commit " + n.of(hexa, 40), " for session ses_" + n.of(alnum, 26), ", see TestParseTokenizer2WithUnicode and internal/store/store_test.go:12", " of build 20260301T1000Z, digest sha256:" + n.of(hexa, 64), " is " + n.of(hexa, 8) + "-" + n.of(hexa, 4) + "-4" + n.of(hexa, 3) + "-a" + n.of(hexa, 3) + "-" + n.of(hexa, 12),
	} {
		for _, key := range []string{"gh" + "p_" + n.of(alnum, 36), "sk" + "-ant-" + "api03-" + n.of(web64, 93) + "AA", "sk" + "-ant-" + "api03"} {
			if got := mustText(t, key+s); !strings.HasSuffix(got, s) {
				t.Errorf("%q became %q", key+s, got)
			}
		}
	}
}

// Where a line break was made a blank, the rest of a secret goes with it.
func TestH2_GoesOnBehindABlank(t *testing.T) {
	n := &noise{state: 73}
	for _, before := range []string{"client_secret=", "X-Api-Key: ", "Authorization: Bearer ", "aws_secret_access_key = ", "sk" + "-or-" + "v1-"} {
		a, b := n.of(alnum, 15)+"4", n.of(alnum, 15)+"x"
		if strings.HasPrefix(before, "sk") {
			a, b = n.of(hexa, 29), n.of(hexa, 35)
		}
		clean := mustText(t, "bad input: "+before+a+" "+b+" and no more")
		if leaked(clean, a) != "" || leaked(clean, b) != "" || !strings.HasSuffix(clean, " and no more") {
			t.Errorf("%s: %q", before, clean)
		}
	}
	if got, want := mustText(t, "error: postgres"+"://app:4qLjhq6X 3BxoTWDb@db.internal:5432/app"), "error: postgres://app:"; !strings.HasPrefix(got, want) || strings.Contains(got, "3Bxo") || strings.Contains(got, "4qLj") {
		t.Errorf("%q", got)
	}
	for _, s := range []string{" in internal/store", " TestLoginOfBob2", " " + n.of(hexa, 40), " ses_" + n.of(alnum, 26), " then run make"} {
		in := "token=" + n.of(alnum, 28) + "7xY" + s
		if got := mustText(t, in); !strings.HasSuffix(got, s) {
			t.Errorf("%q became %q", in, got)
		}
	}
}
