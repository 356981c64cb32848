package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Assist is what recap keeps in a session's metadata, at NAMESPACE.assist.
type Assist struct {
	Recap        string
	Suggestion   string
	ForMessageID string
	GeneratedAt  time.Time

	generated int64
}

// assist is the form of an Assist in JSON.
type assist struct {
	Recap        string `json:"recap"`
	Suggestion   string `json:"suggestion"`
	ForMessageID string `json:"forMessageID"`
	GeneratedAt  int64  `json:"generatedAt"` // Unix milliseconds
}

const assistKey = "assist"

// ReadAssist reads the record in the metadata of a session, as a server gives
// it; false where there is none.
func ReadAssist(metadata []byte, namespace string) (Assist, bool) {
	v, err := fastjson.ParseBytes(metadata)
	if err != nil {
		return Assist{}, false
	}
	return assistOf(v, namespace)
}

func assistOf(metadata *fastjson.Value, namespace string) (Assist, bool) {
	v := metadata.Get(namespace, assistKey)
	a := Assist{
		Recap: str(v, "recap"), Suggestion: str(v, "suggestion"), ForMessageID: str(v, "forMessageID"),
		generated: num(v, "generatedAt"),
	}
	a.GeneratedAt = timeOf(a.generated)
	return a, a.ForMessageID != "" && a.generated > 0
}

// Fresh tells whether the record is one to show: it answers the newest content
// record of the session, the session is idle and not reverted. A fork carries
// its parent's record, but its messages have other ids: nothing is fresh in it.
// Nothing is deleted to hide a record.
func (a Assist) Fresh(s recap.Session, newestMessageID string) bool {
	return a.ForMessageID != "" && a.ForMessageID == newestMessageID &&
		s.State == recap.StateIdle && !s.Reverted && !s.Archived && !a.GeneratedAt.Before(s.CreatedAt)
}

// Reasons why a record is not written. All are ErrNoMirror: the record stands
// in the store, and the session moved on.
var (
	errMovedOn  = fmt.Errorf("the session moved on: %w", agent.ErrNoMirror)
	errOccupied = fmt.Errorf("another program's value stands where the record would: %w", agent.ErrNoMirror)
)

// put writes a record to a session of this server. All writes of this program
// to the server follow each other.
//
// The endpoint replaces the metadata whole and compares nothing: what another
// client writes between our read and our write, one round trip, is lost.
func (s *Server) put(ctx context.Context, id string, r recap.Record) error {
	if r.Recap == "" && r.Suggestion == "" {
		return nil
	}
	if version, ok := s.c.keepsMetadata(); !ok {
		return fmt.Errorf("OpenCode %s keeps no metadata, 1.15.13 does: %w", version, agent.ErrNoMirror)
	}
	select {
	case s.writer <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.writer }()

	mark := r.Fingerprint + "\x00" + r.ForMessageID
	s.mu.Lock()
	done := r.Fingerprint != "" && s.written[id] == mark
	s.mu.Unlock()
	if done {
		return nil
	}
	now, err := s.c.session(ctx, id)
	if errors.Is(err, errNotFound) {
		return agent.ErrNoMirror
	}
	if err != nil {
		return err
	}
	if err := s.writable(id, now, r); err != nil {
		return err
	}
	ours := assist{
		Recap: clamp(r.Recap, recap.RecapChars), Suggestion: clamp(r.Suggestion, recap.SuggestionChars),
		ForMessageID: r.ForMessageID, GeneratedAt: r.GeneratedAt.UnixMilli(),
	}
	merged, same, err := merge(now.metadata, s.cfg.Namespace, ours)
	if err != nil {
		return err
	}
	if !same {
		after, err := s.c.putMetadata(ctx, id, merged)
		if err != nil {
			return err
		}
		if a, ok := assistOf(after.metadata, s.cfg.Namespace); !ok || a.ForMessageID != ours.ForMessageID {
			return fmt.Errorf("the server did not keep the metadata: %w", agent.ErrNoMirror)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.written) >= maxTracks {
		clear(s.written) // what stands there is compared before a write
	}
	s.written[id] = mark
	return nil
}

// writable tells whether the session is still as it was when the record was made.
func (s *Server) writable(id string, now info, r recap.Record) error {
	if now.archived || now.parent != "" || now.revert != "" {
		return errMovedOn
	}
	if r.Directory != "" && now.dir != r.Directory {
		return errMovedOn
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tracks.of[id]
	if t == nil {
		return nil
	}
	if t.atWork() || t.userAt > r.GeneratedAt.UnixMilli() {
		return errMovedOn
	}
	return nil
}

func clamp(s string, n int) string {
	head, _ := headOf(s, n)
	return head
}

// merge puts our record into metadata and keeps all else as it stands. same tells that it stood there already.
func merge(metadata *fastjson.Value, namespace string, ours assist) (out []byte, same bool, err error) {
	all, err := fields(metadata)
	if err != nil {
		return nil, false, errOccupied
	}
	var space *fastjson.Value
	if metadata != nil {
		space = metadata.Get(namespace)
	}
	in, err := fields(space)
	if err != nil {
		return nil, false, errOccupied
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ours); err != nil {
		return nil, false, err
	}
	if old := in[assistKey]; old != nil {
		var was assist
		if json.Unmarshal(old, &was) == nil && was == ours {
			return nil, true, nil
		}
	}
	in[assistKey] = bytes.TrimSpace(b.Bytes())
	if all[namespace], err = json.Marshal(in); err != nil {
		return nil, false, err
	}
	out, err = json.Marshal(all)
	return out, false, err
}

// fields gives the fields of an object, none for what is missing.
func fields(v *fastjson.Value) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	if v == nil || v.Type() == fastjson.TypeNull {
		return out, nil
	}
	o, err := v.Object()
	if err != nil {
		return nil, err
	}
	o.Visit(func(key []byte, f *fastjson.Value) { out[string(key)] = f.MarshalTo(nil) })
	return out, nil
}

// PutRecord writes a record to the session's metadata, as agent.Mirror says.
func (s *Server) PutRecord(ctx context.Context, ref recap.SessionRef, r recap.Record) error {
	return s.live.PutRecord(ctx, ref, r)
}
