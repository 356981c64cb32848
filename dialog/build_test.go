package dialog_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

func user(id string, parts ...recap.Part) recap.Message {
	return recap.Message{ID: id, Role: recap.RoleUser, Created: when(id), Parts: parts}
}

// answer is a complete answer.
func answer(id, parent string, parts ...recap.Part) recap.Message {
	return recap.Message{
		ID: id, ParentID: parent, Role: recap.RoleAssistant, Created: when(id), Completed: when(id).Add(time.Second),
		Finish: recap.FinishStop, Model: recap.ModelRef{Provider: "p", ID: "m"}, Parts: parts,
	}
}

// step is an answer on the way: it calls tools and goes on.
func step(id, parent string, parts ...recap.Part) recap.Message {
	m := answer(id, parent, parts...)
	m.Finish = recap.FinishToolCalls
	return m
}

func service(id string) recap.Message { return recap.Message{ID: id, Role: recap.RoleService} }

func with(m recap.Message, change func(*recap.Message)) recap.Message {
	change(&m)
	return m
}

func text(s string) recap.Part { return recap.Part{Kind: recap.PartText, Text: s} }
func synthetic(s string) recap.Part {
	return recap.Part{Kind: recap.PartText, Text: s, Synthetic: true}
}

func tool(id string, status recap.ToolStatus) recap.Part {
	return recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{CallID: id, Name: "bash", Kind: recap.ToolCommand, Status: status, Output: "output of " + id}}
}

func file(mime string) recap.Part {
	return recap.Part{Kind: recap.PartFile, File: &recap.File{Name: "x", MIME: mime}}
}

func attach(kind string, values map[string]any) recap.Part {
	return recap.Part{Kind: recap.PartText, Text: "serialised", Synthetic: true, Attached: &recap.Attached{Kind: kind, Values: values}}
}

// when gives each id its own time.
func when(id string) time.Time {
	n := 0
	for _, c := range id {
		n = n*31 + int(c)
	}
	return time.Unix(1_700_000_000+int64(n%1_000_000), 0)
}

// session pages records by n, newest page first.
type session struct {
	records []recap.Message
	n       int // 0: as asked
	calls   int
	asked   []int
}

func (s *session) Page(_ context.Context, before string, n int) (dialog.Page, error) {
	s.calls++
	s.asked = append(s.asked, n)
	if s.n > 0 {
		n = s.n
	}
	end := len(s.records)
	if before != "" {
		var err error
		if end, err = strconv.Atoi(before); err != nil {
			return dialog.Page{}, fmt.Errorf("bad cursor: %w", err)
		}
	}
	start := max(0, end-n)
	p := dialog.Page{Records: s.records[start:end], Bytes: int64(100 * (end - start))}
	if start > 0 {
		p.Next = strconv.Itoa(start)
	}
	return p, nil
}

func read(t testing.TB, records ...recap.Message) dialog.Dialog {
	t.Helper()
	d, err := dialog.Read(context.Background(), &session{records: records}, dialog.FileLimits())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ids(d dialog.Dialog) string {
	var s strings.Builder
	for _, t := range d.Turns {
		s.WriteString(t.UserID + ">" + t.AnswerID + " ")
	}
	return s.String()
}

func calls(t recap.Turn) string {
	var s strings.Builder
	for _, x := range t.Tools {
		s.WriteString(x.CallID + " ")
	}
	return s.String()
}
