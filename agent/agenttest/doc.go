// Package agenttest is the behaviour suite that every session source runs.
//
// A source's test gives a [Member]: how to open the source over a home, and a
// [Builder] that writes sessions into a home with the agent's own rows. [Run]
// then holds the source to the promises of package agent: order, the index,
// changed, torn, giant and hostile files, paging, cursors, refusals, exclusion,
// concurrency, cancelling, and that no file of the agent is ever touched.
//
//	func TestSuite(t *testing.T) {
//		agenttest.Run(t, agenttest.Member{
//			Agent: recap.Claude,
//			Build: func(t *testing.T, root string) agenttest.Builder { return &builder{root: root} },
//			Open:  func(root, name string, idx agent.Index) agent.Source { return claudecode.New(...) },
//		})
//	}
package agenttest
