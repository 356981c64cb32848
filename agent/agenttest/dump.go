package agenttest

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

var update = flag.Bool("golden", false, "write the golden files of agenttest.Golden")

// Golden compares everything a source reads with a file that a person has
// looked at. `go test -golden` writes it.
func Golden(t *testing.T, src agent.Source, file string) {
	t.Helper()
	GoldenText(t, Dump(t, src), file)
}

// Dump writes what a source reads as text: its sessions and their records.
func Dump(t *testing.T, src agent.Source) string {
	t.Helper()
	var b strings.Builder
	for s, err := range src.Sessions(t.Context(), agent.Query{Archived: true, Subagents: true}) {
		if err != nil {
			var p *agent.Problem
			if !errors.As(err, &p) {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "problem: %s (%d)\n", p.Reason, p.Count)
			continue
		}
		fmt.Fprintf(&b, "session %s %q\n  dir=%s branch=%s created=%s updated=%s state=%s waiting=%q model=%s", s.Ref.ID, s.Title, s.Directory, s.Branch,
			stamp(s.CreatedAt), stamp(s.UpdatedAt), s.State, s.WaitingFor, s.Model)
		if s.ParentID != "" || s.ForkedFrom != "" || s.Archived || s.Reverted {
			fmt.Fprintf(&b, " parent=%s fork=%s archived=%v reverted=%v", s.ParentID, s.ForkedFrom, s.Archived, s.Reverted)
		}
		b.WriteByte('\n')
		for _, m := range Records(t, src, s.Ref, 50) {
			dumpMessage(&b, m)
		}
	}
	return b.String()
}

// Records reads a whole session, n records a page.
func Records(t *testing.T, src agent.Source, ref recap.SessionRef, n int) []recap.Message {
	t.Helper()
	var out []recap.Message
	var before agent.Cursor
	for range 100_000 {
		p, err := src.Page(t.Context(), ref, before, n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(make([]recap.Message, 0, len(out)+len(p.Records)), p.Records...), out...)
		if p.Next == "" {
			return out
		}
		if p.Next == before {
			t.Fatalf("cursor %q repeats", before)
		}
		before = p.Next
	}
	t.Fatal("no end of pages")
	return nil
}

func dumpMessage(b *strings.Builder, m recap.Message) {
	fmt.Fprintf(b, "  %s %s %s", stamp(m.Created), m.Role, m.ID)
	if m.Finish != "" {
		fmt.Fprintf(b, " finish=%s", m.Finish)
	}
	if !m.Completed.IsZero() && m.Role == recap.RoleAssistant {
		b.WriteString(" completed")
	}
	if m.Interrupted {
		b.WriteString(" interrupted")
	}
	if m.Summary {
		b.WriteString(" summary")
	}
	if m.Failure != nil {
		fmt.Fprintf(b, " failure=%s %q", m.Failure.Code, m.Failure.Message)
	}
	b.WriteByte('\n')
	for _, p := range m.Parts {
		switch {
		case p.Tool != nil:
			x := p.Tool
			fmt.Fprintf(b, "    tool %s kind=%s %s command=%q", x.Name, x.Kind, x.Status, x.Command)
			if x.Exit != nil {
				fmt.Fprintf(b, " exit=%d", *x.Exit)
			}
			if len(x.Paths)+len(x.Questions)+len(x.Todos) > 0 {
				fmt.Fprintf(b, " paths=%q questions=%q todos=%v", x.Paths, x.Questions, x.Todos)
			}
			fmt.Fprintf(b, " output=%q\n", head(x.Output, 100))
		case p.File != nil:
			fmt.Fprintf(b, "    file %s %s\n", p.File.Name, p.File.MIME)
		default:
			flags := ""
			if p.Synthetic {
				flags = " synthetic"
			}
			fmt.Fprintf(b, "    %s%s %q\n", p.Kind, flags, head(p.Text, 300))
		}
	}
}

func head(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

func stamp(t interface{ IsZero() bool }) string {
	if t.IsZero() {
		return "-"
	}
	if f, ok := t.(interface{ Format(layout string) string }); ok {
		return f.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return "?"
}
