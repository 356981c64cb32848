//go:build !linux && !darwin

package agenttest

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
