// Command recap says where you were in your coding-agent sessions, and what
// is next.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/sessionrecap/recap/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
