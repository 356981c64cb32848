package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sessionrecap/recap/engine"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		take := func() string { s := out.String(); out.Reset(); return s }
		p := newProgress(&out, 40, false)
		p.update(engine.Progress{Sessions: 1})
		time.Sleep(progressAfter - time.Millisecond)
		p.update(engine.Progress{Sessions: 2})
		if s := take(); s != "" {
			t.Errorf("shown before half a second: %q", s)
		}
		time.Sleep(time.Millisecond)
		p.update(engine.Progress{Sessions: 3})
		if s := take(); s != "\r\x1b[Krecap: reading sessions 3" {
			t.Errorf("%q", s)
		}
		p.update(engine.Progress{Sessions: 4})
		if s := take(); s != "" {
			t.Errorf("drawn too often: %q", s)
		}
		// A notice hides the line, and it comes back.
		p.hide()
		p.hide()
		if s := take(); s != "\r\x1b[K" {
			t.Errorf("hidden by %q", s)
		}
		time.Sleep(progressEvery)
		p.update(engine.Progress{Made: 1, Of: 20})
		if s := take(); s != "\r\x1b[Krecap: making recaps 1 of 20" {
			t.Errorf("%q", s)
		}
		p.stop()
		time.Sleep(time.Second)
		p.update(engine.Progress{Made: 2, Of: 20})
		p.stop()
		if s := take(); s != "\r\x1b[K" {
			t.Errorf("after the end: %q", s)
		}
	})
}

func TestProgressIsForTerminalsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		for _, p := range []*progress{newProgress(&out, 0, false), newProgress(&out, 80, true), nil} {
			time.Sleep(time.Second)
			p.update(engine.Progress{Sessions: 1})
			p.hide()
			p.stop()
		}
		if out.Len() > 0 {
			t.Errorf("%q", out.String())
		}
		p := newProgress(&out, 16, false)
		time.Sleep(time.Second)
		p.update(engine.Progress{Made: 100, Of: 20000})
		line := strings.TrimPrefix(out.String(), "\r\x1b[K")
		if len(line) > 15 {
			t.Errorf("%d columns of 16: %q", len(line), line)
		}
	})
}
