package codex

import (
	"bytes"
	"path/filepath"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// maxIndex is how much of the end of session_index.jsonl is read.
const maxIndex = 8 << 20

// titles are the names in session_index.jsonl as they were read last.
type titles struct {
	stamp string
	names map[string]string
}

// readTitles gives the name of each thread: the last one that was written.
// The file is read again only when it changed.
func (s *Source) readTitles() map[string]string {
	path := filepath.Join(s.home.Root, "session_index.jsonl")
	f, err := filelog.Stat(path)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.titles.stamp == f.Stamp() {
		return s.titles.names
	}
	r, err := filelog.Open(path)
	if err != nil {
		return s.titles.names
	}
	defer r.Close() //nolint:errcheck // read only
	names := map[string]string{}
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	for r.Bytes() < maxIndex {
		row, err := r.Prev()
		if err != nil {
			break // the start, or what can't be read: titles are a nicety
		}
		if row.Long || !bytes.Contains(row.Data, []byte(`"thread_name"`)) {
			continue
		}
		v, err := p.ParseBytes(row.Data)
		if err != nil {
			continue
		}
		id := str(v, "id")
		if _, ok := names[id]; !ok && id != "" {
			names[id] = agent.Line(str(v, "thread_name"))
		}
	}
	s.titles = titles{f.Stamp(), names}
	return names
}
