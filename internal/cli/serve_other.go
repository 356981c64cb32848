//go:build !unix

package cli

import "os"

// notifyStatus does nothing: the system has no such signal.
func notifyStatus(chan<- os.Signal) {}
