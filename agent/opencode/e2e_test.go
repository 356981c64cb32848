package opencode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode/opencodetest"
)

// The real server, on loopback against a scripted model: the source sees what
// the server shows, while it runs and after it stopped, and leaves nothing.
func TestE2E_RealServer(t *testing.T) {
	t.Parallel()
	bin := opencodetest.Binary(t)
	srv := opencodetest.Start(t, opencodetest.Options{Bin: bin, Model: opencodetest.StartModel(t)})
	root, project := srv.Root, srv.Project
	s := New(Config{Name: "opencode", Root: root, Index: newMemory()})

	id := srv.Create("end to end")
	srv.Prompt(id, "[tool] please")
	// A change of metadata is no content.
	before := only(t, s).UpdatedAt
	srv.Call("PATCH", "/session/"+id, map[string]any{"metadata": map[string]any{"recap": map[string]any{"x": 1}}}, nil)

	ses := only(t, s)
	if ses.Ref.ID != id || ses.Title != "end to end" || ses.Directory != project || ses.State != recap.StateIdle {
		t.Errorf("session %+v", ses)
	}
	if !ses.UpdatedAt.Equal(before) || ses.Model.String() != "fake/fake-large" {
		t.Errorf("session %+v", ses)
	}
	want := served(t, srv, id)
	live, err := s.Page(t.Context(), ses.Ref, "", 50)
	if err != nil || len(live.Problems) != 0 || !reflect.DeepEqual(live.Records, want) {
		t.Errorf("%v %v\n got %s\nwant %s", err, live.Problems, encode(t, live.Records), encode(t, want))
	}
	if got := fmt.Sprint(tools(live.Records)); got != "[bash echo from-the-tool done 0]" {
		t.Errorf("tools %s", got)
	}

	// Waiting for the person's approval, and refused.
	srv.Async(id, "[ask] clean up")
	opencodetest.WaitFor(t, "question for approval", func() bool { return only(t, s).State == recap.StateWaiting })
	if got := only(t, s).WaitingFor; got != "approval: bash rm -rf dup" {
		t.Errorf("waiting for %q", got)
	}
	var asked []struct{ ID string }
	opencodetest.WaitFor(t, "permission", func() bool { srv.Call("GET", "/permission", nil, &asked); return len(asked) == 1 })
	srv.Call("POST", "/permission/"+asked[0].ID+"/reply", map[string]any{"reply": "reject"}, nil)
	opencodetest.WaitFor(t, "end of the refused answer", func() bool { return only(t, s).State != recap.StateWaiting && only(t, s).State != recap.StateBusy })
	refused, err := s.Page(t.Context(), ses.Ref, "", 1)
	if err != nil || !strings.Contains(encode(t, refused.Records), `"Status":"rejected"`) || !refused.Records[0].Interrupted {
		t.Errorf("refused: %v %s", err, encode(t, refused.Records))
	}

	// In the middle of an answer.
	srv.Async(id, "[hang] go on")
	opencodetest.WaitFor(t, "a second answer", func() bool {
		p, err := s.Page(t.Context(), ses.Ref, "", 1)
		return err == nil && len(p.Records) == 1 && p.Records[0].Role == recap.RoleAssistant && p.Records[0].Completed.IsZero()
	})
	if got := only(t, s); got.State != recap.StateBusy {
		t.Errorf("while it answers: %s", got.State)
	}
	for name := range state(t, root) {
		if strings.HasPrefix(name, "opencode") && name != "opencode.db" && name != "opencode.db-wal" && name != "opencode.db-shm" {
			t.Errorf("a file appeared: %s", name)
		}
	}

	srv.Kill()
	atRest := state(t, root)
	if got := only(t, s); got.State != recap.StateInterrupted {
		t.Errorf("after it was killed: %s", got.State)
	}
	p, err := s.Page(t.Context(), ses.Ref, "", 50)
	if err != nil || len(p.Records) < len(want)+4 || !reflect.DeepEqual(p.Records[:len(want)], want) {
		t.Errorf("after it was killed: %v\n got %s\nwant %s", err, encode(t, p.Records), encode(t, want))
	}
	if last := p.Records[len(p.Records)-1]; !last.Interrupted {
		t.Errorf("newest %+v", last)
	}
	if after := state(t, root); !reflect.DeepEqual(atRest, after) {
		t.Errorf("files changed: %v -> %v", atRest, after)
	}
}

func tools(records []recap.Message) []string {
	var out []string
	for _, r := range records {
		for _, p := range r.Parts {
			if p.Tool != nil && p.Tool.Exit != nil {
				out = append(out, fmt.Sprintf("%s %s %s %d", p.Tool.Name, p.Tool.Command, p.Tool.Status, *p.Tool.Exit))
			}
		}
	}
	return out
}

func only(t *testing.T, s *Source) recap.Session {
	t.Helper()
	ses, probs := listed(t, s, agent.Query{})
	if len(ses) != 1 || len(probs) != 0 {
		t.Fatalf("%d sessions, %v", len(ses), probs)
	}
	return ses[0]
}

// served are the messages as the server gives them.
func served(t *testing.T, srv *opencodetest.Server, id string) []recap.Message {
	t.Helper()
	var rows []struct {
		Info  json.RawMessage
		Parts []json.RawMessage
	}
	srv.Call("GET", "/session/"+id+"/message", nil, &rows)
	var out []recap.Message
	for _, r := range rows {
		m, err := ParseMessage("", r.Info)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Parts {
			part, err := ParsePart(p)
			if err != nil {
				t.Fatal(err)
			}
			m.Parts = append(m.Parts, part)
		}
		out = append(out, m)
	}
	return out
}
