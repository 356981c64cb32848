package filelog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", `{"a":[1,2]}`, `{"a":[1,2]}`},
		{"line comment", "{\"a\":1 // it's, }\n}", `{"a":1}`},
		{"comment at the end of the file", "{\"a\":1} // end", `{"a":1}`},
		{"block comment", `{/* "b":2, */"a":/**/1}`, `{"a":1}`},
		{"comma at the end", `{"a":[1,2, ],}`, `{"a":[1,2]}`},
		{"comma, comment, bracket", "{\"a\":1, // last\n /* none */ }", `{"a":1}`},
		{"marks in a string", `{"a":"http://x/*y*/, ]//"}`, `{"a":"http://x/*y*/, ]//"}`},
		{"escaped quote", `{"a":"\"//,}\\"}`, `{"a":"\"//,}\\"}`},
		{"byte order mark", "\uFEFF{\"a\":1}", `{"a":1}`},
		{"comma before a value stays", `{"a":1,"b":2}`, `{"a":1,"b":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got, want any
			if err := json.Unmarshal(PlainJSON([]byte(c.in)), &got); err != nil {
				t.Fatalf("%s: %v", PlainJSON([]byte(c.in)), err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestSettingsAreReadWithinBounds(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(write("target", `{"a":"b"}`), link); err != nil {
		t.Skip(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := mkfifo(fifo); err != nil {
		t.Log(err)
	}
	const secret = "sk-secret-0000"
	for _, c := range []struct{ name, path, want, problem string }{
		{"good", write("good", `{"a":"b"}`), "b", ""},
		{"link", link, "b", ""},
		{"not there", filepath.Join(dir, "none"), "", ""},
		{"empty", write("empty", " \n"), "", ""},
		{"broken", write("broken", `{"a":"`+secret), "", "not a JSON object"},
		{"a list", write("list", `["`+secret+`"]`), "", "not a JSON object"},
		{"at the bound", write("bound", `{"a":"b"}`+strings.Repeat(" ", MaxSettings-9)), "b", ""},
		{"over the bound", write("long", `{"a":"b"}`+strings.Repeat(" ", MaxSettings-8)), "", "settings file over 1 MB"},
		{"a folder", dir, "", "not a regular file"},
		{"a FIFO", fifo, "", "not a regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, p := JSONSettings(c.path)
			reason := ""
			if p != nil {
				reason = p.Reason
				if strings.Contains(p.Error(), secret) || p.Count != 1 || p.Path != c.path {
					t.Errorf("problem %v", p)
				}
			}
			if c.name == "a FIFO" && !Exists(fifo) && reason == "" {
				return
			}
			if got := TextAt(v, "a"); got != c.want || reason != c.problem {
				t.Errorf("got %q, problem %q", got, reason)
			}
		})
	}
}

func TestMergeAndAt(t *testing.T) {
	a := map[string]any{"x": map[string]any{"p": "1", "q": "2"}, "y": "old"}
	b := map[string]any{"x": map[string]any{"q": "3"}, "y": map[string]any{"z": "new"}, "n": 4.0}
	m := Merge(a, b)
	if TextAt(m, "x", "p") != "1" || TextAt(m, "x", "q") != "3" || TextAt(m, "y", "z") != "new" || TextAt(m, "n") != "" || At(m, "y", "z", "deeper") != nil {
		t.Errorf("merged %v", m)
	}
	if TextAt(a, "x", "q") != "2" {
		t.Error("the lower layer was changed")
	}
}

func TestDotEnv(t *testing.T) {
	got := DotEnv([]byte("\uFEFFA=1\n# B=2\nexport C = three \nD=\"a # b\\nc\" # d\nE='$x # y'\nF=\nG=v # note\nnot a line\nH=a=b\n I=`t`\n\"J\"=1\nK=\"open\n"))
	want := map[string]string{"A": "1", "C": "three", "D": "a # b\nc", "E": "$x # y", "F": "", "G": "v", "H": "a=b", "I": "t", "K": `"open`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestExpand(t *testing.T) {
	env := func(n string) string { return map[string]string{"A": "1", "A_B": "2"}[n] }
	for in, want := range map[string]string{
		"": "", "x": "x", "$A": "1", "${A}": "1", "$A_B-$A": "2-1", "a$": "a$", "$$A": "$1", "${A": "${A", "$NONE": "$NONE",
		"${NONE:-d}": "d", "${A:-d}": "1", "$1": "$1", "${}": "${}", "é$A漢": "é1漢",
	} {
		if got := Expand(in, env); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestUpward(t *testing.T) {
	if got := Upward("/a/b/../c"); !slices.Equal(got, []string{"/a/c", "/a", "/"}) {
		t.Errorf("got %v", got)
	}
	if got := Upward("a/b"); got != nil {
		t.Errorf("got %v", got)
	}
	if got := Upward("/" + strings.Repeat("d/", 500)); len(got) != maxUp {
		t.Errorf("%d folders", len(got))
	}
}

func FuzzSettings(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "{//x\n}", `{"a":"/*",/*`, "A=1\nB='", "${A:-${B}}", `"\`, "\uFEFF"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain := PlainJSON([]byte(s))
		if len(plain) > len(s) {
			t.Errorf("grew to %d bytes", len(plain))
		}
		if json.Valid([]byte(s)) {
			var a, b any
			if decode([]byte(s), &a) != nil || decode(plain, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("plain JSON was changed: %q", plain)
			}
		}
		DotEnv([]byte(s))
		if got := Expand(s, func(string) string { return "" }); !strings.Contains(s, ":-") && got != s {
			t.Errorf("expanded to %q", got)
		}
	})
}
