package filelog

import (
	"errors"
	"io"
	"os"

	"github.com/sessionrecap/recap/agent"
)

// FindHome says of a home whether its folders are there and can be read: its
// root first, then those below it. The first that is not there ends the search.
func FindHome(h agent.Home, folders ...string) agent.Home {
	for _, dir := range folders {
		fi, err := os.Stat(dir)
		if os.IsNotExist(err) {
			return h
		}
		h.Found = true
		if err == nil && fi.IsDir() {
			err = readable(dir)
		}
		switch {
		case fi != nil && !fi.IsDir():
			h.Problem = "not a folder"
		case err != nil:
			h.Problem = ProblemOf(dir, err).Reason
		default:
			continue
		}
		if dir != h.Root {
			h.Problem = dir + ": " + h.Problem
		}
		return h
	}
	return h
}

func readable(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // of the home that was asked for
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // read only
	if _, err := d.ReadDir(1); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}
