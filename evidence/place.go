package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// where follows the folder in which the commands of one call run: "" is the
// folder of the session.
type where struct {
	dir   string
	outer []string // of the shells around this one
}

// step takes a command into account and gives the folder it runs in.
func (w *where) step(c *simple) string {
	for len(w.outer) < c.depth {
		w.outer = append(w.outer, w.dir)
	}
	for len(w.outer) > c.depth {
		w.dir = w.outer[len(w.outer)-1]
		w.outer = w.outer[:len(w.outer)-1]
	}
	if len(c.words) == 0 {
		return w.dir
	}
	switch c.words[0] {
	case "cd", "pushd":
		w.dir = join(w.dir, first(operands(c.words[1:])))
		return w.dir
	case "popd":
		w.dir = ""
		return ""
	}
	dir := w.dir
	switch base(c.words[0]) {
	case "git", "make", "gmake", "go":
		for i := 1; i < len(c.words); i++ {
			a := c.words[i]
			if a == "-C" && i+1 < len(c.words) {
				dir = join(dir, c.words[i+1])
				i++
				continue
			}
			for _, p := range [...]string{"--git-dir", "--work-tree"} {
				v, ok := strings.CutPrefix(a, p+"=")
				if !ok && a == p && i+1 < len(c.words) {
					v, ok = c.words[i+1], true
				}
				if ok {
					dir = join(dir, strings.TrimSuffix(strings.TrimSuffix(v, ".git"), "/"))
				}
			}
			if !strings.HasPrefix(a, "-") && base(c.words[0]) == "git" {
				break
			}
		}
	}
	return dir
}

