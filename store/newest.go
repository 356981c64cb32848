package store

import (
	"context"

	recap "github.com/sessionrecap/recap"
)

// Newest is what a store may offer beside [Store]: the newest records of one
// project, at a cost that does not grow with the records of the others.
type Newest interface {
	// Newest gives at most n records of the project that have a recap, newest
	// first: those of its sessions, and of sessions that worked in its
	// directory or below.
	Newest(ctx context.Context, project string, n int) ([]recap.Record, error)
}
