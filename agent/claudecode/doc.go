// Package claudecode reads the sessions of Claude Code.
//
// Call [New] with the agent's home (CLAUDE_CONFIG_DIR, usually ~/.claude),
// then [Source.Sessions] and [Source.Page] as package agent promises. The
// source only ever reads; see docs/formats/claude.md for what it reads
// and how it tells the states.
//
// parse.go turns the bytes of one row into a row and opens no file; collect.go
// joins rows, newest first, to records; list.go learns a session from both
// ends of its file; source.go finds, lists and pages; live.go knows which
// sessions a process holds open.
package claudecode
