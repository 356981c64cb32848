package opencode

import (
	"sync"
	"time"
)

// rests remembers of sessions whose newest answer has no end that nobody works
// on it, as of their newest content. The database does not say so: any process
// of OpenCode may be the one that does. It is known where none ran at some
// time, or where the server that worked on it said that it rests.
type rests struct {
	mu sync.Mutex
	at map[string]int64 // Unix milliseconds, by session
}

func (r *rests) note(id string, content time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil || len(r.at) >= maxTracks {
		r.at = map[string]int64{}
	}
	r.at[id] = max(r.at[id], content.UnixMilli())
}

func (r *rests) clear(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.at, id)
}

// known reports that nobody works on a session whose newest content is of a time.
func (r *rests) known(id string, content time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[id]
	return ok && content.UnixMilli() <= at
}
