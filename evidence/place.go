package evidence

import (
	"slices"
	"strings"
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
		f.Commits[i].undone = true
		n--
		if !hard {
			continue
		}
		before := -1
		if i > 0 {
			before = f.Commits[i-1].Seq
		}
		for k := range f.Edits {
			if e := &f.Edits[k]; e.Seq > before && e.Seq < f.Commits[i].Seq {
				e.undone = true
			}
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
				f.drop(i)
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
			f.drop(i)
			return true
		}
		n--
	}
	return false
}

// drop takes back a commit with its edits.
func (f *Facts) drop(i int) {
	before := -1
	if i > 0 {
		before = f.Commits[i-1].Seq
	}
	f.Commits[i].undone = true
	for k := range f.Edits {
		if e := &f.Edits[k]; e.Seq > before && e.Seq < f.Commits[i].Seq {
			e.undone = true
		}
	}
}

// restored marks edits of the files as thrown away.
func (f *Facts) restored(files []string) {
	last := -1
	for i := range f.Commits {
		last = f.Commits[i].Seq
	}
	for i := range f.Edits {
		e := &f.Edits[i]
		if e.Seq <= last || len(e.Paths) == 0 {
			continue
		}
		all := true
		for _, p := range e.Paths {
			one := false
			for _, file := range files {
				file = strings.TrimPrefix(file, "./")
				one = one || p == file || strings.HasSuffix(p, "/"+file) || strings.HasSuffix(file, "/"+p) || strings.HasPrefix(p, strings.TrimSuffix(file, "/")+"/")
			}
			all = all && one
		}
		e.undone = e.undone || all
	}
}
