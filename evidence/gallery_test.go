package evidence

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scene is a made session of the gallery.
type scene struct {
	name string
	in   Input
}

// readScenes reads the gallery's notation: "U:" and "A:" open a turn's prompt
// and answer ("|" goes on), "$" a command with "=" its exit status, ">" its
// output and "~" its standing, "E" an edit, "Q" a question, "T" a to-do list.
func readScenes(t testing.TB, text string) []scene {
	t.Helper()
	var out []scene
	var cur *scene
	var into *string
	turn := func() *recap.Turn { return &cur.in.Turns[len(cur.in.Turns)-1] }
	tool := func() *recap.Tool { tt := turn().Tools; return &tt[len(tt)-1] }
	interrupted := false
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for line := range strings.SplitSeq(text, "\n") {
		head, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case head == "===":
			out = append(out, scene{name: rest})
			cur = &out[len(out)-1]
			cur.in.End = "complete"
			cur.in.Now = now
			cur.in.Session.Directory = "/home/dev/app"
			interrupted = false
		case head == "@end":
			cur.in.End = rest
		case head == "@state":
			cur.in.Session.State = recap.State(rest)
		case head == "@waiting":
			cur.in.Session.WaitingFor = rest
		case head == "@title":
			cur.in.Session.Title = rest
		case head == "@failure":
			cur.in.Failure = &recap.Failure{Code: rest}
		case head == "~turn":
			interrupted = rest == "interrupted"
		case head == "U:":
			n := strconv.Itoa(len(cur.in.Turns) + 1)
			cur.in.Turns = append(cur.in.Turns, recap.Turn{UserID: "u" + n, Text: rest, Authored: rest, Interrupted: interrupted})
			into = &turn().Text
		case head == "A:":
			turn().Answer, turn().AnswerID = rest, "a"+strconv.Itoa(len(cur.in.Turns))
			turn().Complete = cur.in.End == "complete"
			into = &turn().Answer
		case head == "|":
			*into += "\n" + rest
			turn().Authored = turn().Text
		case head == "$":
			turn().Tools = append(turn().Tools, recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: strings.ReplaceAll(rest, `\n`, "\n")})
		case line[0] == '=':
			n, err := strconv.Atoi(line[1:])
			if err != nil {
				t.Fatal(err)
			}
			tool().Exit = &n
			if n != 0 {
				tool().Status = recap.ToolFailed
			}
		case head == ">":
			tool().Output += rest + "\n"
		case head == "~":
			if rest == "background" {
				tool().Background = true
			} else {
				tool().Status = recap.ToolStatus(rest)
			}
		case head == "E":
			turn().Tools = append(turn().Tools, recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: strings.Fields(rest)})
		case head == "Q":
			turn().Tools = append(turn().Tools, recap.Tool{Name: "AskUserQuestion", Kind: recap.ToolQuestion, Status: recap.ToolWaiting, Questions: []string{rest}})
		case head == "T":
			tl := recap.Tool{Name: "TodoWrite", Kind: recap.ToolTodo, Status: recap.ToolDone}
			for item := range strings.SplitSeq(rest, " | ") {
				s := recap.TodoOpen
				switch item[:3] {
				case "[x]":
					s = recap.TodoDone
				case "[~]":
					s = recap.TodoActive
				}
				tl.Todos = append(tl.Todos, recap.Todo{Text: item[4:], Status: s})
			}
			turn().Tools = append(turn().Tools, tl)
		default:
			t.Fatalf("gallery: %q", line)
		}
	}
	return out
}

func render(s scene) string {
	d := Free(s.in)
	var b strings.Builder
	b.WriteString("=== " + s.name + "\nrecap:  " + d.Recap + "\naway:   " + d.Away + "\ndigest: " + d.Digest + "\nstatus:")
	for _, st := range d.Status {
		b.WriteString(" " + string(st))
	}
	if d.WaitingFor != "" {
		b.WriteString("\nwaits:  " + d.WaitingFor)
	}
	b.WriteString("\nlang:   " + d.Language + "\n")
	return b.String()
}

func galleryScenes(t testing.TB) map[string][]scene {
	t.Helper()
	files, err := filepath.Glob("testdata/gallery/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no gallery", err)
	}
	out := map[string][]scene{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = readScenes(t, string(src))
	}
	return out
}

// TestGallery holds the texts of made sessions, as people looked at them.
func TestGallery(t *testing.T) {
	n := 0
	for file, scenes := range galleryScenes(t) {
		var b strings.Builder
		for _, s := range scenes {
			b.WriteString(render(s))
			n++
		}
		golden := strings.TrimSuffix(file, ".txt") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != string(want) {
			t.Errorf("%s changed; look at it, then run with -update\ngot:\n%s\nwant:\n%s", golden, got, want)
		}
	}
	if n < 50 {
		t.Errorf("the gallery holds %d sessions", n)
	}
}
