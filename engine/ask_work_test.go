package engine_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/store"
)

// commits counts the transactions that a database's write-ahead log holds, and
// the pages that they wrote. Of a page of the log, bytes 4 to 8 of its header
// are not 0 where it ends a transaction; a page of an older round of the log
// has other salts than its header.
func commits(t *testing.T, path string) (transactions, pages int) {
	t.Helper()
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	const header, frame = 32, 24
	if len(log) < header {
		return 0, 0
	}
	salts, page := string(log[16:24]), int(binary.BigEndian.Uint32(log[8:12]))
	for at := header; at+frame+page <= len(log) && string(log[at+8:at+16]) == salts; at += frame + page {
		pages++
		if binary.BigEndian.Uint32(log[at+4:at+8]) != 0 {
			transactions++
		}
	}
	return transactions, pages
}

// TestTransactionsOfACall counts what a call writes: the claim; the reservation
// with the egress log; the settlement; the record with the decision and the end
// of the claim. Each is a commit, and there are no others.
func TestTransactionsOfACall(t *testing.T) {
	foreign := recapOnly(tongues()[0].answer)
	for _, c := range []struct {
		name  string
		queue []llmtest.Reply
		code  recap.Code
		want  int
		pages int // at most
	}{
		{"answered", nil, "", 4, 30},
		{"asked again without structured output", []llmtest.Reply{{Status: 400, Message: "Unknown parameter: 'response_format'"}}, "", 6, 45},
		{"asked again for the language", []llmtest.Reply{{Text: foreign}}, "", 6, 45},
		// The claim, the reservation, the settlement, the decision, the end of the claim.
		{"failed", []llmtest.Reply{{Status: 500, Message: "oops"}}, recap.CodeProviderError, 5, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "recap.db")
			a, srv := wiredAt(t, path, llm.OpenAI, nil)
			srv.Answer(llmtest.Reply{Text: trueReply})
			ask := engine.Ask{Fields: all()}
			if r := a.AskModel(t.Context(), a.s, ask); r.Err != nil { // the free recap is there from now on
				t.Fatal(r.Err)
			}
			srv.Queue(c.queue...)
			before, pagesBefore := commits(t, path)
			if before == 0 {
				t.Fatal("the log shows no transaction")
			}
			r := a.AskModel(t.Context(), a.s, ask)
			if recap.CodeOf(r.Err) != c.code && r.Err != nil {
				t.Fatal(r.Err)
			}
			after, pagesAfter := commits(t, path)
			if n := after - before; n != c.want {
				t.Errorf("%d transactions, want %d", n, c.want)
			}
			if n := pagesAfter - pagesBefore; n > c.pages {
				t.Errorf("%d pages written, want at most %d", n, c.pages)
			}
			if err := a.store.Claim(t.Context(), store.Claim{Session: a.s.Ref, Owner: "other:2"}, noon, time.Minute); err != nil {
				t.Errorf("the claim is held: %v", err)
			}
			ds := a.decisions(t)
			if want := 2; len(ds) != want || fmt.Sprint(ds[0].Code) != string(c.code) {
				t.Errorf("%d decisions, the newest %+v", len(ds), ds[0])
			}
			ledgered(t, a, srv)
		})
	}
}
