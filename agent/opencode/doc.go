// Package opencode reads the sessions of OpenCode 1.2 and later at rest: from
// its SQLite databases, whether the program runs or not.
//
// Make a [Source] with [New], then use it through agent.Source. [ParseMessage]
// and [ParsePart] turn the JSON of a message and of a part into the words of
// package recap; they take bytes and serve any reader of OpenCode.
//
// # Reading another program's database
//
// Nothing is locked, written or created. SQLite itself can't promise that: a
// read-only connection to a database with a write-ahead log opens the log for
// writing, makes a "-shm" file where there is none, and fails in a folder it
// may not write to. So the files are opened for reading only, the committed
// pages of the log are laid over the database in memory, and SQLite is given
// that view through a file system of ours. After the answer is gathered the
// files are looked at again; if OpenCode moved pages meanwhile, the answer is
// thrown away and read anew, a few times, in less than two seconds.
//
// # Cost
//
// [Source.Sessions] reads no text of a message but the end of a session that
// changed, and does not open the database at all while its files did not
// change since the index saw them. [Source.Page] reads the rows it returns.
// The big texts of tools are cut by SQL before they reach this program.
package opencode
