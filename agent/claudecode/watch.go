package claudecode

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

var _ agent.Watcher = (*Source)(nil)

// Watch implements agent.Watcher. Transcripts and the files of the agent's
// processes are looked at; subagents write beside them and are known by what
// the transcript says of them.
func (s *Source) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	cfg := s.cfg
	cfg.Index = filewatch.Remember(cfg.Index)
	own := New(cfg)
	own.watches = true
	return filewatch.Watch(ctx, filewatch.Config{
		Roots: []filewatch.Root{
			{Path: filepath.Join(cfg.Root, "projects"), Keep: func(rel string, dir bool) bool {
				depth := strings.Count(rel, "/")
				return dir && depth == 0 || !dir && depth == 1 && strings.HasSuffix(rel, ".jsonl")
			}},
			{Path: filepath.Join(cfg.Root, "sessions"), Keep: func(rel string, dir bool) bool {
				return !dir && strings.HasSuffix(rel, ".json") && !strings.Contains(rel, "/")
			}},
		},
		List: func(ctx context.Context) iter.Seq2[recap.Session, error] {
			return own.Sessions(ctx, agent.Query{Exclude: cfg.Exclude})
		},
	})
}
