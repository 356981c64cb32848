package codex

import (
	"strings"
	"unicode/utf8"
)

// longPrompt is the length, in characters, from which the only prompt of a
// headless call is taken for a program's: nobody types that much.
const longPrompt = 6000

// internal reports prompts that programs around Codex send: for titles,
// summaries, memories and the judgement of an action. They are no work of the
// person's, whatever the session says of its source.
func internal(first string) bool {
	for _, p := range []string{
		"You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short title",
		"The following is the Codex agent history whose request action you are assessing",
		"You are judging one planned coding-agent action",
		"Generate a concise title", "Generate a short title", "Generate a title for", "Create a short title",
		"Please write a 5-10 word title", "Summarize this coding session", "Summarize this conversation",
		"Summarize the following", "Analyze this conversation", "Analyze this coding session",
		"## Memory Writing Agent", "You are a Claude-Mem", "Hello memory agent", "PROGRESS SUMMARY CHECKPOINT",
		"Context: This summary will be shown in a list",
	} {
		if len(first) >= len(p) && strings.EqualFold(first[:len(p)], p) {
			return true
		}
	}
	return false
}

// machineMade reports the only prompt of a headless call that a program made:
// one that casts the model in a role, asks for an answer in a program's form,
// or is longer than anybody types. A person's own "codex exec" prompt is none
// of these.
func machineMade(first string) bool {
	if internal(first) || utf8.RuneCountInString(first) > longPrompt {
		return true
	}
	low := strings.ToLower(first[:min(len(first), 4000)])
	for _, p := range []string{"you are a ", "you are an ", "you are the ", "act as a ", "act as an ", "your task is to ", "your job is to ", "# role", "## role", "<system", "<instructions>", "<task>", "<role>", "system:"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	for _, p := range []string{
		"respond only with", "reply only with", "answer only with", "return only", "output only", "respond with json", "valid json",
		"json only", "only json", "json object with", "no other text", "<transcript>", "<conversation>",
	} {
		if strings.Contains(low, p) && (len(first) > 200 || strings.Contains(low, "json") || strings.Contains(low, "<")) {
			return true
		}
	}
	return false
}
