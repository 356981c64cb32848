//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyStatus has the signal that asks for the status file.
func notifyStatus(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }
