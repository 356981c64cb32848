package geminicli

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/filelog"
)

// folders knows the directories that the folders of tmp stand for. A folder is
// named by a short name that projects.json explains and its own .project_root
// holds, or by the hash of the directory; a name is never decoded.
type folders struct {
	root    string
	parsers *fastjson.ParserPool

	loaded bool
	names  map[string]string // projects.json
	hashes map[string]string // of every directory that is known
	own    map[string]string // .project_root
}

func (s *Source) folders() *folders {
	return &folders{root: s.cfg.Root, parsers: &s.parsers, own: map[string]string{}, names: map[string]string{}, hashes: map[string]string{}}
}

func hashOf(path string) string {
	h := sha256.Sum256([]byte(path))
	return hex.EncodeToString(h[:])
}

// of gives the directory of a folder, "" where nothing tells.
func (d *folders) of(folder string) string {
	if dir := d.rootOf(folder); dir != "" {
		return dir
	}
	d.load()
	if dir := d.names[folder]; dir != "" {
		return dir
	}
	return d.hashes[folder]
}

// byHash gives the directory that a transcript names by its hash.
func (d *folders) byHash(hash string) string {
	d.load()
	return d.hashes[hash]
}

// rootOf reads a folder's .project_root.
func (d *folders) rootOf(folder string) string {
	dir, ok := d.own[folder]
	if !ok {
		ends, err := filelog.ReadEnds(filepath.Join(d.root, "tmp", folder, ".project_root"))
		if err == nil && ends.Whole() {
			if line := strings.TrimSpace(string(ends.Head)); filepath.IsAbs(line) {
				dir = line
			}
		}
		d.own[folder] = dir
	}
	return dir
}

// load learns every directory that the home names: the projects, the folders
// a person trusts, and the roots of all folders.
func (d *folders) load() {
	if d.loaded {
		return
	}
	d.loaded = true
	d.read("trustedFolders.json", func(v *fastjson.Value) {
		d.visit(v.GetObject(), func(string, *fastjson.Value) {})
	})
	d.read("projects.json", func(v *fastjson.Value) {
		d.visit(v.GetObject("projects"), func(dir string, name *fastjson.Value) {
			d.names[string(name.GetStringBytes())] = dir
		})
	})
	entries, err := os.ReadDir(filepath.Join(d.root, "tmp"))
	if err != nil {
		return // the walk reports it
	}
	for _, e := range entries {
		if e.IsDir() {
			d.know(d.rootOf(e.Name()))
		}
	}
}

func (d *folders) know(dir string) {
	if filepath.IsAbs(dir) {
		d.hashes[hashOf(dir)] = dir
	}
}

func (d *folders) visit(o *fastjson.Object, f func(dir string, v *fastjson.Value)) {
	if o == nil {
		return
	}
	o.Visit(func(key []byte, v *fastjson.Value) {
		if dir := string(key); filepath.IsAbs(dir) {
			d.know(dir)
			f(dir, v)
		}
	})
}

func (d *folders) read(name string, f func(*fastjson.Value)) {
	ends, err := filelog.ReadEnds(filepath.Join(d.root, name))
	if err != nil || !ends.Whole() {
		return
	}
	p := d.parsers.Get()
	defer d.parsers.Put(p)
	if v, err := p.ParseBytes(ends.Head); err == nil {
		f(v)
	}
}

// guess finds the directory with the hash among the directories above the
// files that a session touched.
func guess(hash string, es []entry) string {
	tried := map[string]bool{}
	for _, e := range es {
		for _, p := range e.msg.Parts {
			if p.Tool == nil {
				continue
			}
			if dir := above(hash, p.Tool, tried); dir != "" {
				return dir
			}
		}
	}
	return ""
}

func above(hash string, t *recap.Tool, tried map[string]bool) string {
	for _, path := range t.Paths {
		if !filepath.IsAbs(path) {
			continue
		}
		for dir := filepath.Dir(filepath.Clean(path)); !tried[dir] && len(tried) < 1000; dir = filepath.Dir(dir) {
			if tried[dir] = true; hashOf(dir) == hash {
				return dir
			}
		}
	}
	return ""
}
