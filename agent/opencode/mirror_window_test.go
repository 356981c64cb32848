package opencode

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// G6: the endpoint replaces the metadata whole. Ours is one read and the write
// right behind it; what others wrote before the read survives byte for byte,
// and what comes between the two is all that can be lost.
func TestG6_OneReadAndTheWriteBehindIt(t *testing.T) {
	t.Parallel()
	const theirs = `{"big":12345678901234567890,"n":1.50,"none":null,"sp ace":["<b>",{"é":"\u2028"}],"recap":{"mine":[1]}}`
	written(t, ServerConfig{}, func(ctx context.Context, s *stub, srv *Server) {
		writes := 0
		s.set(func() {
			s.odd = func(r *http.Request) (*http.Response, error) {
				switch {
				case r.Method == http.MethodGet && r.URL.Path == "/session/a":
					// Others write until the moment of the read.
					writes++
					return answered(200, "application/json", `{"id":"a","directory":"/p","time":{"created":1,"updated":2},"metadata":`+theirs+`}`), nil
				case r.Method == http.MethodPatch && writes != 1:
					t.Errorf("%d reads before the write", writes)
				}
				return nil, nil
			}
		})
		n := len(s.since(0))
		if err := srv.PutRecord(ctx, stubRef("a"), record(stubRef("a"), "print", "/p", "msg_2")); err != nil {
			t.Fatal(err)
		}
		if got := s.since(n); !slices.Equal(got, []string{"GET /session/a", "PATCH /session/a"}) {
			t.Errorf("asked %v", got)
		}
		for _, want := range []string{`"big":12345678901234567890`, `"n":1.50`, `"none":null`, `"sp ace":["<b>",{"é":`, `"mine":[1]`, `"assist":{"recap":"The tool was run."`} {
			// The encoder may write the signs of HTML as escapes: they are the same text.
			if got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(s.patches[0]); !strings.Contains(got, want) {
				t.Errorf("no %s in %s", want, got)
			}
		}
	})
}
