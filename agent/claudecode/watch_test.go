package claudecode

import (
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func TestWatcher(t *testing.T) {
	agenttest.RunWatcher(t, agenttest.Watched{Member: agenttest.Member{
		Agent: recap.Claude,
		Build: func(_ *testing.T, root string) agenttest.Builder { return newBuilder(root) },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
	}})
}
