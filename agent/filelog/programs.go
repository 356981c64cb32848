package filelog

import "strings"

// OfProgram reports a prompt that is known to be a program's: tools that call
// an agent headlessly, for titles, summaries, memories and judgements, leave
// thousands of sessions with nothing else in them. Only openings that no person
// types are here; how an agent marks headless sessions is its source's to know.
func OfProgram(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, p := range [...]string{
		"Respond with the title for the conversation",
		"Please write a 5-10 word title",
		"You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short title",
		"Context: This summary will be shown in a list",
		"Analyze if this message indicates a new conversation topic",
		"You are analyzing a coding conversation",
		"You are analyzing a coding session",
		"Summarize this coding conversation",
		"Summarize this coding session",
		"Your task is to create a detailed summary of the conversation",
		"You are judging one planned coding-agent action",
		"You are a Claude-Mem",
		"## Memory Writing Agent",
		"Hello memory agent",
		"PROGRESS SUMMARY CHECKPOINT",
	} {
		if len(prompt) >= len(p) && strings.EqualFold(prompt[:len(p)], p) {
			return true
		}
	}
	return false
}
