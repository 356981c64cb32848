//go:build !unix

package main

import "github.com/rogpeppe/go-internal/testscript"

func daemonCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) { return nil }
