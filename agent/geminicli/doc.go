// Package geminicli reads the sessions of Gemini CLI below its .gemini folder:
// the event logs tmp/<project>/chats/session-*.jsonl of the current version and
// the documents session-*.json of older ones, up to three files a session and a
// stub for each resume.
//
// Make a [Source] with [New]; it keeps the promises of package agent. parse.go,
// user.go and tool.go turn JSON into messages and hold no files; split.go finds
// the messages of a list of any length; folders.go knows which directory a
// folder stands for; list.go derives a session from both ends of its files;
// page.go reads backward and puts the files of one session together; watch.go
// follows them live, and proc.go asks which of the agent's processes live.
// docs/formats/gemini.md has the rules.
package geminicli
