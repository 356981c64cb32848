package geminicli

import (
	"regexp"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

var (
	hook = regexp.MustCompile(`^\s*<hook_context>(?s:.*?)</hook_context>\s*`)
	// The program puts what an @path names below the prompt, as parts of their
	// own or into the same text.
	quoted = regexp.MustCompile(`(?m)^--- Content from referenced files ---$(?s:.*?)(^--- End of content ---\n?|\z)`)
)

// A text with one of these at its start was put there by the program.
const (
	sessionContext = "<session_context>"
	stateSnapshot  = "<state_snapshot>"
	shellContext   = "I ran the following shell command:\n"
	goOn           = "System: Please continue."
)

// user decodes a message of type user.
func (e *entry) user(v *fastjson.Value, at time.Time) {
	e.msg.Role, e.msg.Completed = recap.RoleUser, at
	content := v.Get("content")
	var files []recap.Part
	for _, p := range content.GetArray() {
		if p.Exists("functionResponse") { // the results stand at their calls
			e.drop = true
			return
		}
		if f := file(p); f != nil {
			files = append(files, recap.Part{Kind: recap.PartFile, File: f})
		}
	}
	texts := each(content)
	if shown := v.Get("displayContent"); strings.TrimSpace(text(shown)) != "" {
		texts = each(shown)
	}
	e.text, e.injected = typed(texts)
	if e.injected {
		e.workspace = workspace(texts)
	}
	if e.text == "" && len(files) == 0 {
		e.drop = true
		return
	}
	e.human = true
	if e.text != "" {
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartText, Text: e.text})
	}
	e.msg.Parts = append(e.msg.Parts, files...)
}

func file(p *fastjson.Value) *recap.File {
	for _, key := range []string{"inlineData", "fileData"} {
		if f := p.Get(key); f != nil && f.Type() == fastjson.TypeObject {
			name := str(f, "displayName")
			if name == "" {
				name = str(f, "fileUri")
			}
			return &recap.File{Name: name, MIME: str(f, "mimeType")}
		}
	}
	return nil
}

// typed gives what a person typed of a message's texts, and whether the message
// is context that the program put there.
func typed(texts []string) (s string, injected bool) {
	kept := make([]string, 0, len(texts))
	for _, t := range texts {
		for loc := hook.FindStringIndex(t); loc != nil; loc = hook.FindStringIndex(t) {
			t, injected = t[loc[1]:], true
		}
		trimmed := strings.TrimSpace(t)
		for _, start := range []string{sessionContext, stateSnapshot, shellContext} {
			if strings.HasPrefix(trimmed, start) {
				trimmed, injected = "", true
			}
		}
		if trimmed == goOn {
			trimmed = ""
		}
		if trimmed != "" {
			kept = append(kept, strings.Trim(t, "\n"))
		}
	}
	s = strings.TrimSpace(quoted.ReplaceAllString(strings.Join(kept, "\n"), ""))
	if command(s) {
		s = ""
	}
	return s, injected && s == ""
}

const workspaces = "Workspace Directories:**\n  - "

// workspace is the first directory that the context names.
func workspace(texts []string) string {
	for _, t := range texts {
		if _, after, ok := strings.Cut(t, workspaces); ok && strings.HasPrefix(strings.TrimSpace(t), sessionContext) {
			line, _, _ := strings.Cut(after, "\n")
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// command reports a line that the program itself answers: "/help", "?". A path
// at the start is none.
func command(s string) bool {
	if !strings.HasPrefix(s, "/") {
		return s == "?"
	}
	word := s
	if i := strings.IndexAny(s, " \n\t"); i >= 0 {
		word = s[:i]
	}
	return !strings.ContainsAny(word[1:], "/.")
}
