// Package geminicli reads the sessions of Gemini CLI below its .gemini folder:
// the event logs tmp/<project>/chats/session-*.jsonl of the current version and
// the documents session-*.json of older ones, up to three files a session.
//
// parse.go turns JSON into messages and holds no files; list.go derives a
// session from its files; page.go reads backward and puts the files of one
// session together. docs/formats/gemini.md has the rules.
package geminicli
