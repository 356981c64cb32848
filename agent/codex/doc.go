// Package codex reads the sessions of the Codex CLI from its rollout files
// and never writes beside them.
//
// Make a [Source] with [New] for one Codex home, list with Source.Sessions and
// read with Source.Page, as package agent says. Nothing is read before that.
//
// What stands where. A thread is one session. Its rows stand in
// sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl, after a rewind in a
// further file ...-<thread>_<segment>.jsonl whose first row says up to where
// the file before it still holds (history_base), and after archiving in
// archived_sessions. A cold file may be compressed to .jsonl.zst. A plain file
// beside its compressed copy, and a live file beside its archived copy, win.
// Titles come from session_index.jsonl. The databases are not read: they are
// made from the rollouts.
//
// What counts. Messages and tool calls are read from response_item rows, the
// ends of turns from event_msg rows; the second copy of each message that the
// events hold is passed over. A fork shows its own work only, unless it has
// none yet. Sub-agents have a parent. Threads that Codex runs for itself
// (review, guardian, memory) and headless calls whose only prompt was made by
// a program are left out.
//
// A call that asks to leave the sandbox and has no result in a turn without an
// end waits for the person, unless the turn's policy asks nobody. Codex leaves
// no sign of life, so the state is unknown and Session.WaitingFor says for what.
//
// Source.Watch follows the threads live. It knows more than a listing does: on
// Linux, which process has a rollout open for writing, and whether it lives.
//
// Compressed files are streamed. Listing unpacks at most [MaxInflateList]
// bytes of a file that changed; a page keeps at most one window of
// [filelog.MaxRow] and a little in memory, whatever the size of the rollout,
// and unpacks at most [MaxInflate].
package codex
