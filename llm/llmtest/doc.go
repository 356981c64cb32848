// Package llmtest holds the behaviour suite that every client of package llm
// runs, and the server it runs against.
//
// [NewServer] starts a server on loopback that speaks OpenAI's chat
// completions, Anthropic's messages and Gemini's generateContent, each under
// its real path. It records every request and answers as [Reply] says: the
// zero value is an ordinary answer, and each field is one kind of trouble.
// [Server.Provider] gives the provider to put into a client.
//
// [Run] is the suite. A client that passes keeps the contract of package llm.
// Other packages use the server alone, to count what left and to see what was
// in it.
package llmtest
