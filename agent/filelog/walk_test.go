package filelog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/agent"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func walked(t *testing.T, root string, keep func(string, bool) bool) (found []string, problems []string) {
	t.Helper()
	err := Walk(t.Context(), root, keep,
		func(f File) { found = append(found, f.Rel) },
		func(p *agent.Problem) {
			rel, err := filepath.Rel(root, p.Path)
			if err != nil {
				t.Fatal(err)
			}
			problems = append(problems, rel+": "+p.Reason)
		})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	slices.Sort(problems)
	return found, problems
}

func all(string, bool) bool { return true }

func TestF21_WalkPassesOverWhatIsNoFile(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "a", "x.jsonl"), "x")
	put(t, filepath.Join(root, "b ü", "y.jsonl"), "y")
	links := map[string]string{
		filepath.Join(root, "link.jsonl"):      filepath.Join(root, "a", "x.jsonl"),
		filepath.Join(root, "gone.jsonl"):      filepath.Join(root, "nowhere"),
		filepath.Join(root, "self.jsonl"):      filepath.Join(root, "self.jsonl"),
		filepath.Join(root, "a", "up"):         root, // a loop of folders
		filepath.Join(root, "b ü", "zero.log"): "/dev/zero",
	}
	for at, to := range links {
		if err := os.Symlink(to, at); err != nil {
			t.Skip("no links here")
		}
	}
	if err := mkfifo(filepath.Join(root, "fifo.jsonl")); err != nil {
		t.Skip("no FIFO here")
	}
	found, problems := walked(t, root, all)
	if want := []string{"a/x.jsonl", "b ü/y.jsonl", "link.jsonl"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	got := strings.Join(problems, "\n")
	for _, want := range []string{"fifo.jsonl: not a regular file", "gone.jsonl: does not exist", "self.jsonl: ", "a/up: link to a folder that holds it", "zero.log: not a regular file"} {
		if !strings.Contains(got, want) {
			t.Errorf("no problem %q in %q", want, got)
		}
	}
	// None of them is ever opened.
	for _, p := range []string{"fifo.jsonl", "a", "b ü/zero.log", "self.jsonl", "gone.jsonl"} {
		if _, err := ReadEnds(filepath.Join(root, p)); err == nil {
			t.Errorf("%s was read", p)
		}
		if r, err := Open(filepath.Join(root, p)); err == nil {
			t.Errorf("%s was opened: %v", p, r.File())
		}
	}
	if _, err := Open(filepath.Join(root, "a")); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

func TestWalkEntersWhatIsKept(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{"a/x.jsonl", "a/sub/y.jsonl", "b/z.jsonl", "b/z.txt"} {
		put(t, filepath.Join(root, p), "")
	}
	found, problems := walked(t, root, func(rel string, dir bool) bool {
		if dir {
			return rel != "a/sub"
		}
		return strings.HasSuffix(rel, ".jsonl")
	})
	if want := []string{"a/x.jsonl", "b/z.jsonl"}; !slices.Equal(found, want) || len(problems) > 0 {
		t.Errorf("found %q, problems %q", found, problems)
	}
	if found, problems := walked(t, filepath.Join(root, "nothing"), all); len(found)+len(problems) > 0 {
		t.Errorf("a root that is not there: %q %q", found, problems)
	}
	deep := root
	for i := range 40 {
		deep = filepath.Join(deep, strconv.Itoa(i))
	}
	put(t, filepath.Join(deep, "x.jsonl"), "")
	walked(t, root, all)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Walk(ctx, root, all, func(File) { t.Error("found after the end") }, func(*agent.Problem) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestF16_UnchangedIsOfContent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.jsonl")
	put(t, file, "one\ntwo\n")
	e, err := ReadEnds(file)
	if err != nil {
		t.Fatal(err)
	}
	entry := e.Entry()
	f, err := Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if !Unchanged(entry, f) || f.Stamp() != e.File.Stamp() {
		t.Fatal("changed at once")
	}
	was := time.Unix(0, f.ModTime)
	for name, change := range map[string]func() error{
		"rewritten, same size and time": func() error {
			if err := os.WriteFile(file, []byte("one\nTWO\n"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(file, was, was)
		},
		"replaced, same size and time": func() error {
			if err := os.WriteFile(file+".new", []byte("one\ntwo\n"), 0o600); err != nil {
				return err
			}
			if err := os.Chtimes(file+".new", was, was); err != nil {
				return err
			}
			return os.Rename(file+".new", file)
		},
		"grown": func() error { return os.WriteFile(file, []byte("one\ntwo\nthree\n"), 0o600) },
		"cut":   func() error { return os.WriteFile(file, []byte("one\n"), 0o600) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		now, err := Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if now.Change == 0 {
			t.Skip("no change time here")
		}
		if Unchanged(entry, now) || now.Stamp() == f.Stamp() {
			t.Errorf("%s: not noticed", name)
		}
	}
	// Content tells where times moved alone.
	put(t, file, "one\ntwo\n")
	again, err := ReadEnds(file)
	if err != nil {
		t.Fatal(err)
	}
	if again.HeadSum != e.HeadSum || again.TailSum != e.TailSum {
		t.Error("the same content has other hashes")
	}
	put(t, file, "one\nTwo\n")
	if again, err = ReadEnds(file); err != nil || again.TailSum == e.TailSum {
		t.Errorf("other content has the same hash: %v", err)
	}
}

func TestReadEnds(t *testing.T) {
	rows := func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "{\"row\":%d,\"x\":%q}\n", i, strings.Repeat("x", i%300))
		}
		return b.String()[:n]
	}
	for _, n := range []int{0, 1, 100, agent.EndBytes - 1, agent.EndBytes, agent.EndBytes + 1, 2*agent.EndBytes - 1, 2 * agent.EndBytes, 2*agent.EndBytes + 1, 5 * agent.EndBytes} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.jsonl")
			text := rows(n)
			put(t, file, text)
			e, err := ReadEnds(file)
			if err != nil {
				t.Fatal(err)
			}
			if e.Bytes > 2*agent.EndBytes {
				t.Errorf("%d bytes were read", e.Bytes)
			}
			if !strings.HasPrefix(text, string(e.Head)) || text[e.TailStart:] != string(e.Tail) {
				t.Error("an end is not the file's")
			}
			if e.Whole() != (n <= 2*agent.EndBytes) || e.Whole() != (e.TailStart == 0) {
				t.Errorf("whole = %v, tail from %d", e.Whole(), e.TailStart)
			}
			lines := strings.Split(text, "\n")
			i := 0
			for r := range e.HeadRows {
				if string(r) != lines[i] {
					t.Fatalf("head row %d = %q, want %q", i, r, lines[i])
				}
				i++
			}
			if e.Whole() && strings.Join(lines[i:], "") != "" {
				t.Errorf("%d rows of %d", i, len(lines))
			}
			k := len(lines) - 1
			if lines[k] == "" {
				k--
			}
			count := 0
			for r := range e.TailRows {
				if string(r) != lines[k] {
					t.Fatalf("tail row %d = %q, want %q", k, r, lines[k])
				}
				k--
				count++
			}
			if e.Whole() && k >= 0 {
				t.Errorf("%d rows are missing", k+1)
			}
			if n > 0 && count == 0 {
				t.Error("no rows in the tail")
			}
		})
	}
	if _, err := ReadEnds(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestReasonsHoldNoText(t *testing.T) {
	for want, err := range map[string]error{
		"permission denied":  &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission},
		"does not exist":     &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist},
		"not a regular file": ErrNotRegular,
		"can't be read":      errors.New("something"),
	} {
		p := ProblemOf("/home/dev/x.jsonl", err)
		if p.Reason != want || p.Count != 1 || !errors.Is(p, err) || p.Error() != "/home/dev/x.jsonl: "+want {
			t.Errorf("%v: %+v", err, p)
		}
	}
}

