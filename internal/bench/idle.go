package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// What an idle daemon has, and how long it is watched.
const (
	idleSessions = 1000
	idleSettle   = 8 * time.Second
	idleWatch    = 60 * time.Second
	goWaits      = 4
)

// idle: a daemon with 1,000 known sessions, none live, no server connected.
func (b *bench) idle() error {
	home := filepath.Join(b.dir, "idle")
	if _, err := manySessions(home, idleSessions); err != nil {
		return err
	}
	env := b.env(home)
	if _, err := b.once(home, env, false, b.recap, "list", "--json", "--limit", "0"); err != nil {
		return err
	}
	d, err := b.serve(home, env)
	if err != nil {
		return err
	}
	defer d.stop()
	time.Sleep(idleSettle)
	cpu, switches := d.cpu(), d.switches()
	time.Sleep(idleWatch)
	ran, woken, anon := d.cpu()-cpu, d.switches()-switches, d.anon()
	fmt.Fprintf(b.out, "idle for %v with %d sessions: %.2f s of processors, %d waits of its threads\n", idleWatch, idleSessions, ran, woken)
	b.check("RssAnon of an idle daemon", float64(anon)/(1<<20), 24, "MB")
	// A timer that fires wakes a thread, and the thread waits again after. Go's
	// own monitor wakes once a minute, for two waits.
	b.check("waits of its threads: no timer of ours fired", float64(woken), goWaits, "")
	return os.RemoveAll(home)
}
