package qwencode

import (
	"context"
	"iter"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

var _ agent.Watcher = (*Source)(nil)

// Watch implements agent.Watcher. Transcripts and the files that name their
// processes are looked at.
func (s *Source) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	cfg := s.cfg
	cfg.Index = filewatch.Remember(cfg.Index)
	own := New(cfg)
	own.watches = true
	return filewatch.Watch(ctx, filewatch.Config{
		Roots: []filewatch.Root{{Path: own.projects(), Keep: func(rel string, dir bool) bool {
			return keep(rel, dir) || !dir && strings.HasSuffix(rel, ".runtime.json") && strings.Count(rel, "/") == 2
		}}},
		List: func(ctx context.Context) iter.Seq2[recap.Session, error] {
			return own.Sessions(ctx, agent.Query{Exclude: cfg.Exclude})
		},
	})
}
