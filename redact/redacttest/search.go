package redacttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Piece is how many characters of a secret, side by side, are a piece of it.
// Less is found in many words.
const Piece = 8

// Search finds pieces of secrets. It knows all of them at once, so that a long
// text is read once.
type Search struct {
	pieces map[uint64]string // by 8 bytes of a key
	joined *strings.Replacer
}

// NewSearch makes a search for these secrets, however they are split.
func NewSearch(secrets ...Secret) *Search {
	s := &Search{map[uint64]string{}, joined()}
	for _, x := range secrets {
		for i := range len(x.whole) - Piece + 1 {
			loose := false
			for _, f := range x.fixed[i : i+Piece] {
				loose = loose || !f
			}
			if loose { // else it tells only the kind
				s.pieces[number(x.whole[i:])] = x.Kind
			}
		}
	}
	return s
}

// Found is a piece of a secret in a text.
type Found struct {
	Kind string
	// Around is the piece with what stands beside it.
	Around string
}

// In gives what stands in the text of each kind, once, nil where nothing does.
func (s *Search) In(text string) []Found {
	var out []Found
	seen := map[string]bool{}
	look := func(text string) {
		if len(text) < Piece {
			return
		}
		n := number(text) >> 8
		for i := Piece - 1; i < len(text); i++ {
			n = n<<8 | uint64(text[i])
			if kind, ok := s.pieces[n]; ok && !seen[kind] {
				seen[kind] = true
				out = append(out, Found{kind, text[max(0, i-90):min(len(text), i+110)]})
			}
		}
	}
	look(text)
	look(s.joined.Replace(text))
	return out
}

// number is the first 8 bytes of s.
func number(s string) uint64 {
	n := uint64(0)
	for i := range Piece {
		n = n<<8 | uint64(s[i])
	}
	return n
}

// joined leaves out what breaks a key over lines, in a quote, a JSON string or
// markup.
func joined() *strings.Replacer {
	return strings.NewReplacer(
		`\r`, "", `\n`, "", `\t`, "", `\\`, "", `\u003e`, "", `\`, "", "\r", "", "\n", "", "\t", "", " ", "", ">", "", "|", "", "`", "", "*", "",
	)
}

// oracleEnv names a folder for what was put in and what left.
const oracleEnv = "RECAP_TEST_ORACLE"

// Oracle keeps a text for a scanner of others to look at, in the file name.txt,
// where internal/oracle runs the test; else it does nothing.
func Oracle(t testing.TB, name, text string) {
	t.Helper()
	dir := os.Getenv(oracleEnv)
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
