package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sessionrecap/recap/internal/demo"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"recap": main})
}

// TestScript runs the stories of testdata/script. Each has a home at $HOME
// with the sample sessions of five agents; their projects stand below $DEV.
func TestScript(t *testing.T) {
	cmds := map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"exits":     exits,
		"jsonlines": jsonLines,
		"sum":       sum,
	}
	maps.Copy(cmds, daemonCommands())
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup:               setup,
		Cmds:                cmds,
	})
}

// setup lays out the samples, moved from /home/dev to a folder that exists.
func setup(env *testscript.Env) error {
	home, dev := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "dev")
	samples := filepath.Join(env.WorkDir, "samples")
	if err := demo.Install(samples); err != nil {
		return err
	}
	for agent, below := range map[string]string{
		"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "qwen": ".qwen", "opencode": ".local/share/opencode",
	} {
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(below)), 0o700); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(samples, agent), filepath.Join(home, below)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(samples); err != nil {
		return err
	}
	for _, project := range []string{"shop-login", "kakeibo", "rechnung", "image-resizer", "empty"} {
		if err := os.MkdirAll(filepath.Join(dev, "src", project), 0o700); err != nil {
			return err
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("DEV", dev)
	env.Setenv("LANG", "C.UTF-8")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else each program under -race waits a second at its end
	program, err := exec.LookPath("recap")
	if err != nil {
		return err
	}
	env.Setenv("RECAP", program)
	return filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".db" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(b, []byte("/home/dev"), []byte(dev)), 0o600)
	})
}

// exits runs a program and wants an exit code: "exits 3 recap list".
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("%s: exit code %s, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// jsonLines wants that stdout is one JSON object a line, n of them where that
// is given, and nothing else: "jsonlines stdout 3".
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.HasSuffix(text, "\n") && text != "" {
		ts.Fatalf("no line end at the end: %q", text)
	}
	n := 0
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			ts.Fatalf("%v: %s", err, line)
		}
		n++
	}
	if len(args) > 1 && args[1] != json.Number(itoa(n)).String() {
		ts.Fatalf("%d lines, want %s", n, args[1])
	}
}

func itoa(n int) string {
	b, err := json.Marshal(n)
	if err != nil {
		return ""
	}
	return string(b)
}

// sum keeps, or with "!" compares, what every file below a folder holds:
// "sum before $HOME" and later "sum before $HOME".
func sum(ts *testscript.TestScript, _ bool, args []string) {
	tree := map[string]string{}
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			tree[path] = string(b)
			return err
		}))
	}
	b, err := json.Marshal(tree)
	ts.Check(err)
	file := ts.MkAbs(args[0])
	old, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		ts.Check(os.WriteFile(file, b, 0o600))
		return
	}
	ts.Check(err)
	if !bytes.Equal(old, b) {
		var before map[string]string
		ts.Check(json.Unmarshal(old, &before))
		for path, text := range tree {
			if was, ok := before[path]; !ok || was != text {
				ts.Logf("changed or new: %s", path)
			}
		}
		for path := range before {
			if _, ok := tree[path]; !ok {
				ts.Logf("gone: %s", path)
			}
		}
		ts.Fatalf("an agent's files are not as they were")
	}
}
