package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command that is printed is the session's own, also where its directory
// or id holds what shows nothing, or it is not printed.
func TestResumePrintsTheSessionsOwnCommand(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	write(t, filepath.Join(bin, "claude"), "#!/bin/sh\nprintf '%s|' \"$(pwd)\" \"$@\"\n")
	if err := os.Chmod(filepath.Join(bin, "claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, id, dir string }{
		{"plain", "aaaaaaaa", "x"},
		{"a quote and a space", "bbbbbbbb", "it's here"},
		{"a mark in the directory", "cccccccc", "a\u200fb"},
		{"a soft hyphen in the directory", "dddddddd", "a\u00adb"},
		{"an escape in the id", "e\x1b[31mx", "x"},
		{"a mark in the id", "f\u202egg", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			dir := filepath.Join(d.home, tt.dir)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			d.claude(t, tt.id, dir, "rebuild the index")
			a := d.run(t, "resume", "--print", "last")
			if a.code != 0 || a.err != "" || strings.ContainsAny(a.out, "\x1b\u200f\u202e\u00ad") {
				t.Fatalf("%+v", a)
			}
			want := dir + "|--resume|" + tt.id + "|"
			cmd := exec.CommandContext(t.Context(), "sh", "-c", a.out)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), want) {
				t.Errorf("%s\ngave %q, want %q, %v", a.out, out, want, err)
			}
			var v struct {
				Directory string
				Command   []string
			}
			if err := json.Unmarshal([]byte(d.ok(t, "resume", "--json", "last")), &v); err != nil || v.Directory != dir || v.Command[len(v.Command)-1] != tt.id {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

// What can be run and not be written is not printed.
func TestResumePrintsNothingWrong(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.claude(t, "abc\xff", "/home/dev/src/x", "rebuild the index")
	if a := d.run(t, "resume", "--json", "last"); a.code != 1 || !strings.Contains(a.out, `"unsupported_format"`) {
		t.Errorf("%+v", a)
	}
	d = newDesk(t)
	d.claude(t, "abc", `/home/dev/src/x\n`, "rebuild the index")
	if a := d.run(t, "resume", "--print", "last"); a.code != 1 || a.out != "" || !strings.Contains(a.err, "can't be written as a command") {
		t.Errorf("%+v", a)
	}
}
