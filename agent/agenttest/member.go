package agenttest

import (
	"maps"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Member is a source under test.
type Member struct {
	// Agent is what the source must say it reads.
	Agent recap.Agent
	// Build makes a builder for the home at root, a fresh empty folder.
	Build func(t *testing.T, root string) Builder
	// Open opens the source over that home; an empty name is the usual one.
	Open func(root, name string, idx agent.Index) agent.Source
	// Lines is true where a transcript is a file of rows that the agent
	// appends to: torn rows, giant rows and cursors are tested.
	Lines bool
	// Quick leaves out the rows of many megabytes, for a second form of
	// transcripts that the same reader reads.
	Quick bool
	// NoExit is true where the agent records no exit status of commands.
	NoExit bool
}

// Builder writes sessions as the agent would.
type Builder interface {
	// Begin starts a session that works in dir and returns its id.
	Begin(t testing.TB, dir string, at time.Time) string
	// Add appends what happened to the session.
	Add(t testing.TB, id string, events ...Event)
	// Files are the transcript files of the session, the main one last; none
	// where sessions live in a database.
	Files(id string) []string
}

// EventKind says what happened in a session.
type EventKind int

// Kinds of events.
const (
	// Prompt is a person's typed text.
	Prompt EventKind = iota
	// Answer is a complete answer of text.
	Answer
	// Command is an answer that calls the agent's shell tool with Text and
	// the result of it: Output and Exit. The turn goes on after it.
	Command
	// Interrupt is the person stopping the agent.
	Interrupt
	// Picture is a prompt: Text and a picture of Size bytes of base64, in one
	// row.
	Picture
	// Noise is bookkeeping of about Size bytes, in rows of a few kilobytes.
	Noise
)

// Event is something that happened in a session.
type Event struct {
	Kind   EventKind
	At     time.Time
	Text   string
	Output string
	Exit   int
	Size   int
}

// Index is an agent.Index in memory that also counts.
type Index struct {
	mu         sync.Mutex
	m          map[string]agent.Entry
	remembered int
	found      int
}

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{m: map[string]agent.Entry{}} }

// Lookup implements agent.Index.
func (x *Index) Lookup(path string) (agent.Entry, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e, ok := x.m[path]
	if ok {
		x.found++
	}
	return e, ok
}

// Remember implements agent.Index.
func (x *Index) Remember(path string, e agent.Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.m[path] = e
	x.remembered++
}

// Remembered is how often Remember was called.
func (x *Index) Remembered() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.remembered
}

// Entries is a copy of what is remembered.
func (x *Index) Entries() map[string]agent.Entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.m)
}
