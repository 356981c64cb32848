package dialog

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
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
	for _, t := range d.Turns {
		hashText(h, string(recap.RoleUser), t.Text)
		if t.AnswerID != "" {
			hashText(h, string(recap.RoleAssistant), t.Answer)
		}
	}
	hashText(h, "end", string(d.End))
	return hex.EncodeToString(h.Sum(nil)[:fingerprintBytes])
}

// hashText writes a text with its role. The text is on one line, so no two
// lists of texts look the same.
func hashText(h hash.Hash, role, text string) {
	text = strings.Join(strings.Fields(prompt.Normalize(text)), " ")
	h.Write([]byte(role + " " + text + "\n"))
}
