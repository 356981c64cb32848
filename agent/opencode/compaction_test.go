package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/dialog"
)

// pages reads a session of a source as package dialog asks for it.
type pages struct {
	src agent.Source
	ref recap.SessionRef
}

func (p pages) Page(ctx context.Context, before string, n int) (dialog.Page, error) {
	x, err := p.src.Page(ctx, p.ref, agent.Cursor(before), n)
	return dialog.Page{Records: x.Records, Next: string(x.Next), Bytes: x.Bytes}, err
}

// What a compaction adds: a request, of the person's or of OpenCode's own, and
// the summary.
func (m *made) compaction(auto bool, summary map[string]any) {
	m.t.Helper()
	u := m.message("s", userInfo, json.RawMessage(encode(m.t, map[string]any{"type": "compaction", "auto": auto})))
	if summary != nil {
		m.message("s", with(with(summary, "summary", true), "parentID", u), "SUMMARY")
	}
}

// A session stands after a compaction as it stood before it, and the recap
// still has its last answer; one in the midst of work stays there. The listing
// and the transcript say the same, whether OpenCode lives or not.
func TestCompactionLeavesTheSessionAsItStood(t *testing.T) {
	t.Parallel()
	fail := func(name string) map[string]any {
		return with(with(openInfo, "completed", true), "error", map[string]any{"name": name, "data": map[string]any{"message": "no"}})
	}
	calls := with(doneInfo, "finish", "tool-calls")
	ran := tool("bash", map[string]any{"status": "completed", "input": map[string]any{"command": "ls"}, "metadata": map[string]any{"exit": 0}})
	refusal := tool("bash", map[string]any{"status": "error", "error": "The user rejected permission to use this specific tool call."})
	goOn := json.RawMessage(`{"type":"text","text":"Continue if you have next steps","synthetic":true}`)
	complete := func(m *made) { m.message("s", calls, ran); m.message("s", doneInfo, "It is done.") }
	work := func(m *made) { m.message("s", calls, ran) }
	for _, c := range []struct {
		name       string
		before     func(m *made)
		then       func(m *made)
		dead, live recap.State
		end        dialog.End // while nobody is there
		answer     string
	}{
		{"complete", complete, func(*made) {}, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, asked for", complete, func(m *made) { m.compaction(false, doneInfo) }, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, twice", complete, func(m *made) {
			m.compaction(false, doneInfo)
			m.compaction(false, doneInfo)
		}, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, asked for alone", complete, func(m *made) { m.compaction(false, nil) }, recap.StateIdle, recap.StateBusy, dialog.EndComplete, "It is done."},
		{"complete, being written", complete, func(m *made) { m.compaction(false, openInfo) }, recap.StateIdle, recap.StateBusy, dialog.EndComplete, "It is done."},
		{"complete, failed", complete, func(m *made) { m.compaction(false, fail("APIError")) }, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, stopped", complete, func(m *made) { m.compaction(false, fail("MessageAbortedError")) }, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"failed", func(m *made) { m.message("s", fail("APIError")) }, func(m *made) { m.compaction(false, doneInfo) }, recap.StateFailed, recap.StateFailed, dialog.EndFailed, ""},
		{"stopped", func(m *made) { m.message("s", fail("MessageAbortedError"), "half") }, func(m *made) { m.compaction(false, doneInfo) }, recap.StateInterrupted, recap.StateInterrupted, dialog.EndInterrupted, "half"},
		{"refused", func(m *made) { m.message("s", calls, refusal) }, func(m *made) { m.compaction(false, doneInfo) }, recap.StateInterrupted, recap.StateInterrupted, dialog.EndInterrupted, ""},
		{"left open", func(m *made) { m.message("s", openInfo, "half") }, func(m *made) { m.compaction(false, doneInfo) }, recap.StateInterrupted, recap.StateInterrupted, dialog.EndInterrupted, "half"},
		{"not answered", func(*made) {}, func(m *made) { m.compaction(false, doneInfo) }, recap.StateInterrupted, recap.StateInterrupted, dialog.EndUnanswered, ""},
		{"work", work, func(*made) {}, recap.StateInterrupted, recap.StateBusy, dialog.EndInterrupted, ""},
		{"work, by itself", work, func(m *made) { m.compaction(true, doneInfo) }, recap.StateInterrupted, recap.StateBusy, dialog.EndInterrupted, ""},
		{"work, by itself, asked for", work, func(m *made) { m.compaction(true, nil) }, recap.StateInterrupted, recap.StateBusy, dialog.EndInterrupted, ""},
		{"work, by itself, being written", work, func(m *made) { m.compaction(true, openInfo) }, recap.StateInterrupted, recap.StateBusy, dialog.EndInterrupted, ""},
		{"work, by itself, goes on", work, func(m *made) {
			m.compaction(true, doneInfo)
			m.message("s", userInfo, goOn)
		}, recap.StateInterrupted, recap.StateBusy, dialog.EndInterrupted, ""},
		{"work, by itself, failed", work, func(m *made) { m.compaction(true, fail("APIError")) }, recap.StateFailed, recap.StateFailed, dialog.EndFailed, ""},
		{"work, by itself, stopped", work, func(m *made) { m.compaction(true, fail("MessageAbortedError")) }, recap.StateInterrupted, recap.StateInterrupted, dialog.EndInterrupted, ""},
		{"work, by itself, done", work, func(m *made) {
			m.compaction(true, doneInfo)
			u := m.message("s", userInfo, goOn)
			m.message("s", with(doneInfo, "parentID", u), "It is done.")
		}, recap.StateIdle, recap.StateIdle, dialog.EndComplete, "It is done."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := makeDB(t, "opencode.db")
			m.session("s", "/home/dev/app")
			m.message("s", userInfo, "do it")
			c.before(m)
			c.then(m)
			m.close()
			written := time.UnixMilli(startMS + 60_000)
			if err := os.Chtimes(m.path, written, written); err != nil {
				t.Fatal(err)
			}
			ix := newMemory()
			check := func(want recap.State) {
				t.Helper()
				for range 2 { // read, and remembered
					if ses, _ := listed(t, m.source(ix), agent.Query{}); len(ses) != 1 || ses[0].State != want || ses[0].Model.ID == "" {
						t.Errorf("%+v, want %s", ses, want)
					}
				}
			}
			check(c.dead)
			src := m.source(nil)
			d, err := dialog.Read(t.Context(), pages{src, recap.SessionRef{Agent: recap.OpenCode, Root: src.cfg.Root, ID: "s"}}, dialog.FileLimits())
			if err != nil {
				t.Fatal(err)
			}
			if d.End != c.end || len(d.Turns) != 1 || d.Turns[0].Answer != c.answer || d.Turns[0].Text != "do it" || d.Turns[0].Complete != (c.end == dialog.EndComplete) {
				t.Errorf("end %s, want %s: %+v", d.End, c.end, d.Turns)
			}
			if c.dead == c.live && !long() {
				return
			}
			w := startWriter(t, m.path)
			w.do(`SELECT count(*) FROM message`)
			check(c.live)
			w.end()
			check(c.dead)
		})
	}
}

// The to-dos of the session stay with its last answer.
func TestTodosAfterACompaction(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("s", "/home/dev/app")
	m.message("s", userInfo, "do it")
	m.message("s", doneInfo, "Half of it.")
	m.compaction(false, doneInfo)
	m.exec(`INSERT INTO todo (session_id, content, status, priority, position, time_created, time_updated) VALUES ('s', 'write it', 'pending', 'high', 0, 1, 1)`)
	m.close()
	src := m.source(nil)
	d, err := dialog.Read(t.Context(), pages{src, recap.SessionRef{Agent: recap.OpenCode, Root: src.cfg.Root, ID: "s"}}, dialog.FileLimits())
	if err != nil || len(d.Turns) != 1 || len(d.Turns[0].Tools) != 1 || len(d.Turns[0].Tools[0].Todos) != 1 {
		t.Errorf("%+v %v", d.Turns, err)
	}
}

// The same from a server, which gives the messages of a real session.
func TestCompactionOnTheServer(t *testing.T) {
	b, err := os.ReadFile("testdata/messages-after-compaction.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		auto bool
		end  dialog.End
	}{{false, dialog.EndComplete}, {true, dialog.EndWorking}} {
		var rows []object
		if err := json.Unmarshal(bytes.ReplaceAll(b, []byte(`"auto":false`), fmt.Appendf(nil, `"auto":%v`, c.auto)), &rows); err != nil {
			t.Fatal(err)
		}
		s := newStub(t)
		s.session("a", nil)
		s.messages["a"] = rows
		d, err := dialog.Read(t.Context(), pages{s.server(ServerConfig{}), stubRef("a")}, dialog.ServerLimits())
		if err != nil {
			t.Fatal(err)
		}
		last := d.Turns[len(d.Turns)-1]
		if d.End != c.end || d.NotReady != string(dialog.EndSummary) || last.Text != "second" || last.Answer == "" || !last.Complete {
			t.Errorf("auto %v: end %s (%s), %+v", c.auto, d.End, d.NotReady, last)
		}
	}
}