func TestC18_LinksToFoldersAreFollowedOnce(t *testing.T) {
	root, away := t.TempDir(), t.TempDir()
	put(t, filepath.Join(root, "a", "x.jsonl"), "x")
	put(t, filepath.Join(root, "a", "deep", "y.jsonl"), "y")
	put(t, filepath.Join(away, "z.jsonl"), "z")
	put(t, filepath.Join(away, "sub", "w.jsonl"), "w")
	for at, to := range map[string]string{
		filepath.Join(root, "linked"):     away,
		filepath.Join(root, "sibling"):    filepath.Join(root, "a"), // read by its own name
		filepath.Join(root, "inner"):      filepath.Join(root, "a", "deep"),
		filepath.Join(root, "a", "up"):    root,
		filepath.Join(root, "a", "above"): filepath.Dir(root),
		filepath.Join(away, "further"):    filepath.Join(away, "sub"), // inside a linked folder
		filepath.Join(root, "zz"):         filepath.Join(root, "linked"),
	} {
		if err := os.Symlink(to, at); err != nil {
			t.Skip("no links here")
		}
	}
	found, problems := walked(t, root, all)
	if want := []string{"a/deep/y.jsonl", "a/x.jsonl", "linked/sub/w.jsonl", "linked/z.jsonl"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	got := strings.Join(problems, "\n")
	for _, want := range []string{
		"inner: link to a folder that is read by its own name", "a/up: link to a folder that holds it", "a/above: link to a folder that holds it",
		"further: link inside a linked folder", "zz: link to a folder that another link names",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no problem %q in %q", want, got)
		}
	}
	if len(problems) != 5 {
		t.Errorf("problems %q", problems)
	}
	// A link to the home itself is a home.
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink(root, home); err != nil {
		t.Fatal(err)
	}
	if again, _ := walked(t, home, all); !slices.Equal(again, found) {
		t.Errorf("through a link: %q", again)
	}
}
