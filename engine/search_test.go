package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// counted is a store that notes how much was asked for at once.
type counted struct {
	store.Store
	mu   sync.Mutex
	most int
	all  int
}

func (c *counted) Records(ctx context.Context, refs []recap.SessionRef) ([]recap.Record, error) {
	c.mu.Lock()
	c.most = max(c.most, len(refs))
	if refs == nil {
		c.all++
	}
	c.mu.Unlock()
	return c.Store.Records(ctx, refs)
}

// many fills a home with n sessions, the word "oldest" in the oldest alone.
func many(n int) *source {
	src := newSource(recap.Claude, "/homes/claude")
	for i := range n {
		request := "Fix the login page"
		if i == n-1 {
			request = "Fix the oldest page"
		}
		id := fmt.Sprintf("s%04d", i)
		src.add(id, fmt.Sprintf("/home/dev/src/p%d", i%7), time.Duration(i)*time.Minute, talk(id, request, "It works now.")...)
	}
	return src
}

// The first search of a machine looks into all sessions, a part of them at a
// time; the second reads none.
func TestSearchLooksIntoAll(t *testing.T) {
	const n = 700
	src := many(n)
	kept := &counted{Store: memory.New()}
	var last engine.Progress
	var mu sync.Mutex
	w := newWorld(t, func(o *engine.Options) {
		o.Store = kept
		o.Progress = func(p engine.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if p.Made > last.Made {
				last = p
			}
		}
	}, src)
	f, err := w.Search(t.Context(), []string{"OLDEST"}, 20)
	if err != nil || !slices.Equal(ids(f.Rows), []string{fmt.Sprintf("s%04d", n-1)}) || f.Total != 1 || f.Unread != 0 {
		t.Fatalf("first: %v, %d, %d, %v", ids(f.Rows), f.Total, f.Unread, err)
	}
	if last.Made != n || last.Of != n {
		t.Errorf("progress ended at %d of %d", last.Made, last.Of)
	}
	if kept.most > 300 || kept.all > 0 {
		t.Errorf("%d records were held at once, all of them %d times", kept.most, kept.all)
	}
	src.read()
	if f, err = w.Search(t.Context(), []string{"login"}, 20); err != nil || len(f.Rows) != 20 || f.Total != n-1 {
		t.Errorf("second: %d of %d, %v", len(f.Rows), f.Total, err)
	}
	if got := src.read(); got != 0 {
		t.Errorf("the second read %d pages", got)
	}
}

// A search that is stopped says so, and the next one makes only what is
// missing.
func TestSearchThatIsStoppedGoesOn(t *testing.T) {
	const n, stopAt = 450, 300
	src := many(n)
	w := newWorld(t, nil, src)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	seen := 0
	src.onPage = func(string) {
		mu.Lock()
		defer mu.Unlock()
		if seen++; seen == stopAt {
			cancel()
		}
	}
	_, err := w.Search(ctx, []string{"oldest"}, 20)
	wantCode(t, err, recap.CodeCanceled)
	if recap.HintOf(err) == "" {
		t.Error("no word about what was made")
	}
	if got := src.read(); got > stopAt+4 {
		t.Errorf("%d pages were read, the stop came at %d", got, stopAt)
	}
	src.onPage = nil
	f, err := w.Search(t.Context(), []string{"oldest"}, 20)
	if err != nil || len(f.Rows) != 1 {
		t.Fatalf("%v, %v", ids(f.Rows), err)
	}
	if got := src.read(); got > n-stopAt+4 {
		t.Errorf("the next read %d pages, %d were made before", got, stopAt)
	}
}

// What could not be looked into is counted; what is left out on purpose, or
// holds no request, is not.
func TestSearchCountsWhatItCouldNotRead(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	for _, id := range []string{"fine", "broken", "broken-later", "muted", "empty", "excluded"} {
		src.add(id, "/home/dev/src/"+id, time.Hour)
	}
	src.records["empty"] = nil
	w := newWorld(t, func(o *engine.Options) { o.Exclude = []string{"/home/dev/src/excluded"} }, src)
	muted := src.sessions["muted"].Ref
	if err := w.Mute(t.Context(), &muted, "", true); err != nil {
		t.Fatal(err)
	}
	w.list(t, engine.Query{})
	for _, id := range []string{"broken", "broken-later", "muted", "excluded"} {
		src.reading[id] = errDisk
	}
	f, err := w.Search(t.Context(), []string{"login"}, 0)
	if err != nil || f.Unread != 0 || f.Total != 3 {
		t.Errorf("all are stored: %d of %d unread, %v", f.Unread, f.Total, err)
	}
	// They go on: only an older state of them can be found.
	for _, id := range []string{"broken", "broken-later"} {
		src.change(id, func(s *recap.Session) { s.Stamp = "2" })
	}
	if f, err = w.Search(t.Context(), []string{"login"}, 0); err != nil || f.Unread != 2 || f.Total != 3 {
		t.Errorf("%d unread of %d, %v", f.Unread, f.Total, err)
	}
}

// A record that can't be stored is searched all the same.
func TestSearchFindsWhatCanNotBeStored(t *testing.T) {
	src := many(5)
	w := newWorld(t, func(o *engine.Options) { o.Store = full{memory.New()} }, src)
	f, err := w.Search(t.Context(), []string{"Oldest", "page"}, 20)
	if err != nil || !slices.Equal(ids(f.Rows), []string{"s0004"}) {
		t.Errorf("%v, %v", ids(f.Rows), err)
	}
	if f, err = w.Search(t.Context(), []string{"login"}, 2); err != nil || !slices.Equal(ids(f.Rows), []string{"s0000", "s0001"}) || f.Total != 4 {
		t.Errorf("%v of %d, %v", ids(f.Rows), f.Total, err)
	}
	if f, err = w.Search(t.Context(), []string{"login", "nowhere"}, 2); err != nil || f.Total != 0 {
		t.Errorf("%v of %d, %v", ids(f.Rows), f.Total, err)
	}
}

// A session is found by the name of its project and of its directory, not by
// the folders above.
func TestSearchKnowsProjects(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("shop", "/home/dev/src/shop-login", time.Hour, talk("shop", "Fix the cart", "Done.")...)
	src.add("blog", "/home/dev/src/blog", time.Minute, talk("blog", "Fix the feed", "Done.")...)
	w := newWorld(t, nil, src)
	for words, want := range map[string]string{"Shop-Login": "[shop]", "login cart": "[shop]", "blog cart": "[]", "home": "[]", "src": "[]", "dev": "[]"} {
		f, err := w.Search(t.Context(), strings.Fields(words), 0)
		if got := fmt.Sprint(ids(f.Rows)); err != nil || got != want {
			t.Errorf("%q: %s, want %s, %v", words, got, want, err)
		}
	}
}
