package evidence

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// spot is one file of an edit, and what became of it.
type spot struct {
	file   string // the whole path, as far as the session tells; "" where unknown
	staged string // the repository in whose index it stands, "" for none
	saved  int    // 1 + the index of the commit that holds it
	unsure int    // 1 + the index of a commit that holds only some of its files
	gone   bool   // thrown away
	isNew  bool   // git did not know the file
	wrote  bool   // the edit may have made the file
	rm     bool   // the edit removed it
	wide   bool   // a folder or a pattern: files below it are among it
	loose  bool   // nobody knows which file: any commit may hold it
}

// left: the file is neither thrown away nor in a commit that stands.
func (f *Facts) left(s *spot) bool {
	return !s.gone && (s.saved == 0 || f.Commits[s.saved-1].undone)
}

// spots gives the files of the edits that are work, and their edits.
func (f *Facts) spots(yield func(*Edit, *spot) bool) {
	for i := range f.Edits {
		e := &f.Edits[i]
		for k := range e.spots {
			if !yield(e, &e.spots[k]) {
				return
			}
		}
	}
}

// maxLeftFiles is how many files a receipt names at most.
const maxLeftFiles = 32

// unsaved gives the newest edit of work that no commit is known to hold, and
// the files that are left, the newest first.
func (f *Facts) unsaved() (e Edit, files []string, ok bool) {
	for i, v := range slices.Backward(f.Edits) {
		here := false
		for k := range v.spots {
			if s := &f.Edits[i].spots[k]; f.left(s) {
				here = true
				if k < len(v.Paths) && len(files) < maxLeftFiles && !slices.Contains(files, v.Paths[k]) {
					files = append(files, v.Paths[k])
				}
			}
		}
		if here && !ok {
			e, ok = v, true
		}
	}
	return e, files, ok
}

// partly: a commit stands, and what was changed before the newest one is not
// all in it.
func (f *Facts) partly() bool {
	last, ok := f.lastCommit()
	if !ok {
		return false
	}
	for e, s := range f.spots {
		if e.Seq < last.Seq && f.left(s) {
			return true
		}
	}
	return false
}

// full gives the whole path of a file that is named in a folder.
func full(dir, path string) string {
	path = slashed(path)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		if home := homeOf(dir); home != "" {
			path = home + rest
		}
	}
	if isRooted(path) {
		if rest, ok := strings.CutPrefix(path, "/private/tmp/"); ok {
			path = "/tmp/" + rest
		}
		if !strings.Contains(path, "/.") && !strings.Contains(path, "//") {
			return strings.TrimSuffix(path, "/")
		}
		return "/" + join("", strings.TrimLeft(path, "/"))
	}
	if path == "" || path == "." || path == "./" {
		return slashed(dir)
	}
	return join(slashed(dir), path)
}

func slashed(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if len(path) > 1 && path[1] == ':' {
		path = strings.ToLower(path[:1]) + path[1:]
	}
	return strings.TrimSuffix(path, "/")
}

// isRooted: the path does not depend on a folder.
func isRooted(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$") || len(path) > 1 && path[1] == ':'
}

// homeOf gives the person's home, told by a folder below it.
func homeOf(dir string) string {
	parts := strings.SplitN(slashed(dir), "/", 5)
	switch {
	case len(parts) > 1 && parts[1] == "root":
		return "/root"
	case len(parts) > 2 && (parts[1] == "home" || parts[1] == "Users"):
		return strings.Join(parts[:3], "/")
	}
	return ""
}

// below: the file is the folder, or lies in it.
func below(file, dir string) bool {
	return dir != "" && (file == dir || strings.HasPrefix(file, strings.TrimSuffix(dir, "/")+"/"))
}

