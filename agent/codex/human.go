package codex

import (
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// envelope is a wrapper around text that the program puts before or in place
// of what a person typed.
type envelope struct{ open, end string }

// envelopes are cut off the start of a prompt, one after another. Those
// without an end take the whole item.
func envelopes() []envelope {
	tags := []string{
		"environment_context", "user_instructions", "INSTRUCTIONS", "turn_aborted", "user_shell_command",
		"subagent_notification", "skill", "recommended_plugins", "goal_context", "codex_internal_context",
		"hook_prompt", "hook_context", "user_action", "model_switch", "permissions instructions", "collaboration_mode",
		"skills_instructions", "apps_instructions", "plugins_instructions", "personality_spec", "token_budget",
	}
	all := make([]envelope, 0, len(tags)+6)
	for _, t := range tags {
		all = append(all, envelope{"<" + t, "</" + t + ">"})
	}
	return append(all,
		envelope{"# AGENTS.md instructions", "</INSTRUCTIONS>"},
		// What a compaction leaves in place of the history, and its prompt.
		envelope{"Another language model started to solve this problem and produced a summary", ""},
		envelope{"You were originally given instructions from a user over one or more turns.", ""},
		envelope{"You are performing a CONTEXT CHECKPOINT COMPACTION.", ""},
		envelope{"You have exceeded the maximum number of tokens, please stop coding", ""},
	)
}

// request is the line after which an IDE puts what the person typed.
const request = "## My request for Codex:"

// typed takes off the envelopes at the start of a prompt and what an IDE put
// before it.
func typed(s string) string {
	s = strings.TrimSpace(s)
	for again := true; again && s != ""; {
		again = false
		for _, e := range envelopes() {
			if !opens(s, e.open) {
				continue
			}
			_, rest, ok := strings.Cut(s, e.end)
			if e.end == "" || !ok {
				return ""
			}
			s, again = strings.TrimSpace(rest), true
			break
		}
	}
	return asked(s)
}

// asked gives what follows the line that an IDE puts before a prompt.
func asked(s string) string {
	if i := strings.Index(s, request); i == 0 || i > 0 && s[i-1] == '\n' {
		s = s[i+len(request):]
	}
	return strings.TrimSpace(s)
}

// opens reports that s begins with the envelope and not with a longer word.
func opens(s, open string) bool {
	rest, ok := strings.CutPrefix(s, open)
	if !ok || open[0] != '<' {
		return ok
	}
	return rest == "" || strings.ContainsRune("> \n\t", rune(rest[0]))
}

// typedPrompt gives what a person put into a user message; nothing where the
// program made all of it.
func typedPrompt(v, pass *fastjson.Value) (string, []recap.File) {
	kinds, marks := pass.GetArray("content_item_kinds"), pass.GetArray("content_item_metadata")
	var texts []string
	var files []recap.File
	for i, c := range v.GetArray("content") {
		var kind, by string
		if i < len(kinds) {
			kind = str(kinds[i])
		}
		if i < len(marks) {
			by = str(marks[i], "provenance", "type")
		}
		if !byPerson(kind, by) {
			continue
		}
		switch str(c, "type") {
		case "input_text", "text":
			t := str(c, "text")
			if imageTag(t) {
				continue
			}
			own := typed(t)
			if own == "" && marked(kind, by) {
				own = asked(t) // who pastes one of the wrappers wrote it
			}
			if own != "" {
				texts = append(texts, own)
			}
		case "input_image", "image":
			files = append(files, recap.File{MIME: imageType(c)})
		case "input_file", "file":
			files = append(files, recap.File{Name: str(c, "filename")})
		case "input_audio", "audio":
			files = append(files, recap.File{MIME: "audio"})
		}
	}
	return strings.Join(texts, "\n\n"), files
}

// byPerson judges the marks of an item. Where there are none the text decides.
func byPerson(kind, by string) bool {
	if marked(kind, by) {
		return true
	}
	return (by == "" || by == "unknown") && (kind == "" || kind == "unknown")
}

// marked reports the marks of an item that a person made.
func marked(kind, by string) bool { return strings.HasPrefix(kind, "user.") || by == "user" }

// imageTag reports the text items that stand around an image.
func imageTag(s string) bool {
	s = strings.TrimSpace(s)
	return s == "</image>" || strings.HasPrefix(s, "<image") && strings.HasSuffix(s, ">") && strings.Count(s, "<") == 1
}

func imageType(v *fastjson.Value) string {
	u := str(v, "image_url")
	if u == "" {
		u = str(v, "image_url", "url")
	}
	if rest, ok := strings.CutPrefix(u, "data:"); ok {
		if t, _, ok := strings.Cut(rest[:min(len(rest), 80)], ";"); ok {
			return t
		}
	}
	return "image"
}
