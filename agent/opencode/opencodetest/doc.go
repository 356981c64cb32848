// Package opencodetest runs the real OpenCode program for tests, on loopback,
// in a home of its own, against a model that follows a script.
//
// [Binary] finds the program or skips the test. [StartModel] makes the model,
// [Start] a server that uses it: ask it with [Server.Call], or with the
// shorter [Server.Create], [Server.Prompt] and [Server.Async]. [Server.Kill]
// and [Server.Again] are a crash and the next start on the same data. A
// person's terminal beside the server is [Server.Run].
//
// A server takes some seconds to start and its first prompt up to half a
// minute on a busy machine: start one for many subtests.
//
// # The script
//
// What the model does stands in the newest user message:
//
//	[tool]       calls bash with "echo from-the-tool", then answers
//	[tool:CMD]   calls bash with CMD, then answers
//	[ask]        calls bash with "rm -rf dup", which needs an approval
//	[question]   calls the question tool, then answers
//	[task]       starts a subagent, then answers
//	[say:TEXT]   answers TEXT
//	[hang]       begins an answer and never ends it
//	[slow:MS]    answers after MS milliseconds
//	[err]        is refused with status 400
//
// Anything else is answered with [Said]. [Model.Answer] outranks the script.
package opencodetest