// rootOf gives the root of the repository or worktree that the path lies in,
// as far as the session tells, else "".
func (f *Facts) rootOf(path string) string {
	best := ""
	for _, r := range f.roots {
		if below(path, r) && len(r) > len(best) {
			best = r
		}
	}
	if below(path, f.root) && len(f.root) > len(best) {
		best = f.root
	}
	for _, m := range [...]string{"/.claude/worktrees/", "/.worktrees/"} {
		i := strings.LastIndex(path, m)
		if i < 0 {
			continue
		}
		if n := strings.IndexByte(path[i+len(m):]+"/", '/'); n > 0 && i+len(m)+n > len(best) {
			best = path[:i+len(m)+n]
		}
	}
	return best
}

// ground is where a command of git works: its folder, and its repository as
// far as that is known.
type ground struct {
	dir  string // whole
	root string
	told bool // the call itself names the folder
}

func (f *Facts) groundOf(dir string) ground {
	g := ground{dir: full(f.dir, dir), told: dir != ""}
	if g.root = f.rootOf(g.dir); g.root == "" {
		g.root = cmp.Or(g.dir, ".") // nobody knows
	}
	return g
}

// same: both work in one repository, as far as is known.
func (f *Facts) same(root string, g *ground) bool {
	if root == g.root || root == f.root && !g.told {
		return true
	}
	if f.rootOf(root) == root && f.rootOf(g.root) == g.root {
		return false
	}
	return below(root, g.root) || below(g.root, root)
}

// reaches: a command that takes the whole repository takes the file.
func (f *Facts) reaches(g *ground, file string) bool {
	switch {
	case file == "":
		return true
	case !isRooted(file):
		return !strings.HasPrefix(file, "..") // nobody knows the folder
	case f.dir == "" && !g.told:
		return true
	case !isRooted(g.root):
		return f.dir == ""
	}
	r := f.rootOf(file)
	switch {
	case r == g.root, r == "" && below(file, g.root):
		return true
	case !g.told:
		return r != "" && r == f.root || below(file, f.dir)
	}
	return below(f.root, g.dir) && below(file, g.dir) // "cd .."
}

// pathspec is a path that an argument of git names.
type pathspec struct {
	path   string
	glob   bool
	across bool // its star stands for folders too
	near   string
}

func (f *Facts) pathspecs(words []string, text string, g *ground) (list []pathspec, blind bool) {
	for _, w := range words {
		switch {
		case strings.Contains(w, "$") || strings.HasPrefix(w, "`"):
			blind = true
			continue
		case strings.HasPrefix(w, ":!"), strings.HasPrefix(w, ":^"), strings.HasPrefix(w, ":(exclude"):
			blind = true
			continue
		case w == "*", w == ":":
			w = "."
		}
		base, quoted := g.dir, strings.Contains(text, "'"+w) || strings.Contains(text, `"`+w)
		for _, top := range [...]string{":/", ":(top)"} {
			if rest, ok := strings.CutPrefix(w, top); ok {
				base, w = g.root, rest
			}
		}
		p := pathspec{path: full(base, w), glob: strings.ContainsAny(w, "*?["), across: quoted}
		if !isRooted(w) && (!g.told || f.dir == "") && w != "" && w != "." && !strings.HasPrefix(w, "..") {
			p.near = "/" + strings.TrimPrefix(slashed(w), "./")
		}
		list = append(list, p)
	}
	return list, blind
}

func (p *pathspec) names(s *spot) bool {
	switch {
	case s.file == "":
		return false
	case p.glob:
		return globbed(p.path, s.file, p.across)
	case below(s.file, p.path):
		return true
	}
	return s.wide && below(p.path, s.file)
}

// globbed matches a pattern of the shell.
func globbed(pattern, s string, across bool) bool {
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '*':
			rest := strings.TrimLeft(pattern[i:], "*")
			if len(pattern)-i-len(rest) > 1 {
				across = true
				rest = strings.TrimPrefix(rest, "/")
			}
			for k := 0; k <= len(s); k++ {
				if globbed(rest, s[k:], across) {
					return true
				}
				if k < len(s) && s[k] == '/' && !across {
					return false
				}
			}
			return false
		case '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 0 || s == "" || s[0] == '/' {
				return false
			}
			i += end // one character, whichever
			s = s[1:]
		case '?':
			if s == "" || s[0] == '/' {
				return false
			}
			s = s[1:]
		default:
			if s == "" || s[0] != pattern[i] {
				return false
			}
			s = s[1:]
		}
	}
	return s == ""
}

