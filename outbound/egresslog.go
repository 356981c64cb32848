package outbound

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// leaves is the line of the egress log of what is about to leave. What then
// does not leave, the ledger takes back when it is settled.
func (t *trip) leaves(now time.Time) store.Egress {
	return store.Egress{
		At: now.In(t.Day.Location()), Session: t.Session, Provider: t.Provider.ID, Model: t.Model,
		Host: host(t.Provider.BaseURL), Purpose: purpose(t.Fields),
		Characters: characters(t.System) + characters(t.Prompt), Redactions: t.redactions,
	}
}

// host is where the call goes, without what else an address may hold.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}

func purpose(fields []recap.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = string(f)
	}
	return strings.Join(names, ",")
}

func characters(s string) int {
	if norm.NFC.IsNormalString(s) {
		return utf8.RuneCountInString(s)
	}
	return utf8.RuneCountInString(norm.NFC.String(s))
}
