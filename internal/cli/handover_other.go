//go:build !unix

package cli

import "errors"

const canReplace = false

func replace(string, string, []string) error { return errors.ErrUnsupported }
