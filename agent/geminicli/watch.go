package geminicli

import (
	"context"
	"iter"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

var _ agent.Watcher = (*Source)(nil)

// Watch implements agent.Watcher. Transcripts are looked at, and the logs of
// subagents, which keep their session from being idle. Where the last rows of a
// log tell nothing it is read further back than a listing does.
func (s *Source) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return filewatch.Watch(ctx, s.watching())
}

func (s *Source) watching() filewatch.Config {
	l := &live{own: s.own(), procs: newProcesses()}
	return filewatch.Config{Roots: []filewatch.Root{{Path: s.tmp(), Keep: keep}}, List: l.list}
}

// live lists the sessions of a home again and again.
type live struct {
	own   *Source
	procs processes
}

func (l *live) list(ctx context.Context) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		var all []recap.Session
		for x, err := range l.own.Sessions(ctx, agent.Query{Exclude: l.own.cfg.Exclude}) {
			if err == nil {
				all = append(all, x)
			} else if !yield(x, err) {
				return
			}
		}
		l.procs.look(all)
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// own makes the source that a watch lists with.
func (s *Source) own() *Source {
	cfg := s.cfg
	cfg.Index = filewatch.Remember(cfg.Index)
	own := New(cfg)
	own.deep = true
	return own
}
