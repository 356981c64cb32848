package claudecode

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	recap "github.com/sessionrecap/recap"
)

// templates begin the prompts that programs send through the agent.
var templates = [...]string{
	"Respond with the title for the conversation",
	"Please write a 5-10 word title",
	"Generate a concise title",
	"Analyze if this message indicates a new conversation topic",
	"You are a Claude-Mem",
	"You are analyzing a coding conversation",
	"Summarize this coding conversation",
	"Your task is to create a detailed summary of the conversation",
	"Context: This summary will be shown in a list",
	"Warmup",
}

// internal reports that the prompt is known to be a program's.
func internal(s string) bool {
	s = strings.TrimSpace(s)
	return slices.ContainsFunc(templates[:], func(t string) bool { return strings.HasPrefix(s, t) })
}

// templateChars is how much of a prompt's start has to be equal.
const templateChars = 60

// template is a mark of the start of a prompt. Prompts shorter than that are
// no template.
func template(s string) string {
	s = recap.Line(s[:min(len(s), 16*templateChars)])
	if len(s) < templateChars {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(s[:templateChars])) //nolint:gosec // a hash never fails
	return strconv.FormatUint(h.Sum64(), 16)
}