// named calls do for the open files that the paths name. A path that names
// none in its folder may be meant in another one: shells of agents keep their
// folder from call to call.
func (f *Facts) named(list []pathspec, do func(*spot)) {
	for i := range list {
		p := &list[i]
		hit := false
		for _, s := range f.spots {
			if f.left(s) && p.names(s) {
				hit = true
				do(s)
			}
		}
		if !hit && p.near != "" {
			for _, s := range f.spots {
				hit = hit || p.names(s)
			}
		}
		if hit || p.near == "" || p.glob {
			continue
		}
		var one string
		several := false
		for _, s := range f.spots {
			if f.left(s) && (strings.HasSuffix(s.file, p.near) || strings.Contains(s.file, p.near+"/")) {
				several = several || one != "" && one != s.file && strings.HasSuffix(s.file, p.near)
				one = s.file
			}
		}
		for _, s := range f.spots {
			if one != "" && !several && f.left(s) && (strings.HasSuffix(s.file, p.near) || strings.Contains(s.file, p.near+"/")) {
				do(s)
			}
		}
	}
}

// save settles what a commit holds. The numbers that git prints below it are
// believed: a commit of one file does not hold two.
func (f *Facts) save(c *simple, r *Run, dir string, m *made, whole bool) {
	g := f.groundOf(dir)
	idx := len(f.Commits) // 1 + the index of the newest
	take := func(s *spot) { s.staged = g.root }
	t := takes{}
	own := strings.HasPrefix(r.Runner, "git ")
	if r.Runner == "git commit" || !own {
		t = readCommit(c.words[min(gitSub(c.words)+1, len(c.words)):])
	}
	only := false
	switch {
	case !own && len(t.specs) == 0:
		f.everything(&g, take) // other programs have no index
	case len(t.specs) > 0:
		only = !t.include
	case t.all:
		f.everything(&g, func(s *spot) {
			if !s.isNew || s.staged != "" {
				take(s)
			}
		})
	case r.Runner == "git commit" && (!f.added || f.blind) && !t.amend && !t.empty && !t.patch:
		f.everything(&g, take) // something was staged, and nobody saw what
	}
	held := map[*spot]bool{}
	list, _ := f.pathspecs(t.specs, c.text, &g)
	f.named(list, func(s *spot) { held[s] = true })
	if !only {
		for _, s := range f.spots {
			if f.left(s) && (s.staged != "" && f.same(s.staged, &g) || s.loose && f.reaches(&g, s.file)) {
				held[s] = true
			}
		}
	}
	if whole && m.files > 0 && !t.amend {
		for s := range held {
			if s.isNew && !s.wide && !slices.ContainsFunc(m.names, func(n string) bool { return s.file == n || strings.HasSuffix(s.file, "/"+n) }) {
				delete(held, s) // git lists the files that are new
			}
		}
	}
	f.hold(held, idx, m.files)
	f.added, f.blind = false, false
}

// hold marks the files that a commit holds, where their number allows.
func (f *Facts) hold(held map[*spot]bool, idx, files int) {
	names := map[string]bool{}
	room := files
	seen := map[int]bool{}
	for s := range held {
		if s.wide || s.loose {
			continue
		}
		names[s.file] = true
		if k := s.unsure; k > 0 && !seen[k] {
			seen[k] = true
			room += f.Commits[k-1].room
		}
	}
	fits := files <= 0 || len(names) <= room
	for s := range held {
		if fits || s.loose || s.wide {
			s.saved, s.staged, s.unsure = idx, "", 0
		} else {
			s.unsure = idx
		}
	}
	if !fits {
		f.Commits[idx-1].room = files
	}
	// What is left of an earlier doubt may fit by now.
	for k := range f.Commits {
		if f.Commits[k].room == 0 || f.Commits[k].undone {
			continue
		}
		left := map[string]bool{}
		for _, s := range f.spots {
			if s.unsure == k+1 && f.left(s) {
				left[s.file] = true
			}
		}
		if len(left) == 0 || len(left) > f.Commits[k].room {
			continue
		}
		for _, s := range f.spots {
			if s.unsure == k+1 && f.left(s) {
				s.saved, s.staged, s.unsure = k+1, "", 0
			}
		}
	}
}

