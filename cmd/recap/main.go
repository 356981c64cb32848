// Command recap says where you were in your coding-agent sessions, and what
// is next.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/sessionrecap/recap/internal/cli"
)

func main() {
	// A reader that has seen enough (recap list | head) is no failure: with the
	// signal taken, the write fails and the command ends in order. Programs that
	// recap starts get the signal as usual.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// A terminal that is closed ends a command in order too. A daemon takes the
	// signal for another purpose, and nohup keeps it off.
	if !slices.Contains(os.Args[1:], "serve") && !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
