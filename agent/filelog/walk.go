package filelog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sessionrecap/recap/agent"
)

// File is a regular file as the system describes it.
type File struct {
	Path string
	// Rel is the path below the folder that was walked, with slashes.
	Rel string
	// Size in bytes, ModTime in Unix nanoseconds.
	Size, ModTime int64
	// Change moves when content or metadata change: the change time where
	// the system has one, else 0.
	Change uint64
	// Inode tells one file from another at the same path, 0 where unknown.
	Inode uint64
}

// Stamp is a text that changes with the file.
func (f File) Stamp() string {
	return fmt.Sprintf("%x.%x.%x.%x", f.Size, f.ModTime, f.Change, f.Inode)
}

// maxDepth bounds a walk in any case.
const maxDepth = 12

// Walk calls found for each regular file below root for which keep says yes,
// in no promised order. keep sees the path below root (slashes) and whether it
// is a folder; a folder it refuses is not entered. Symbolic links to files are
// followed, links to folders are not (no loops). What can't be used is given
// to problem and the walk goes on; a missing root is no problem.
func Walk(ctx context.Context, root string, keep func(rel string, dir bool) bool, found func(File), problem func(*agent.Problem)) error {
	return walk(ctx, root, "", 0, keep, found, problem)
}

func walk(ctx context.Context, dir, rel string, depth int, keep func(string, bool) bool, found func(File), problem func(*agent.Problem)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			problem(&agent.Problem{Path: dir, Reason: reason(err), Count: 1, Err: err})
		}
		if len(entries) == 0 {
			return nil
		}
	}
	for _, e := range entries {
		r := e.Name()
		if rel != "" {
			r = rel + "/" + r
		}
		p := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if depth < maxDepth && keep(r, true) {
				if err := walk(ctx, p, r, depth+1, keep, found, problem); err != nil {
					return err
				}
			}
			continue
		}
		if !keep(r, false) {
			continue
		}
		f, err := Stat(p)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) || e.Type()&fs.ModeSymlink != 0 {
				problem(&agent.Problem{Path: p, Reason: reason(err), Count: 1, Err: err})
			}
			continue
		}
		f.Rel = r
		found(f)
	}
	return nil
}

// ErrNotRegular is the error for a folder, FIFO, device or socket that stands
// where a transcript should.
var ErrNotRegular = errors.New("not a regular file")

// Stat describes a regular file, following a link to it.
func Stat(path string) (File, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	return describe(path, fi)
}

func describe(path string, fi fs.FileInfo) (File, error) {
	if !fi.Mode().IsRegular() {
		return File{}, ErrNotRegular
	}
	f := File{Path: path, Size: fi.Size(), ModTime: fi.ModTime().UnixNano()}
	f.Change, f.Inode = system(fi)
	return f, nil
}

// reason is the fixed phrase for an error of the file system.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, ErrNotRegular):
		return ErrNotRegular.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return "can't be read"
}

// ProblemOf makes a problem of an error of the file system.
func ProblemOf(path string, err error) *agent.Problem {
	return &agent.Problem{Path: path, Reason: reason(err), Count: 1, Err: err}
}

// Unchanged reports whether the entry was made of this very state of the file.
func Unchanged(e agent.Entry, f File) bool {
	return e.Size == f.Size && e.ModTime == f.ModTime && e.Change == f.Change
}

// open opens a regular file for reading and never blocks on anything else.
func open(path string) (*os.File, File, error) {
	if _, err := Stat(path); err != nil {
		return nil, File{}, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0) //nolint:gosec // the path was found by walking an agent's home
	if err != nil {
		return nil, File{}, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close() //nolint:errcheck,gosec // read only, nothing to lose
		return nil, File{}, err
	}
	d, err := describe(path, fi)
	if err != nil {
		f.Close() //nolint:errcheck,gosec // read only, nothing to lose
		return nil, File{}, err
	}
	return f, d, nil
}
