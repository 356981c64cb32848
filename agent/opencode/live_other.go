//go:build !linux && !darwin

package opencode

// openElsewhere can't tell on this system.
func openElsewhere(string) liveness { return liveUnknown }
