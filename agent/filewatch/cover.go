package filewatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Root is a folder to watch with what is below it.
type Root struct {
	// Path is absolute. It need not exist.
	Path string
	// Keep chooses by the path below Path, with slashes, the folders to watch
	// (dir) and the files whose changes matter. Nil keeps the files of Path
	// itself and no folder.
	Keep func(rel string, dir bool) bool
}

func (r Root) keep(rel string, dir bool) bool {
	if r.Keep == nil {
		return !dir && !strings.Contains(rel, "/")
	}
	return r.Keep(rel, dir)
}

// rel gives the path below the root; "" for the root itself.
func (r Root) rel(path string) (string, bool) {
	if path == r.Path {
		return "", true
	}
	s, ok := strings.CutPrefix(path, strings.TrimSuffix(r.Path, string(filepath.Separator))+string(filepath.Separator))
	return filepath.ToSlash(s), ok
}

// maxDepth bounds how deep folders are watched.
const maxDepth = 12

// cover keeps the folders of roots watched.
type cover struct {
	n       Notifier
	roots   []Root
	watched map[string]bool // also folders above a root that is not there yet
	// remote tells whether the system's word can be taken for a folder.
	remote func(string) bool
}

var errRemote = errors.New("changes made elsewhere are not told of on this file system")

func newCover(n Notifier, roots []Root) *cover {
	return &cover{n: n, roots: roots, watched: map[string]bool{}, remote: remote}
}

// all watches what is there of all roots, and for a root that is not, the
// nearest folder above it.
func (c *cover) all() error {
	var errs []error
	need := map[string]bool{}
	for _, r := range c.roots {
		var above []string
		for !isDir(r.Path) {
			dir, err := c.above(r.Path)
			if err != nil {
				errs = append(errs, err)
				break
			}
			above = append(above, dir)
			if !onTheWay(dir, r.Path) {
				break
			}
			// It came before its parent was watched: nobody tells of it.
		}
		if !isDir(r.Path) {
			for _, dir := range above {
				need[dir] = true
			}
			continue
		}
		if c.remote(r.Path) {
			errs = append(errs, &fs.PathError{Op: "watch", Path: r.Path, Err: errRemote})
		}
		errs = append(errs, c.tree(r, r.Path, "", 0, false))
	}
	for dir := range c.watched {
		if !need[dir] && !c.inRoot(dir) {
			c.remove(dir)
		}
	}
	return errors.Join(errs...)
}

// above watches the nearest folder above the path that is there.
func (c *cover) above(path string) (string, error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		err := c.add(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir, err
		}
	}
}

// onTheWay reports that the next folder from dir to the path is there.
func onTheWay(dir, path string) bool {
	for filepath.Dir(path) != dir && path != filepath.Dir(path) {
		path = filepath.Dir(path)
	}
	return isDir(path)
}

// tree watches a folder and those below it that are kept. The folder comes
// before its entries are read: what appears meanwhile is told of.
func (c *cover) tree(r Root, dir, rel string, depth int, linked bool) error {
	if err := c.add(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone again
		}
		return err
	}
	if depth == maxDepth {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil //nolint:nilerr // the listing names what can't be read
	}
	var errs []error
	for _, e := range entries {
		sub, path := e.Name(), filepath.Join(dir, e.Name())
		if rel != "" {
			sub = rel + "/" + sub
		}
		link := e.Type()&fs.ModeSymlink != 0
		if link && (linked || !isDir(path)) || !link && !e.IsDir() || !r.keep(sub, true) {
			continue
		}
		if link {
			if to, err := filepath.EvalSymlinks(path); err != nil || below(dir, to) {
				continue // it leads up
			}
		}
		errs = append(errs, c.tree(r, path, sub, depth+1, linked || link))
	}
	return errors.Join(errs...)
}

func (c *cover) add(dir string) error {
	if c.watched[dir] {
		return nil
	}
	if err := c.n.Add(dir); err != nil {
		return err
	}
	c.watched[dir] = true
	return nil
}

func (c *cover) remove(dir string) {
	delete(c.watched, dir)
	c.n.Remove(dir) //nolint:errcheck,gosec // it may be gone already
}

// inRoot reports that the folder is a root or watched for one.
func (c *cover) inRoot(dir string) bool {
	for _, r := range c.roots {
		if rel, ok := r.rel(dir); ok && (rel == "" || r.keep(rel, true)) {
			return true
		}
	}
	return false
}

// changed takes a change and reports whether it may concern a session. err is
// what stands in the way of watching.
func (c *cover) changed(x Change) (matters bool, err error) {
	if x.Path == "" { // anything may have changed
		return true, errors.Join(x.Err, c.all())
	}
	if x.Removed && c.watched[x.Path] {
		for dir := range c.watched {
			if below(dir, x.Path) {
				c.remove(dir)
			}
		}
		return true, c.all()
	}
	for _, r := range c.roots {
		if below(r.Path, x.Path) { // a root, or a folder on the way to one
			return true, c.all()
		}
		rel, ok := r.rel(x.Path)
		if !ok {
			continue
		}
		if x.Created && r.keep(rel, true) && isDir(x.Path) {
			matters = true
			err = errors.Join(err, c.tree(r, x.Path, rel, strings.Count(rel, "/")+1, false))
			continue
		}
		matters = matters || r.keep(rel, false)
	}
	return matters, err
}

// below reports that a path is dir or lies below it.
func below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
