package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sessionrecap/recap/engine"
)

// progress shows how far a long scan is, on a terminal, once it takes longer
// than progressAfter. [progress.hide] makes room for other output; the line
// comes back with the next update. All methods may be called on nil.
type progress struct {
	out   io.Writer
	width int
	since time.Time // of the start, then of the last drawing

	mu    sync.Mutex
	slow  bool // progressAfter is over
	drawn bool
	done  bool
}

const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 80 * time.Millisecond
)

// newProgress begins to count. width 0: no terminal, nothing is ever shown.
func newProgress(out io.Writer, width int, quiet bool) *progress {
	return &progress{out: out, width: width, since: time.Now(), done: quiet || width == 0}
}

// update tells how far the scan is.
func (p *progress) update(x engine.Progress) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := progressEvery
	if !p.slow {
		wait = progressAfter
	}
	if p.done || time.Since(p.since) < wait {
		return
	}
	p.slow, p.since = true, time.Now()
	line := fmt.Sprintf("recap: reading sessions %d", x.Sessions)
	if x.Of > 0 {
		line = fmt.Sprintf("recap: making recaps %d of %d", x.Made, x.Of)
	}
	line = line[:min(len(line), p.width-1)]
	fmt.Fprintf(p.out, "\r\x1b[K%s", line) //nolint:errcheck // a terminal
	p.drawn = true
}

// hide takes the line away.
func (p *progress) hide() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// stop takes the line away for good.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	p.clear()
}

func (p *progress) clear() {
	if p.drawn {
		io.WriteString(p.out, "\r\x1b[K") //nolint:errcheck,gosec // a terminal
		p.drawn = false
	}
}

// say shows a line at once, until the next hide.
func (p *progress) say(line string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", line[:min(len(line), p.width-1)]) //nolint:errcheck // a terminal
	p.drawn = true
}
