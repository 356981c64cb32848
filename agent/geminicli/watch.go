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
	own := s.own()
	return filewatch.Config{
		Roots: []filewatch.Root{{Path: own.tmp(), Keep: keep}},
		List: func(ctx context.Context) iter.Seq2[recap.Session, error] {
			return own.Sessions(ctx, agent.Query{Exclude: own.cfg.Exclude})
		},
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
