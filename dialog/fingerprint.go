package dialog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// fingerprintBytes is how much of the hash is kept.
const fingerprintBytes = 16

// Fingerprint gives the key of a recap of this dialog: a hash of the roles and
// texts of the turns kept and of how the newest one ends. Ids, times, the
// split into pages, line breaks and the form of composed letters do not change
// it. Two dialogs read with different Limits.Turns may differ.
func (d Dialog) Fingerprint() string {
	h := sha256.New()
	var line []byte
	hashText := func(role, text string) {
		line = appendLine(line[:0], role, text)
		h.Write(line)
	}
	for _, t := range d.Turns {
		hashText(string(recap.RoleUser), t.Text)
		if t.AnswerID != "" {
			hashText(string(recap.RoleAssistant), t.Answer)
		}
	}
	hashText("end", string(d.End))
	return hex.EncodeToString(h.Sum(nil)[:fingerprintBytes])
}

// appendLine writes a text with its role. The text is on one line, so no two
// lists of texts look the same.
func appendLine(b []byte, role, text string) []byte {
	b = append(append(b, role...), ' ')
	first := true
	for word := range strings.FieldsSeq(prompt.Normalize(text)) {
		if !first {
			b = append(b, ' ')
		}
		first = false
		b = append(b, word...)
	}
	return append(b, '\n')
}
