package dialog

import (
	"fmt"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// recapMark begins a line in which a recap is shown inside a session.
const recapMark = "※ recap:"

// isHuman tells whether a person made the user record.
func isHuman(m *recap.Message) bool {
	for i := range m.Parts {
		switch p := &m.Parts[i]; {
		case p.Ignored:
		case attached(p):
			return true
		case p.Synthetic:
		case p.Kind == recap.PartFile:
			return true
		case p.Kind == recap.PartText && strings.TrimSpace(withoutPairs(p.Text, "system-reminder")) != "":
			return true
		}
	}
	return false
}

// onlyIgnored tells that the agent keeps the record and never sent it.
func onlyIgnored(m *recap.Message) bool {
	for i := range m.Parts {
		if !m.Parts[i].Ignored {
			return false
		}
	}
	return len(m.Parts) > 0
}

// answerText gives what a model said in a record, for a person to read.
func answerText(m *recap.Message) string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == recap.PartText && !p.Synthetic && !p.Ignored {
			if s := strings.TrimSpace(withoutRecaps(withoutHidden(withoutThinking(p.Text)))); s != "" {
				texts = append(texts, s)
			}
		}
	}
	return strings.Clone(prompt.Excerpt(strings.Join(texts, "\n\n"), MaxAnswerText))
}

// userText gives what a person sent, and what of it the person wrote, without
// and with the code and links in its lines.
func userText(m *recap.Message) (text, authored, typed string, err error) {
	var blocks []block
	var wrote []string
	images, files := 0, 0
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.Ignored:
		case attached(p):
			b, comment, err := attachment(p)
			if err != nil {
				return "", "", "", err
			}
			blocks = append(blocks, b...)
			wrote = append(wrote, comment)
		case p.Synthetic:
		case p.Kind == recap.PartFile && p.File != nil && strings.HasPrefix(p.File.MIME, "image/"):
			images++
		case p.Kind == recap.PartFile:
			files++
		case p.Kind == recap.PartText:
			s := strings.TrimSpace(withoutRecaps(withoutPairs(p.Text, "system-reminder")))
			blocks = append(blocks, block{text: s})
			wrote = append(wrote, s)
		}
	}
	if note := carried(images, files); note != "" {
		blocks = append(blocks, block{text: note})
	}
	authored, typed = authoredText(wrote)
	return strings.Clone(join(blocks, MaxUserText)), authored, typed, nil
}

// carried says how many images and files came with a message.
func carried(images, files int) string {
	var s []string
	for _, c := range [...]struct {
		n    int
		what string
	}{{images, "image"}, {files, "file"}} {
		switch {
		case c.n == 1:
			s = append(s, "1 "+c.what)
		case c.n > 1:
			s = append(s, fmt.Sprintf("%d %ss", c.n, c.what))
		}
	}
	if len(s) == 0 {
		return ""
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// withoutRecaps drops the lines in which a recap was shown earlier.
func withoutRecaps(s string) string {
	if !strings.Contains(s, recapMark) {
		return s
	}
	var keep []string
	for line := range strings.SplitSeq(s, "\n") {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t*_>"), recapMark) {
			keep = append(keep, line)
		}
	}
	return strings.Join(keep, "\n")
}

// withoutThinking drops reasoning that a model wrote into its answer, where it
// stands in front of it between complete tags.
func withoutThinking(s string) string {
	for {
		body := strings.TrimSpace(s)
		cut := false
		for _, tag := range [...]string{"think", "thinking"} {
			if rest, ok := strings.CutPrefix(body, "<"+tag+">"); ok {
				if _, after, ok := strings.Cut(rest, "</"+tag+">"); ok {
					s, cut = after, true
				}
				break
			}
		}
		if !cut {
			return s
		}
	}
}

// withoutHidden drops blocks that a model repeats from its context and says
// to nobody. What stands in code is talked about, and stays.
func withoutHidden(s string) string {
	if !strings.Contains(s, "</") {
		return s
	}
	for _, tag := range [...]string{"system-reminder", "recap", "environment_context", "user_instructions", "task-notification"} {
		if !strings.Contains(s, "`<"+tag) && !strings.Contains(s, "```") {
			s = withoutPairs(s, tag)
		}
	}
	return s
}

// withoutPairs drops everything between <tag> and </tag>, tags included. A tag
// without its partner stays.
func withoutPairs(s, tag string) string {
	opening, closing := "<"+tag+">", "</"+tag+">"
	if !strings.Contains(s, opening) {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, opening)
		_, after, closed := strings.Cut(rest, closing)
		if !ok || !closed {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(before)
		s = after
	}
}
