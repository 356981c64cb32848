// Package wire is the HTTP under every client of package llm: one POST of JSON
// out, one bounded reply of JSON back, and one table from failures to codes.
//
// A client calls [New] once, then [Conn.Post] with its own URL, headers and
// body for each request, and [Conn.Finish] on what it decoded. What it gets in
// return for a failure is ready to be handed on.
//
// Promised: one attempt and no redirect. The key goes to the provider's base
// URL alone, in a header. The context's end closes the socket; nothing runs on
// after a call, since no connection is kept. At most [MaxReply] bytes of a
// reply are read, of an error [MaxFailure]. No error holds the key, a header,
// the prompt or a page of HTML.
package wire
