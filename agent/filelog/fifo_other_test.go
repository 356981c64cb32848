//go:build !linux && !darwin

package filelog

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
