package filelog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
// followed. A link to a folder is followed once: not from a folder that was
// itself reached by a link, and not to a folder above or below root, which
// would be read twice or for ever. What can't be used is given to problem and
// the walk goes on; a missing root is no problem.
func Walk(ctx context.Context, root string, keep func(rel string, dir bool) bool, found func(File), problem func(*agent.Problem)) error {
	w := walker{keep: keep, found: found, problem: problem, root: root, linked: map[string]bool{}}
	return w.walk(ctx, root, "", 0, false)
}

type walker struct {
	keep    func(rel string, dir bool) bool
	found   func(File)
	problem func(*agent.Problem)
	root    string
	linked  map[string]bool // the folders that were reached by a link
}

// Errors of links to folders.
var (
	errLinkUp    = errors.New("link to a folder that holds it")
	errLinkInner = errors.New("link to a folder that is read by its own name")
	errLinkTwice = errors.New("link to a folder that another link names")
	errLinkLink  = errors.New("link inside a linked folder")
)

// follow says why a link to a folder is not followed. sibling: the folder it
// names stands beside it and is read there.
func (w *walker) follow(link string, inLinked bool) (sibling bool, err error) {
	if inLinked {
		return false, errLinkLink
	}
	to, err := filepath.EvalSymlinks(link)
	if err != nil {
		return false, err
	}
	root, err := filepath.EvalSymlinks(w.root)
	if err != nil {
		return false, err
	}
	here, err := filepath.EvalSymlinks(filepath.Dir(link))
	switch {
	case err != nil:
		return false, err
	case below(root, to):
		return false, errLinkUp
	case filepath.Dir(to) == here:
		return true, nil
	case below(to, root):
		return false, errLinkInner
	case w.linked[to]:
		return false, errLinkTwice
	}
	w.linked[to] = true
	return false, nil
}

// below reports that a path is dir or lies below it.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (w *walker) walk(ctx context.Context, dir, rel string, depth int, inLinked bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.problem(ProblemOf(dir, err))
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
		link := e.Type()&fs.ModeSymlink != 0
		if (e.IsDir() || link && isDir(p)) && depth < maxDepth && w.keep(r, true) {
			sibling, err := false, error(nil)
			if link {
				sibling, err = w.follow(p, inLinked)
			}
			if err != nil {
				w.problem(ProblemOf(p, err))
			} else if !sibling {
				if err := w.walk(ctx, p, r, depth+1, inLinked || link); err != nil {
					return err
				}
			}
			continue
		}
		if !w.keep(r, false) {
			continue
		}
		if e.IsDir() { // where a transcript should be
			w.problem(ProblemOf(p, ErrNotRegular))
			continue
		}
		f, err := Stat(p)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) || link {
				w.problem(ProblemOf(p, err))
			}
			continue
		}
		f.Rel = r
		w.found(f)
	}
	return nil
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// ErrNotRegular is the error for a folder, FIFO, device or socket that stands
// where a transcript should.
var ErrNotRegular = errors.New("not a regular file")

// ErrEmpty is the error for a transcript that holds nothing at all.
var ErrEmpty = errors.New("empty file")

// ErrNoRow is the error for a transcript of which no row can be used.
var ErrNoRow = errors.New("no readable row")

// ErrNoID is the error for a transcript whose rows name no session.
var ErrNoID = errors.New("no session id")

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
	case errors.Is(err, ErrEmpty):
		return ErrEmpty.Error()
	case errors.Is(err, ErrNoRow):
		return ErrNoRow.Error()
	case errors.Is(err, ErrNoID):
		return ErrNoID.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	}
	for _, link := range []error{errLinkUp, errLinkInner, errLinkTwice, errLinkLink} {
		if errors.Is(err, link) {
			return link.Error()
		}
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

// ReasonBroken is the reason of rows that are none.
const ReasonBroken = "row is not valid JSON"

// Broken makes a problem of the broken rows of a transcript, nil where there are
// none.
func Broken(path string, rows int) *agent.Problem {
	if rows <= 0 {
		return nil
	}
	return &agent.Problem{Path: path, Reason: ReasonBroken, Count: rows}
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
