//go:build unix

package config

import (
	"syscall"
	"testing"
)

func makePipe(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o600) }
