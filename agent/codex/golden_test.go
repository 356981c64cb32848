package codex

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

var update = flag.Bool("update", false, "write the golden files")

// homes are the recorded Codex homes below testdata.
func homes() []string { return []string{"codex", "codex-0.98", "codex-migrated", "codex-zst"} }

func open(t *testing.T, home string) *Source {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("testdata", home))
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Root: root, Origin: "default"})
}

// all lists everything, and fails on any error that is no problem of one file.
func all(t *testing.T, s *Source, q agent.Query) (list []recap.Session, problems []*agent.Problem) {
	t.Helper()
	for x, err := range s.Sessions(t.Context(), q) {
		if err == nil {
			list = append(list, x)
			continue
		}
		p, ok := err.(*agent.Problem) //nolint:errorlint // the contract names the type
		if !ok {
			t.Fatal(err)
		}
		problems = append(problems, p)
	}
	return list, problems
}

// records reads a session from its end to its beginning, n records a page.
func records(t *testing.T, s *Source, id string, n int) (list []recap.Message, pages int) {
	t.Helper()
	ref := recap.SessionRef{Agent: recap.Codex, Root: s.home.Root, ID: id}
	var before agent.Cursor
	for {
		p, err := s.Page(t.Context(), ref, before, n)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		list = append(append([]recap.Message{}, p.Records...), list...)
		if p.Next == "" {
			return list, pages
		}
		if p.Next == before || pages > 10_000 {
			t.Fatalf("cursor %q repeats", p.Next)
		}
		before = p.Next
	}
}

func describe(m *recap.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", m.Created.Format("15:04:05.000"), m.Role, m.ID)
	if m.Finish != "" {
		fmt.Fprintf(&b, " finish=%s", m.Finish)
	}
	if !m.Completed.IsZero() {
		fmt.Fprintf(&b, " completed=%s", m.Completed.Format("15:04:05.000"))
	}
	if m.Interrupted {
		b.WriteString(" interrupted")
	}
	if m.Summary {
		b.WriteString(" summary")
	}
	if m.Failure != nil {
		fmt.Fprintf(&b, " failure=%s:%q", m.Failure.Code, m.Failure.Message)
	}
	if m.Model.ID != "" {
		fmt.Fprintf(&b, " model=%s", m.Model)
	}
	b.WriteString("\n")
	for _, p := range m.Parts {
		switch p.Kind {
		case recap.PartTool:
			t := p.Tool
			fmt.Fprintf(&b, "    tool %s kind=%s %s command=%q", t.Name, t.Kind, t.Status, t.Command)
			if t.Exit != nil {
				fmt.Fprintf(&b, " exit=%d", *t.Exit)
			}
			if len(t.Paths) > 0 {
				fmt.Fprintf(&b, " paths=%q", t.Paths)
			}
			fmt.Fprintf(&b, " output=%q\n", t.Output)
		case recap.PartFile:
			fmt.Fprintf(&b, "    file %s %s\n", p.File.Name, p.File.MIME)
		default:
			fmt.Fprintf(&b, "    %s %q\n", p.Kind, p.Text)
		}
	}
	return b.String()
}

func describeSession(x *recap.Session) string {
	return fmt.Sprintf("session %s %q dir=%s branch=%s parent=%s fork=%s created=%s updated=%s state=%s waiting=%q archived=%v reverted=%v model=%s",
		x.Ref.ID, x.Title, x.Directory, x.Branch, x.ParentID, x.ForkedFrom, x.CreatedAt.Format("15:04:05.000"),
		x.UpdatedAt.Format("15:04:05.000"), x.State, x.WaitingFor, x.Archived, x.Reverted, x.Model)
}

// TestGolden holds what is read of each recorded home. The golden files were
// read by a person beside the recordings.
func TestGolden(t *testing.T) {
	for _, home := range homes() {
		t.Run(home, func(t *testing.T) {
			s := open(t, home)
			list, problems := all(t, s, agent.Query{Archived: true, Subagents: true})
			if len(problems) > 0 {
				t.Errorf("problems: %v", problems)
			}
			var b strings.Builder
			for i := range list {
				b.WriteString(describeSession(&list[i]) + "\n")
				recs, _ := records(t, s, list[i].Ref.ID, 50)
				for j := range recs {
					b.WriteString("  " + describe(&recs[j]))
				}
			}
			name := filepath.Join("testdata", home+".golden")
			if *update {
				if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("differs from %s:\n%s", name, b.String())
			}
			// However small the pages are, the records are the same.
			for i := range list {
				whole, _ := records(t, s, list[i].Ref.ID, 1000)
				for _, n := range []int{1, 2, 5} {
					parts, _ := records(t, s, list[i].Ref.ID, n)
					if a, b := joined(whole), joined(parts); a != b {
						t.Errorf("%s in pages of %d:\n%s\nwant:\n%s", list[i].Ref.ID, n, b, a)
					}
				}
			}
		})
	}
}

func joined(list []recap.Message) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(describe(&list[i]))
	}
	return b.String()
}

// tree gives the names and contents below a folder.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// long reports that what takes minutes runs too: more seeds, values and rounds
// of the same.
func long() bool { return os.Getenv("RECAP_TEST_LONG") != "" }
