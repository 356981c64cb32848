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

// redacted is what [Limits.Redact] makes of the texts.
func (l *Limits) redacted(texts []string) ([]string, error) {
	if l.Redact == nil || len(texts) == 0 {
		return texts, nil
	}
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = bothEnds(s)
	}
	return l.Redact(out)
}

// maxEnd is how many bytes of either end of a text are looked at: far more than
// is ever kept of it.
const maxEnd = 256 << 10

// bothEnds leaves the middle of a very long text out, whole words of it, since
// the rest of a key is not known for one.
func bothEnds(s string) string {
	if len(s) <= 2*maxEnd {
		return s
	}
	head, tail := s[:maxEnd], s[len(s)-maxEnd:]
	if i := strings.LastIndexAny(head, " \n"); i >= 0 {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, " \n"); i >= 0 {
		tail = tail[i:]
	}
	return strings.ToValidUTF8(head, "") + "\n" + strings.ToValidUTF8(tail, "")
}

// answerTexts are those that a model said in a record, for a person to read.
func answerTexts(m *recap.Message) []string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == recap.PartText && !p.Synthetic && !p.Ignored {
			if s := strings.TrimSpace(withoutRecaps(withoutHidden(withoutThinking(p.Text)))); s != "" {
				texts = append(texts, s)
			}
		}
	}
	return texts
}

// answerText gives them as one, redacted.
func (l *Limits) answerText(m *recap.Message) (string, error) {
	texts, err := l.redacted(answerTexts(m))
	return strings.Clone(prompt.Excerpt(strings.Join(texts, "\n\n"), MaxAnswerText)), err
}

// userText gives what a person sent, and what of it the person wrote, without
// and with the code and links in its lines. All is redacted.
func (l *Limits) userText(m *recap.Message) (text, authored, typed string, err error) {
	var blocks []block
	var wrote, texts []string
	images, files := 0, 0
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.Ignored:
		case attached(p):
			b, err := attachment(p)
			if err != nil {
				return "", "", "", err
			}
			blocks = append(blocks, b...)
			texts = append(texts, b[0].place, b[0].text, b[1].text)
		case p.Synthetic:
		case p.Kind == recap.PartFile && p.File != nil && strings.HasPrefix(p.File.MIME, "image/"):
			images++
		case p.Kind == recap.PartFile:
			files++
		case p.Kind == recap.PartText:
			s := strings.TrimSpace(withoutRecaps(withoutPairs(p.Text, "system-reminder")))
			blocks = append(blocks, block{text: s})
			texts = append(texts, s)
		}
	}
	if texts, err = l.redacted(texts); err != nil {
		return "", "", "", err
	}
	for i := range blocks {
		if blocks[i].quote {
			blocks[i].place, texts = texts[0], texts[1:]
		}
		blocks[i].text, texts = texts[0], texts[1:]
		if !blocks[i].quote {
			wrote = append(wrote, blocks[i].text)
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