// clean settles a working tree in which git finds no change.
func (f *Facts) clean(dir string) {
	g := f.groundOf(dir)
	idx := 0
	for i := range f.Commits {
		if !f.Commits[i].undone {
			idx = i + 1
		}
	}
	f.everything(&g, func(s *spot) {
		if s.saved = idx; idx == 0 {
			s.gone = true
		}
	})
}

// saysClean: the output of "git status" names no change.
func saysClean(words []string, out string, alone bool) bool {
	if strings.Contains(out, "nothing to commit, working tree clean") || strings.Contains(out, "nothing to commit, working directory clean") {
		return true
	}
	if !alone || len(words) < 3 {
		return false
	}
	for _, a := range words[2:] {
		if a == "-s" || a == "--short" || a == "--porcelain" || strings.HasPrefix(a, "--porcelain=v1") {
			return strings.TrimSpace(out) == "" && len(operands(words[2:])) == 0
		}
	}
	return false
}

// newSpots gives the files of an edit.
func (f *Facts) newSpots(paths []string, how editKind) []spot {
	if len(paths) == 0 {
		return []spot{{loose: how.loose}}
	}
	list := make([]spot, 0, len(paths))
	for _, p := range paths {
		s := spot{file: full(full(f.dir, how.dir), p), isNew: how.isNew, wrote: how.wrote, rm: how.rm, wide: how.wide}
		if i := strings.IndexAny(s.file, "*?[{$"); i >= 0 {
			s.file, s.wide = s.file[:max(strings.LastIndexByte(s.file[:i], '/'), 0)], true
			s.loose = s.file == ""
		}
		if how.staged {
			s.staged = f.groundOf(how.dir).root
		}
		list = append(list, s)
	}
	return list
}

// editKind is what is known of an edit beside its files.
type editKind struct {
	dir    string // of the command that made it
	isNew  bool
	wrote  bool
	rm     bool
	wide   bool
	loose  bool
	staged bool
}

// removed settles files that were made and removed again in one session: there
// is nothing left to commit.
func (f *Facts) removed(list []spot) []spot {
	return slices.DeleteFunc(list, func(n spot) bool {
		made := false
		for _, s := range f.spots {
			if f.left(s) && s.file != "" && below(s.file, n.file) {
				made = made || s.isNew || s.wrote
				s.gone = true
			}
		}
		return made || generated(n.file)
	})
}

// generated: a file or folder that tools make, and that no one commits.
func generated(file string) bool {
	for part := range strings.SplitSeq(file, "/") {
		switch part {
		case "node_modules", "dist", "build", "target", "coverage", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".next", ".nuxt", ".cache", ".venv", "venv", ".tox", ".gradle", ".turbo", ".parcel-cache", "htmlcov", ".coverage", "tmp":
			return true
		}
	}
	for _, end := range [...]string{".log", ".pid", ".tmp", ".pyc", ".o", ".class", ".out", ".prof"} {
		if strings.HasSuffix(file, end) {
			return true
		}
	}
	return false
}

// madeFile: the tool says that the file is a new one.
func madeFile(t *recap.Tool) bool {
	out := t.Output
	if utf8.RuneCountInString(out) > 400 {
		out = out[:400]
	}
	return strings.HasPrefix(out, "File created successfully") || strings.HasPrefix(out, "Successfully created and wrote to new file")
}
