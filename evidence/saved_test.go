package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// write is a file that the tool says it made.
func write(path string) recap.Tool {
	return recap.Tool{Name: "Write", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: []string{path}, Output: "File created successfully at: " + path}
}

// toldOf gives the statuses of a session of one turn in a folder.
func toldOf(dir, project, answer string, tools ...recap.Tool) (string, Draft) {
	turns := turnOf(tools...)
	turns[0].Answer = answer
	d := Free(Input{Turns: turns, End: "complete", Session: recap.Session{Directory: dir, Project: project}})
	var out []string
	for _, s := range d.Status {
		out = append(out, string(s))
	}
	return strings.Join(out, " "), d
}

// TestWhatACommitHolds: a commit is said only where it is known to hold all
// that was changed.
func TestWhatACommitHolds(t *testing.T) {
	const dir = "/home/dev/src/app"
	a, b := edit(dir+"/a.go"), edit(dir+"/b.go")
	lib := edit("/home/dev/src/lib/b.go")
	one := "[main 1a2b3c4] x\n 1 file changed, 2 insertions(+)"
	two := "[main 1a2b3c4] x\n 2 files changed, 9 insertions(+), 3 deletions(-)"
	ok := func(cmd, out string) recap.Tool { return bash(cmd, new(0), out) }
	bad := func(cmd string, code int, out string) recap.Tool { return bash(cmd, &code, out) }
	for _, tt := range []struct {
		name  string
		want  string
		tools []recap.Tool
	}{
		{"-am", "committed", []recap.Tool{a, ok("git commit -am x", one)}},
		{"-am in another folder's place", "uncommitted", []recap.Tool{lib, ok("git commit -am x", one)}},
		{"add -A does not reach another folder", "uncommitted", []recap.Tool{lib, ok("git add -A && git commit -m x", one)}},
		{"the other folder is named", "committed", []recap.Tool{lib, ok("git add ../lib/b.go && git commit -m x", one)}},
		{"the other folder is gone to", "committed", []recap.Tool{lib, ok("cd ../lib && git commit -am x", one)}},
		{"-C the other folder", "committed", []recap.Tool{lib, ok("git -C ../lib commit -am x", one)}},
		{"-C a folder of another name", "uncommitted", []recap.Tool{lib, ok("git -C ../lab commit -am x", one)}},
		{"one here, one there", "uncommitted", []recap.Tool{a, lib, ok("git commit -am x", one)}},
		{"one here, one there, both committed", "committed", []recap.Tool{a, lib, ok("git commit -am x", one), ok("cd /home/dev/src/lib && git commit -am y", "[main 5d6e7f8] y\n 1 file changed, 1 insertion(+)")}},
		{"add one of two", "uncommitted", []recap.Tool{a, b, ok("git add a.go && git commit -m x", one)}},
		{"add one of two, quiet", "uncommitted", []recap.Tool{a, b, ok("git add a.go && git commit -qm x", "")}},
		{"add both", "committed", []recap.Tool{a, b, ok("git add a.go b.go && git commit -m x", two)}},
		{"add both, one at a time", "committed", []recap.Tool{a, ok("git add a.go", ""), b, ok("git add b.go", ""), ok("git commit -m x", two)}},
		{"then the other", "committed", []recap.Tool{a, b, ok("git add a.go && git commit -m x", one), ok("git add b.go && git commit -m y", "[main 5d6e7f8] y\n 1 file changed, 1 insertion(+)")}},
		{"two commits in one call", "committed", []recap.Tool{a, b, ok("git add a.go && git commit -m x && git add b.go && git commit -m y", one+"\n[main 5d6e7f8] y\n 1 file changed, 1 insertion(+)")}},
		{"the second of two commits fails", "command-failed uncommitted", []recap.Tool{a, b, ok("git add a.go && git commit -m x", one), bad("git add b.go && git commit -m y", 1, "pre-commit hook failed")}},
		{"changed again after add", "uncommitted", []recap.Tool{a, ok("git add a.go", ""), a, ok("git commit -m x", one)}},
		{"changed again before -a", "committed", []recap.Tool{a, ok("git add a.go", ""), a, ok("git commit -am x", one)}},
		{"add .", "committed", []recap.Tool{a, b, ok("git add . && git commit -m x", two)}},
		{"add . of a folder", "uncommitted", []recap.Tool{a, edit(dir + "/web/x.ts"), ok("cd web && git add . && git commit -m x", one)}},
		{"add . of its folder", "committed", []recap.Tool{edit(dir + "/web/x.ts"), ok("cd web && git add . && git commit -m x", one)}},
		{"add -A of a folder", "committed", []recap.Tool{a, edit(dir + "/web/x.ts"), ok("cd web && git add -A && git commit -m x", two)}},
		{"add a folder", "uncommitted", []recap.Tool{a, edit(dir + "/web/x.ts"), ok("git add web/ && git commit -m x", one)}},
		{"add -u", "committed", []recap.Tool{a, b, ok("git add -u && git commit -m x", two)}},
		{"add -u and a new file", "uncommitted", []recap.Tool{a, write(dir + "/new.go"), ok("git add -u && git commit -m x", one)}},
		{"-am and a new file", "uncommitted", []recap.Tool{a, write(dir + "/new.go"), ok("git commit -am x", one)}},
		{"-am and a new file, quiet", "uncommitted", []recap.Tool{a, write(dir + "/new.go"), ok("git commit -qam x", "")}},
		{"a new file is added", "committed", []recap.Tool{a, write(dir + "/new.go"), ok("git add new.go && git commit -am x", "[main 1a2b3c4] x\n 2 files changed, 3 insertions(+)\n create mode 100644 new.go")}},
		{"a new file is not listed", "uncommitted", []recap.Tool{a, b, write(dir + "/new.go"), ok("git add -A; git commit -m x", "[main 1a2b3c4] x\n 3 files changed, 3 insertions(+)\n create mode 100644 other.go")}},
		{"add -p", "uncommitted", []recap.Tool{a, ok("yes | git add -p && git commit -m x", one)}},
		{"add -N", "uncommitted", []recap.Tool{a, b, ok("git add -N b.go; git add a.go && git commit -m x", one)}},
		{"add --dry-run", "uncommitted", []recap.Tool{a, b, ok("git add -n b.go && git add a.go && git commit -m x", one)}},
		{"glob", "committed", []recap.Tool{a, b, ok("git add *.go && git commit -m x", two)}},
		{"glob of another kind", "uncommitted", []recap.Tool{a, edit(dir + "/x.ts"), ok("git add *.go && git commit -m x", one)}},
		{"glob of the shell stays in its folder", "uncommitted", []recap.Tool{a, edit(dir + "/sub/x.go"), ok("git add *.go && git commit -m x", one)}},
		{"glob of git goes into folders", "committed", []recap.Tool{a, edit(dir + "/sub/x.go"), ok("git add '*.go' && git commit -m x", two)}},
		{"add that finds nothing", "uncommitted", []recap.Tool{a, b, ok("git add a.go; git add b.goo; git commit -m x", "fatal: pathspec 'b.goo' did not match any files\n"+one)}},
		{"add of an ignored file", "uncommitted", []recap.Tool{a, edit(dir + "/.env"), ok("git add a.go .env; git commit -m x", "The following paths are ignored by one of your .gitignore files:\n.env\nhint: Use -f if you really want to add them.\n"+one)}},
		{"unstaged again", "uncommitted", []recap.Tool{a, b, ok("git add -A", ""), ok("git restore --staged b.go", ""), ok("git commit -m x", one)}},
		{"reset unstages", "uncommitted", []recap.Tool{a, b, ok("git add -A && git reset -q b.go && git commit -m x", one)}},
		{"commit -- path", "uncommitted", []recap.Tool{a, b, ok("git commit -m x -- a.go", one)}},
		{"commit path", "uncommitted", []recap.Tool{a, b, ok("git commit a.go -m x", one)}},
		{"commit both paths", "committed", []recap.Tool{a, b, ok("git commit -m x a.go b.go", two)}},
		{"commit path leaves what is staged", "uncommitted", []recap.Tool{a, b, ok("git add b.go && git commit -m x a.go", one)}},
		{"commit --include path", "committed", []recap.Tool{a, b, ok("git add b.go && git commit -i -m x a.go", two)}},
		{"message that looks like a path", "committed", []recap.Tool{a, b, ok("git commit -a -m a.go", two)}},
		{"one file changed, two edited", "uncommitted", []recap.Tool{a, b, ok("git commit -am x", one)}},
		{"one file changed, and then the other", "committed", []recap.Tool{a, b, ok("git commit -am x", one), ok("git add -A && git commit -m y", "[main 5d6e7f8] y\n 1 file changed, 1 insertion(+)")}},
		{"one file edited twice", "committed", []recap.Tool{a, a, ok("git commit -am x", one)}},
		{"more changed than was edited", "committed", []recap.Tool{a, ok("git commit -am x", "[main 1a2b3c4] x\n 7 files changed, 2 insertions(+)")}},
		{"staged before, nobody saw what", "committed", []recap.Tool{a, ok("git commit -m x", one)}},
		{"staged before, one of two", "uncommitted", []recap.Tool{a, b, ok("git commit -m x", one)}},
		{"staged by xargs", "committed", []recap.Tool{a, b, ok("git diff --name-only | xargs git add; git commit -m x", two)}},
		{"amend of the message", "uncommitted", []recap.Tool{a, ok("git commit -am x", one), b, ok("git commit --amend -m y", one)}},
		{"amend with the rest", "committed", []recap.Tool{a, ok("git commit -am x", one), b, ok("git add b.go && git commit --amend --no-edit", two)}},
		{"amend -a", "committed", []recap.Tool{a, ok("git commit -am x", one), b, ok("git commit -a --amend --no-edit", two)}},
		{"empty commit", "uncommitted", []recap.Tool{a, ok("git commit --allow-empty -m 'run ci'", "[main 1a2b3c4] run ci")}},
		{"nothing to commit", "command-failed uncommitted", []recap.Tool{a, bad("git commit -m x", 1, "On branch main\nno changes added to commit (use \"git add\" and/or \"git commit -a\")")}},
		{"hook fails", "command-failed uncommitted", []recap.Tool{a, bad("git commit -am x", 1, "husky - pre-commit script failed (code 1)")}},
		{"hidden by a pipe, printed", "committed", []recap.Tool{a, ok("git commit -am x | tail -3", one)}},
		{"hidden by a pipe, not printed", "uncommitted", []recap.Tool{a, ok("git commit -am x | grep foo || true", "")}},
		{"a subshell elsewhere", "uncommitted", []recap.Tool{a, ok("(cd ../lib && git commit -am x)", one)}},
		{"a subshell elsewhere, then here", "committed", []recap.Tool{a, ok("(cd ../lib && git status); git commit -am x", "On branch main\n"+one)}},
		{"a worktree of the project", "uncommitted", []recap.Tool{a, ok("git worktree add ../wt && cd ../wt && git commit -am x", one)}},
		{"a worktree within it", "uncommitted", []recap.Tool{a, ok("cd .claude/worktrees/fix && git commit -am x", one)}},
		{"work in a worktree within it", "committed", []recap.Tool{edit(dir + "/.claude/worktrees/fix/p/a.go"), ok("cd .claude/worktrees/fix && git commit -am x", one)}},
		{"work in a worktree beside it", "committed", []recap.Tool{edit("/home/dev/src/wt/p/a.go"), ok("cd ../wt && git add -A && git commit -m x", one)}},
		{"a nested repository", "uncommitted", []recap.Tool{a, ok("git clone https://example.com/tool.git", ""), ok("cd tool && git commit -am x", one)}},
		{"stash", "", []recap.Tool{a, ok("git stash", "Saved working directory and index state WIP on main: 1a2b3c4 y")}},
		{"stash of nothing", "uncommitted", []recap.Tool{write(dir + "/new.go"), ok("git stash", "No local changes to save")}},
		{"stash leaves new files", "uncommitted", []recap.Tool{a, write(dir + "/new.go"), ok("git stash", "Saved working directory and index state WIP on main: 1a2b3c4 y")}},
		{"stash and pop", "uncommitted", []recap.Tool{a, ok("git stash", "Saved working directory"), ok("git stash pop", "Dropped refs/stash@{0}")}},
		{"stash, pop, commit of the file", "committed", []recap.Tool{a, ok("git stash", "Saved working directory"), ok("git stash pop", "Dropped refs/stash@{0}"), ok("git add a.go && git commit -m x", one)}},
		{"stash of one file", "uncommitted", []recap.Tool{a, b, ok("git stash push -m wip a.go", "Saved working directory and index state On main: wip")}},
		{"stash after the commit", "committed", []recap.Tool{a, ok("git commit -am x", one), ok("git stash", "No local changes to save")}},
		{"reset --soft after the commit", "uncommitted", []recap.Tool{a, ok("git commit -am x", one), ok("git reset --soft HEAD~1", "")}},
		{"reset --soft, committed anew", "committed", []recap.Tool{a, b, ok("git commit -am x", two), ok("git reset --soft HEAD~1", ""), ok("git commit -m y", "[main 5d6e7f8] y\n 2 files changed, 9 insertions(+)")}},
		{"reset --soft, split, one left", "uncommitted", []recap.Tool{a, b, ok("git commit -am x", two), ok("git reset HEAD~1", "Unstaged changes after reset:\nM\ta.go\nM\tb.go"), ok("git add a.go && git commit -m y", "[main 5d6e7f8] y\n 1 file changed, 9 insertions(+)")}},
		{"revert", "", []recap.Tool{a, ok("git commit -am x", one), ok("git revert --no-edit HEAD", "[main 5d6e7f8] Revert \"x\"\n 1 file changed, 2 deletions(-)")}},
		{"revert of an older one", "uncommitted", []recap.Tool{a, ok("git revert --no-edit 9999999", "[main 5d6e7f8] Revert \"old\"\n 1 file changed, 2 deletions(-)")}},
		{"cherry-pick takes no edits", "uncommitted", []recap.Tool{a, ok("git cherry-pick 9999999", "[main 5d6e7f8] old\n Date: Mon Jan 5 10:00:00 2026 +0100\n 1 file changed, 2 deletions(-)")}},
		{"checkout of the file after the edit", "", []recap.Tool{a, ok("git checkout -- a.go", "")}},
		{"checkout of the file, without dashes", "", []recap.Tool{a, ok("git checkout a.go", "Updated 1 path from the index")}},
		{"checkout of one of two", "uncommitted", []recap.Tool{a, b, ok("git checkout -- a.go", "")}},
		{"checkout of one of two, and a commit", "committed", []recap.Tool{a, b, ok("git checkout -- b.go", ""), ok("git commit -am x", one)}},
		{"the file as it was, after the commit", "uncommitted", []recap.Tool{a, ok("git commit -am x", one), ok("git checkout HEAD~1 -- a.go", "")}},
		{"restore --source after the commit", "uncommitted", []recap.Tool{a, ok("git commit -am x", one), ok("git restore --source=HEAD~1 a.go", "")}},
		{"another branch", "committed", []recap.Tool{a, ok("git commit -am x", one), ok("git checkout main", "Switched to branch 'main'")}},
		{"edited after the commit", "uncommitted", []recap.Tool{a, ok("git commit -am x", one), b}},
		{"the tree is clean", "committed", []recap.Tool{a, b, ok("git commit -am x", one), ok("git status", "On branch main\nnothing to commit, working tree clean")}},
		{"the tree is clean, without a commit", "", []recap.Tool{a, ok("git status", "On branch main\nnothing to commit, working tree clean")}},
		{"the tree elsewhere is clean", "uncommitted", []recap.Tool{a, ok("git -C ../lib status", "On branch main\nnothing to commit, working tree clean")}},
		{"status --short prints nothing", "committed", []recap.Tool{a, b, ok("git commit -am x", one), ok("git status --short", "")}},
		{"status --short prints the rest", "uncommitted", []recap.Tool{a, b, ok("git commit -am x", one), ok("git status --short", " M b.go")}},
		{"rm and add", "committed", []recap.Tool{ok("rm old.go", ""), ok("git add -A && git commit -m x", one)}},
		{"git rm", "committed", []recap.Tool{a, ok("git rm -q old.go && git add a.go && git commit -m x", two)}},
		{"git mv", "committed", []recap.Tool{ok("git mv a.go c.go && git commit -m x", "[main 1a2b3c4] x\n 1 file changed, 0 insertions(+)\n rename a.go => c.go (100%)")}},
		{"git mv, one not staged", "uncommitted", []recap.Tool{b, ok("git mv a.go c.go && git commit -m x", one)}},
		{"a script made and removed", "committed", []recap.Tool{write(dir + "/try.py"), ok("python try.py; rm try.py", "ok"), a, ok("git add a.go && git commit -m x", one)}},
		{"built folders removed", "committed", []recap.Tool{a, ok("rm -rf dist node_modules && npm ci", ""), ok("git add a.go && git commit -m x", one)}},
		{"sed in a folder", "committed", []recap.Tool{ok("cd web && sed -i s/a/b/ x.ts", ""), ok("git add web/x.ts && git commit -m x", one)}},
		{"sed in a folder, another is added", "uncommitted", []recap.Tool{ok("cd web && sed -i s/a/b/ x.ts", ""), a, ok("git add a.go && git commit -m x", one)}},
		{"relative to a folder that the shell kept", "committed", []recap.Tool{edit(dir + "/web/x.ts"), ok("git add x.ts && git commit -m x", one)}},
		{"the agent's own notes", "committed", []recap.Tool{a, edit("/home/dev/.claude/CLAUDE.md"), ok("git commit -am x", one)}},
		{"a patch", "committed", []recap.Tool{ok("git apply fix.diff", ""), ok("git commit -am x", one)}},
		{"a script adds them", "committed", []recap.Tool{a, b, ok("for f in a.go b.go; do git add $f; done\ngit commit -m x", two)}},
		{"hg", "committed", []recap.Tool{a, ok("hg commit -m x", "")}},
		{"hg, one of two", "uncommitted", []recap.Tool{a, b, ok("hg commit -m x a.go", "")}},
		{"hg, nothing changed", "command-failed uncommitted", []recap.Tool{a, bad("hg commit -m x", 1, "nothing changed")}},
		{"jj", "committed", []recap.Tool{a, ok("jj commit -m x", "Working copy  (@) now at: qpvuntsm 230dd059 (empty) (no description set)\nParent commit (@-)      : kkmpptxz 1a2b3c4d x")}},
		{"svn", "committed", []recap.Tool{a, ok("svn commit -m x", "Sending        a.go\nTransmitting file data .done\nCommitted revision 12.")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := toldOf(dir, "", "Committed the change.", tt.tools...)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if strings.Contains(d.Recap, "Committed") != (tt.want == "committed") && tt.name != "edited after the commit" && !strings.Contains(tt.name, "after the commit") && tt.name != "amend of the message" {
				t.Errorf("%s claims %q", got, d.Recap)
			}
		})
	}
}
