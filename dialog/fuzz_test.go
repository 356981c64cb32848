package dialog_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// FuzzRead makes a session of bytes and reads it in pages of two sizes.
func FuzzRead(f *testing.F) {
	f.Add([]byte{0, 8, 1, 0, 9, 2}, "fix it", uint8(1), uint8(3))
	f.Add([]byte{0, 0x38, 0, 0x48, 0x58, 2, 0x68}, "```\ncode\n``` see https://example.com", uint8(2), uint8(2))
	f.Add([]byte{4, 8, 5, 0x18, 6, 0x28, 3, 7}, "<terminal_context>x\u0301", uint8(5), uint8(1))
	f.Fuzz(func(t *testing.T, script []byte, words string, size, turns uint8) {
		script = script[:min(len(script), 300)]
		records := make([]recap.Message, 0, len(script))
		for i, b := range script {
			records = append(records, fuzzed(i, b, words))
		}
		l := dialog.Limits{Turns: int(turns % 5), PageSize: int(size%20) + 1}
		d, err := dialog.Read(context.Background(), &session{records: records}, l)
		if err != nil {
			if recap.CodeOf(err) != recap.CodeUnreadable {
				t.Fatal(err)
			}
			return
		}
		limit := l.Turns
		if limit == 0 {
			limit = 3
		}
		checkDialog(t, d, records, limit)
		whole, err := dialog.Read(context.Background(), &session{records: records, n: len(records) + 1}, l)
		if err != nil {
			t.Fatal(err)
		}
		if d.Fingerprint() != whole.Fingerprint() || len(d.Fingerprint()) != 32 || len(d.Sample()) > limit {
			t.Fatalf("fingerprints %s and %s", d.Fingerprint(), whole.Fingerprint())
		}
		d.Pages, d.Bytes, whole.Pages, whole.Bytes = 0, 0, 0, 0
		if !reflect.DeepEqual(d, whole) {
			t.Fatalf("pages of %d\n%+v\none page\n%+v", l.PageSize, d, whole)
		}
	})
}

// fuzzed makes a record of a byte: the low bits are its kind, the others what
// it answers and how it ends.
func fuzzed(i int, b byte, words string) recap.Message {
	id := strconv.Itoa(i)
	bits := int(b >> 4)
	parent := ""
	if bits > 0 {
		parent = strconv.Itoa(i - bits)
	}
	switch b & 15 {
	case 0:
		return user(id, text(words))
	case 1:
		return user(id, file("image/png"), synthetic(words))
	case 2:
		return user(id, synthetic(words))
	case 3:
		return service(id)
	case 4:
		return user(id, attach("code-comment", map[string]any{"code": words, "text": words, "fileLabel": words, "startLine": bits}), text(words))
	case 5:
		return user(id, attach("github-pr", nil), recap.Part{Kind: recap.PartText, Text: words, Ignored: true})
	case 6:
		return user(id)
	case 7:
		return user(id, attach("chat-quote", map[string]any{"quote": words, "text": []any{words, i}[max(0, bits-14)]}))
	}
	m := answer(id, parent, text(words), tool(id, []recap.ToolStatus{recap.ToolDone, recap.ToolPending, recap.ToolWaiting}[bits%3]))
	switch b & 15 {
	case 8:
		m.Parts = m.Parts[:1]
	case 9:
		m.Finish = recap.FinishToolCalls
	case 10:
		m.Failure = &recap.Failure{Message: words}
	case 11:
		m.Interrupted = true
	case 12:
		m.Summary = true
	case 13:
		m.Completed, m.Finish = time.Time{}, ""
	case 14:
		m.Parts = m.Parts[1:]
	}
	return m
}
