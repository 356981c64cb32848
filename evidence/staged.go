package evidence

import (
	"slices"
	"strings"
)

// stage follows "git add" and what else fills the index.
func (f *Facts) stage(words []string, text, dir, out string) {
	args := words[min(gitSub(words)+1, len(words)):]
	g := f.groundOf(dir)
	all, update := false, false
	var specs []string
	for i, a := range args {
		if a == "--" {
			specs = append(specs, args[i+1:]...)
			break
		}
		switch {
		case a == "-n", a == "--dry-run", a == "--refresh":
			return
		case a == "-p", a == "--patch", a == "-i", a == "--interactive", a == "-e", a == "--edit", a == "-N", a == "--intent-to-add":
			f.added = true // which parts, nobody knows
			return
		case a == "-A", a == "--all", a == "--no-ignore-removal":
			all = true
		case a == "-u", a == "--update":
			update = true
		case strings.HasPrefix(a, "--pathspec-from-file"):
			f.blind = true
			return
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			all, update = all || strings.Contains(a, "A"), update || strings.Contains(a, "u")
		case !strings.HasPrefix(a, "-"):
			specs = append(specs, a)
		}
	}
	if strings.Contains(out, "did not match any file") {
		return // git adds none where one of them is missing
	}
	ignored := ignoredPaths(out)
	take := func(s *spot) {
		if update && s.isNew && s.staged == "" {
			return
		}
		if len(ignored) > 0 && slices.ContainsFunc(ignored, func(p string) bool { return below(s.file, full(g.root, p)) || below(s.file, full(g.dir, p)) }) {
			return
		}
		s.staged = g.root
	}
	if len(specs) == 0 {
		if all || update {
			f.added = true
			f.everything(&g, take)
		}
		return
	}
	list, blind := f.pathspecs(specs, text, &g)
	f.added, f.blind = f.added || len(list) > 0, f.blind || blind
	for i := range list {
		// "git add ." takes what the whole folder holds, a pathless edit too.
		if p := &list[i]; !p.glob && f.root != "" && below(f.root, p.path) || !p.glob && f.dir == "" && p.path == "" {
			f.everything(&g, take)
		}
	}
	f.named(list, take)
}

// everything calls do for the open files of a repository.
func (f *Facts) everything(g *ground, do func(*spot)) {
	for _, s := range f.spots {
		if f.left(s) && f.reaches(g, s.file) {
			do(s)
		}
	}
}

// ignoredPaths gives what "git add" says it left out.
func ignoredPaths(out string) []string {
	_, rest, ok := strings.Cut(out, "ignored by one of your .gitignore files:")
	if !ok {
		return nil
	}
	var list []string
	for line := range strings.Lines(strings.TrimLeft(rest, "\r\n")) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "hint:") {
			break
		}
		list = append(list, line)
	}
	return list
}

// unstage follows "git reset FILE", "git restore --staged FILE" and "git rm
// --cached FILE".
func (f *Facts) unstage(words []string, dir string) {
	g := f.groundOf(dir)
	list, _ := f.pathspecs(words, "", &g)
	if len(list) == 0 {
		f.everything(&g, func(s *spot) { s.staged = "" })
		return
	}
	f.named(list, func(s *spot) { s.staged = "" })
}

// gitSub gives the index of the command of git ("commit").
func gitSub(words []string) int {
	return 1 + flags(words[min(1, len(words)):], 0, "-C", "-c", "--git-dir", "--work-tree")
}

// takes says what a commit takes beside what is staged.
type takes struct {
	all, patch, include, amend, empty, quiet bool
	specs                                    []string
}

// readCommit reads the arguments of "git commit".
func readCommit(args []string) takes {
	var t takes
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			t.specs = append(t.specs, args[i+1:]...)
			return t
		case a == "--all":
			t.all = true
		case a == "--patch", a == "--interactive", strings.HasPrefix(a, "--pathspec-from-file"):
			t.patch = true
		case a == "--include":
			t.include = true
		case a == "--amend":
			t.amend = true
		case a == "--allow-empty":
			t.empty = true
		case a == "--quiet":
			t.quiet = true
		case a == "--message", a == "--file", a == "--author", a == "--date", a == "--template", a == "--reuse-message", a == "--reedit-message", a == "--fixup", a == "--squash", a == "--trailer", a == "--cleanup":
			i++
		case strings.HasPrefix(a, "--"), a == "-":
		case strings.HasPrefix(a, "-"):
			for k := 1; k < len(a); k++ {
				switch a[k] {
				case 'a':
					t.all = true
				case 'p':
					t.patch = true
				case 'i':
					t.include = true
				case 'q':
					t.quiet = true
				case 'm', 'F', 'C', 'c', 't':
					if k == len(a)-1 {
						i++
					}
					k = len(a)
				case 'S', 'u':
					k = len(a)
				}
			}
		case a != "":
			t.specs = append(t.specs, a)
		}
	}
	return t
}

// made is a commit as git prints it.
type made struct {
	branch, hash, subject string
	files                 int // that changed, 0 where it does not say
	names                 []string
}

// printedCommits finds git's lines "[main 1a2b3c4] subject" and what stands
// below them.
func printedCommits(out string) []made {
	var list []made
	in := false
	for line := range strings.Lines(out) {
		body := strings.TrimRight(line, "\r\n")
		line = strings.TrimSpace(line)
		if head, rest, found := strings.Cut(strings.TrimPrefix(line, "["), "]"); found && strings.HasPrefix(line, "[") {
			words := strings.Fields(head)
			if len(words) > 1 && isHash(words[len(words)-1]) {
				branch := words[0]
				if branch == "detached" {
					branch = "HEAD"
				}
				list = append(list, made{branch: branch, hash: words[len(words)-1], subject: oneLine(rest)})
				in = true
				continue
			}
		}
		if !in {
			continue
		}
		if in = strings.HasPrefix(body, " "); !in {
			continue
		}
		m := &list[len(list)-1]
		words := strings.Fields(line)
		if n := number(first(words)); n >= 0 && m.files == 0 && len(words) > 1 {
			m.files = n
		}
		for _, mode := range [...]string{"create mode ", "delete mode "} {
			if rest, ok := strings.CutPrefix(line, mode); ok {
				_, name, _ := strings.Cut(rest, " ")
				m.names = append(m.names, name)
			}
		}
	}
	return list
}