// join gives the folder that "cd to" leads to from dir.
func join(dir, to string) string {
	slashed := strings.TrimSuffix(strings.ReplaceAll(to, `\`, "/"), "/")
	switch {
	case slashed == "" || slashed == "-" || strings.HasPrefix(slashed, "$("):
		if to == "/" {
			return "/"
		}
		return ""
	case strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, "~") || strings.HasPrefix(slashed, "$") || len(slashed) > 1 && slashed[1] == ':':
		return slashed
	}
	out := dir
	for part := range strings.SplitSeq(slashed, "/") {
		switch part {
		case ".", "":
		case "..":
			i := strings.LastIndexByte(out, '/')
			switch last := out[i+1:]; {
			case out == "" || last == "..":
				out = strings.TrimPrefix(out+"/..", "/")
			case i < 0:
				out = ""
			default:
				out = out[:i]
			}
		default:
			if out == "" {
				out = part
			} else {
				out = strings.TrimSuffix(out, "/") + "/" + part
			}
		}
	}
	return out
}

// foreign: the folder is not of the project that the session works on.
func (f *Facts) foreign(dir, project string) bool {
	if dir == "" || strings.HasPrefix(dir, "$") {
		return false
	}
	project = strings.TrimSuffix(strings.ReplaceAll(project, `\`, "/"), "/")
	switch {
	case strings.HasPrefix(dir, ".."):
		rest := dir
		for strings.HasPrefix(rest, "..") {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, ".."), "/")
		}
		// "cd .." alone leads out of a folder of the project.
		return rest != "" && !strings.HasSuffix(project, "/"+rest) && !strings.Contains(project, "/"+rest+"/") && !f.edited(rest)
	case strings.HasPrefix(dir, "~"):
		rest := strings.TrimLeft(strings.TrimPrefix(dir, "~"), "/")
		return rest != "" && !strings.HasSuffix(project, "/"+rest) && !strings.Contains(project, "/"+rest+"/") && !f.edited(rest) && project != ""
	case !strings.HasPrefix(dir, "/") && (len(dir) < 2 || dir[1] != ':'):
		return false // a folder of the project
	}
	if f.edited(dir) {
		return false
	}
	if project == "" {
		return f.editsElsewhere(dir)
	}
	return dir != project && !strings.HasPrefix(dir, project+"/") && !strings.HasPrefix(project, strings.TrimSuffix(dir, "/")+"/")
}

// edited: a file below the folder was changed.
func (f *Facts) edited(dir string) bool {
	for i := range f.Edits {
		for _, p := range f.Edits[i].Paths {
			if p = strings.ReplaceAll(p, `\`, "/"); strings.HasPrefix(p, dir+"/") || !strings.HasPrefix(dir, "/") && strings.Contains(p, "/"+dir+"/") {
				return true
			}
		}
	}
	return false
}

// editsElsewhere: all that was changed has a place, and none is in dir.
func (f *Facts) editsElsewhere(dir string) bool {
	n := 0
	for i := range f.Edits {
		for _, p := range f.Edits[i].Paths {
			if !strings.HasPrefix(p, "/") {
				return false
			}
			n++
		}
	}
	return n > 0 && !f.edited(dir)
}

// takeBack settles "git reset", "git revert" and their kin: commits that are
// gone, and edits that went with them.
func (f *Facts) takeBack(words []string, hard bool) {
	n := f.backTo(words)
	for i := len(f.Commits) - 1; i >= 0 && n != 0; i-- {
		if f.Commits[i].undone {
			continue
		}
		f.back(i, hard)
		n--
	}
}

// back takes back a commit; hard, its files go with it.
func (f *Facts) back(i int, hard bool) {
	f.Commits[i].undone = true
	for _, s := range f.spots {
		switch {
		case s.saved != i+1 && s.unsure != i+1:
		case hard:
			s.gone = true
		default:
			s.staged = cmp.Or(f.root, ".") // "git reset --soft" leaves them in the index
		}
	}
}

// backTo gives the number of commits that a reset takes back, -1 for all that
// are known.
func (f *Facts) backTo(words []string) int {
	target := ""
	for _, a := range words {
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			target = a
			break
		}
	}
	if n, ok := ancestor(target); ok {
		return n
	}
	n := 0
	for i := len(f.Commits) - 1; i >= 0; i-- {
		c := &f.Commits[i]
		if len(target) >= 4 && c.Hash != "" && (strings.HasPrefix(c.Hash, target) || strings.HasPrefix(target, c.Hash)) {
			return n
		}
		if !c.undone {
			n++
		}
	}
	return -1
}

// ancestor reads "HEAD~2", "HEAD^^", "@~1".
func ancestor(s string) (int, bool) {
	rest, ok := strings.CutPrefix(s, "HEAD")
	if !ok {
		rest, ok = strings.CutPrefix(s, "@")
	}
	if s == "" {
		return 0, true
	}
	if !ok || strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "@") {
		return 0, false
	}
	n := 0
	for rest != "" {
		switch rest[0] {
		case '^':
			n++
			rest = rest[1:]
		case '~':
			rest = rest[1:]
			k := 0
			for k < len(rest) && rest[k] >= '0' && rest[k] <= '9' {
				k++
			}
			if k == 0 {
				n++
			} else {
				n += number(rest[:k])
			}
			rest = rest[k:]
		default:
			return 0, false
		}
	}
	return n, true
}

// reverted: "git revert" names commits that were made here. It takes them
// back, and the edits with them.
func (f *Facts) reverted(words []string) bool {
	found := false
	for _, a := range operands(words) {
		from, to, span := strings.Cut(a, "..")
		if span {
			if n, ok := ancestor(from); ok && to != "" {
				for k := range n {
					found = f.revertNth(k) || found
				}
				continue
			}
		}
		if n, ok := ancestor(a); ok {
			found = f.revertNth(n) || found
			continue
		}
		for i := range f.Commits {
			if c := &f.Commits[i]; len(a) >= 4 && c.Hash != "" && (strings.HasPrefix(c.Hash, a) || strings.HasPrefix(a, c.Hash)) {
				f.back(i, true)
				found = true
			}
		}
	}
	return found
}

// revertNth takes back the n-th newest commit that stands.
func (f *Facts) revertNth(n int) bool {
	for i, v := range slices.Backward(f.Commits) {
		if v.undone {
			continue
		}
		if n == 0 {
			f.back(i, true)
			return true
		}
		n--
	}
	return false
}

// undo throws away what no commit holds. What a stash takes can come back.
func (f *Facts) undo(c *simple, k known, dir, out string) {
	g := f.groundOf(dir)
	stash := k.runner == "git stash"
	if stash && strings.Contains(out, "No local changes to save") {
		return
	}
	untracked := has(c.words, "-u") || has(c.words, "--include-untracked") || has(c.words, "-a") || has(c.words, "--all")
	drop := func(s *spot) {
		if s.isNew && s.staged == "" && !untracked {
			return // git does not know it
		}
		s.gone, f.discarded = true, f.now
		if stash {
			f.stashed = append(f.stashed, *s)
		}
	}
	if stash {
		f.stashed = nil
		if specs := stashPaths(c.words); len(specs) > 0 {
			list, _ := f.pathspecs(specs, c.text, &g)
			f.named(list, drop)
			return
		}
	}
	f.everything(&g, drop)
	f.added = false
}

// stashPaths gives the files that "git stash push" names.
func stashPaths(words []string) []string {
	i := slices.Index(words, "push")
	if i < 0 {
		return nil
	}
	var out []string
	for i++; i < len(words); i++ {
		switch a := words[i]; {
		case a == "-m" || a == "--message":
			i++
		case !strings.HasPrefix(a, "-"):
			out = append(out, a)
		}
	}
	return out
}

// unstash brings back what a stash took.
func (f *Facts) unstash(p place) {
	e := Edit{MessageID: p.id, Seq: p.seq, Turn: p.turn}
	for _, s := range f.stashed {
		s.gone, s.staged, s.saved, s.unsure = false, "", 0, 0
		if s.file != "" && !slices.Contains(e.Paths, s.file) {
			e.Paths = append(e.Paths, s.file)
			e.spots = append(e.spots, s)
		}
	}
	if len(e.spots) == 0 {
		e.spots = []spot{{}}
	}
	f.stashed = nil
	f.Edits = append(f.Edits, e)
}

// restored marks the files as thrown away.
func (f *Facts) restored(files []string, dir string) {
	g := f.groundOf(dir)
	list, _ := f.pathspecs(files, "", &g)
	f.named(list, func(s *spot) { s.gone, f.discarded = true, f.now })
}

// shellEdit is an edit by a command.
func (f *Facts) shellEdit(k known, dir string, p place) {
	how := editKind{dir: dir, loose: len(k.paths) == 0}
	paths := k.paths
	switch k.runner {
	case "git stash pop", "git stash apply":
		f.unstash(p)
		return
	case "rm", "unlink":
		how.rm = true
	case "git rm":
		how.rm, how.staged = true, true
		f.added = true
	case "mv", "git mv":
		f.moved(paths, dir)
		if how.staged = k.runner == "git mv"; how.staged {
			f.added = true
		}
	case "touch", "tee", "cp", "ln":
		how.wrote = true
	case "git checkout", "git restore":
		how.staged = k.runner == "git checkout"
		f.added = f.added || how.staged
	case "git apply", "patch":
		how.loose = false
	}
	how.wide = k.runner == "cp" || k.runner == "mv" || k.runner == "git mv" || how.rm
	f.edit(paths, p, how)
}

// mergeResult: a merge that waits, or has conflicts, is none.
func mergeResult(passed, failed bool, out string) (bool, bool) {
	switch {
	case strings.Contains(out, "CONFLICT (") || strings.Contains(out, "Automatic merge failed"):
		return false, true
	case strings.Contains(out, "will be automatically merged") || strings.Contains(out, "merge queue") || strings.Contains(out, "auto-merge"):
		return false, failed
	}
	return passed, failed
}

// moved: what was changed in a file that is moved is found in the new one.
func (f *Facts) moved(paths []string, dir string) {
	g := f.groundOf(dir)
	if len(paths) < 2 {
		return
	}
	list, _ := f.pathspecs(paths[:len(paths)-1], "", &g)
	f.named(list, func(s *spot) { s.gone = true })
}

// git follows commands of git that are no class of their own.
func (f *Facts) git(c *simple, dir, out string, alone bool) {
	w := c.words
	if len(w) == 0 {
		return
	}
	if base(w[0]) == "xargs" && has(w, "git") && (has(w, "add") || has(w, "stage")) {
		f.blind = true
		return
	}
	if name := base(w[0]); name != "git" && name != "git.exe" {
		return
	}
	i := gitSub(w)
	if i >= len(w) {
		return
	}
	rest := w[i+1:]
	switch w[i] {
	case "add", "stage":
		f.stage(w, c.text, dir, out)
	case "status":
		if saysClean(w[i-1:], out, alone) {
			f.clean(dir)
		}
	case "reset":
		files := operands(rest)
		if len(files) > 0 && (strings.HasPrefix(files[0], "HEAD") || files[0] == "@") {
			files = files[1:]
		}
		f.unstage(files, dir)
	case "rm":
		f.unstage(operands(rest), dir) // --cached
	case "restore":
		f.unstage(operands(rest), dir)
	case "checkout":
		if strings.HasPrefix(strings.TrimSpace(out), "Updated ") && strings.Contains(out, " from the index") {
			f.restored(operands(rest), dir)
		}
	case "init", "clone":
		ops := operands(rest)
		to := ""
		switch {
		case w[i] == "clone" && len(ops) == 1:
			to = strings.TrimSuffix(base(ops[0]), ".git")
		case len(ops) > 0:
			to = ops[len(ops)-1]
		}
		f.roots = append(f.roots, full(full(f.dir, dir), to))
	case "worktree":
		if len(rest) > 1 && rest[0] == "add" {
			if k := flags(rest, 1, "-b", "-B", "--reason"); k < len(rest) {
				f.roots = append(f.roots, full(full(f.dir, dir), rest[k]))
			}
		}
	case "rev-parse":
		if top := slashed(strings.TrimSpace(out)); alone && has(rest, "--show-toplevel") && isRooted(top) && !strings.ContainsAny(top, " \n") {
			f.roots = append(f.roots, top)
		}
	}
}

// listed takes the names of new files from what a tool for patches prints.
func (f *Facts) listed(t *recap.Tool) {
	_, rest, ok := strings.Cut(t.Output, "Updated the following files:\n")
	if !ok || len(f.Edits) == 0 {
		return
	}
	e := &f.Edits[len(f.Edits)-1]
	for line := range strings.Lines(rest) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "A "); ok {
			for k := range e.spots {
				if s := &e.spots[k]; s.file == full(f.dir, name) {
					s.isNew, s.wrote = true, true
				}
			}
		}
	}
}
