// Package qwencode reads the sessions of Qwen Code: the rows of
// projects/<slug>/chats/<id>.jsonl below its home.
//
// parse.go turns rows into messages and holds no files; list.go derives a
// session from both ends of a file; page.go reads backward; live.go asks
// whether the process that wrote a session still runs. docs/formats/qwen.md
// has the rules. The session files of subagents lie elsewhere and are not read.
package qwencode
