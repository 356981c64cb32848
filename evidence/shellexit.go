package evidence

import (
	"slices"
	"strings"
)

// judgeExit says of each command what the exit status of the line proves.
func judgeExit(cmds []simple) {
	// strict: "set -e" makes every later command count; pipefail, every stage.
	strict, pipefail := false, false
	lists := 0 // and-or lists that follow
	for i := range cmds {
		w := cmds[i].words
		if len(w) > 1 && w[0] == "set" {
			for _, a := range w[1:] {
				strict = strict || strings.HasPrefix(a, "-") && strings.Contains(a, "e") && a != "-o"
				pipefail = pipefail || a == "pipefail"
			}
		}
		if len(w) > 0 && isKeyword(w[0]) {
			// Conditionals and loops decide for themselves: prove nothing.
			for j := range cmds {
				cmds[j].zero, cmds[j].fail = false, false
			}
			return
		}
	}
	for end := len(cmds); end > 0; {
		start := end - 1
		for start > 0 && cmds[start-1].op != opSeq && cmds[start-1].op != opBack && cmds[start-1].op != opEnd {
			start--
		}
		list := cmds[start:end]
		background := list[len(list)-1].op == opBack
		decides := lists == 0 && !background || strict && !background
		judgeList(list, decides, pipefail)
		if end < len(cmds) && prints(cmds[end]) && !pipedInto(list) {
			list[len(list)-1].echoes = true
		}
		lists++
		end = start
	}
}

func pipedInto(list []simple) bool {
	return len(list) > 1 && list[len(list)-2].op == opPipe
}

// prints: the command prints the exit status of the one before.
func prints(c simple) bool {
	return len(c.words) > 1 && (c.words[0] == "echo" || c.words[0] == "printf") && strings.Contains(c.text, "$?")
}

func judgeList(list []simple, decides, pipefail bool) {
	or := false
	weighty := 0
	for i := range list {
		if i > 0 && list[i-1].op == opOr {
			// "|| exit 1" keeps a failure; "|| anything" hides it.
			or = or || !keepsFailure(list[i])
		}
		if !trivial(list[i]) && (i == 0 || list[i-1].op != opPipe || !filter(list[i])) {
			weighty++
		}
	}
	for i := range list {
		c := &list[i]
		last := c.op != opPipe || pipefail
		negated := len(c.words) > 0 && c.words[0] == "!"
		c.zero = decides && last && !or && !negated
		c.fail = c.zero && weighty <= 1
	}
}

func keepsFailure(c simple) bool {
	if len(c.words) == 0 {
		return false
	}
	switch c.words[0] {
	case "false":
		return true
	case "exit", "return":
		return len(c.words) == 1 || c.words[1] != "0"
	}
	return false
}

// trivial commands do not fail in practice, or their failure is no news.
func trivial(c simple) bool {
	if len(c.words) == 0 {
		return true
	}
	switch c.words[0] {
	case "cd", "export", "set", "source", ".", "echo", "printf", "pushd", "popd", "unset", "true", "ulimit", "umask", "sleep", "exit", "false", "return", ":":
		return true
	}
	if c.words[0] == "git" && len(c.words) > 1 {
		switch c.words[1] {
		case "add", "status", "diff", "log", "fetch":
			return true
		}
	}
	return isAssignment(c.words[0]) && len(c.words) == 1
}

// filter commands only pass on what they read.
func filter(c simple) bool {
	if len(c.words) == 0 {
		return true
	}
	switch c.words[0] {
	case "tail", "head", "cat", "tee", "sort", "less", "wc":
		return true
	}
	return false
}

func isKeyword(w string) bool {
	switch w {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function":
		return true
	}
	return false
}

func isAssignment(w string) bool {
	i := strings.IndexByte(w, '=')
	if i <= 0 {
		return false
	}
	for j := range i {
		c := w[j]
		if c != '_' && !isAlnum(c) {
			return false
		}
	}
	return w[0] < '0' || w[0] > '9'
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// expand strips the wrappers of each command and opens shells within shells.
func expand(cmds []simple, depth int) []simple {
	var out []simple
	for _, c := range cmds {
		c.words = unwrap(c.words)
		inner, ok := innerShell(c.words)
		if !ok || depth >= maxShellDepth {
			out = append(out, c)
			continue
		}
		in := splitShell(inner)
		judgeExit(in)
		for i := range in {
			in[i].zero = in[i].zero && c.zero
			in[i].fail = in[i].fail && c.fail
			in[i].depth += c.depth + 1
		}
		out = append(out, expand(in, depth+1)...)
		if len(c.writes) > 0 {
			out = append(out, simple{writes: c.writes, text: c.text, zero: c.zero, fail: c.fail, depth: c.depth})
		}
	}
	return out
}

// innerShell gives the script of "bash -lc SCRIPT" and its kin.
func innerShell(w []string) (string, bool) {
	if len(w) < 2 {
		return "", false
	}
	switch base(w[0]) {
	case "bash", "sh", "zsh", "dash", "ksh", "fish":
		for i := 1; i < len(w); i++ {
			if strings.HasPrefix(w[i], "-") && !strings.HasPrefix(w[i], "--") && strings.HasSuffix(w[i], "c") {
				if i+1 < len(w) {
					return w[i+1], true
				}
				return "", false
			}
			if !strings.HasPrefix(w[i], "-") {
				return "", false
			}
		}
	case "eval":
		return strings.Join(w[1:], " "), true
	case "cmd", "cmd.exe":
		if len(w) > 2 && strings.EqualFold(w[1], "/c") {
			return strings.Join(w[2:], " "), true
		}
	case "powershell", "powershell.exe", "pwsh", "pwsh.exe":
		for i := 1; i < len(w)-1; i++ {
			if strings.EqualFold(w[i], "-command") || strings.EqualFold(w[i], "-c") {
				return strings.Join(w[i+1:], " "), true
			}
		}
	}
	return "", false
}

// opensCommand: a word of the shell that stands before a command.
func opensCommand(w string) bool {
	switch w {
	case "if", "then", "else", "elif", "while", "until", "do":
		return true
	}
	return false
}

// unwrap strips assignments and commands that only run another one.
func unwrap(w []string) []string {
	for range 12 {
		if len(w) == 0 {
			return w
		}
		if isAssignment(w[0]) || w[0] == "{" || w[0] == "}" || w[0] == "!" || opensCommand(w[0]) {
			w = w[1:]
			continue
		}
		n := 0
		switch base(w[0]) {
		case "sudo", "doas", "env", "nice", "ionice", "nohup", "stdbuf", "command", "exec", "time", "caffeinate", "xvfb-run", "dotenv", "catchsegv":
			n = flags(w, 1, "-u", "-n", "-E", "-g", "-c")
		case "timeout", "gtimeout":
			n = flags(w, 1, "-s", "-k", "--signal", "--kill-after") + 1
		case "uv", "poetry", "pipenv", "rye", "hatch", "pdm", "pixi":
			if len(w) > 2 && w[1] == "run" {
				n = flags(w, 2, "--with", "-p", "--python", "--extra", "--group", "--package", "--directory", "-e", "--environment")
			}
		case "bundle", "mise", "asdf", "rbenv", "pyenv":
			if len(w) > 2 && w[1] == "exec" {
				n = flags(w, 2)
			}
		case "npx", "bunx", "pnpx":
			n = flags(w, 1, "-p", "--package")
		case "pnpm", "yarn", "bun", "npm":
			if len(w) > 2 && (w[1] == "exec" || w[1] == "dlx" || w[1] == "x") {
				n = flags(w, 2, "--filter", "-F", "-C")
			}
		case "docker", "podman", "docker-compose":
			n = container(w)
		}
		if n <= 0 || n >= len(w) {
			return w
		}
		w = w[n:]
	}
	return w
}

// flags gives the index of the first word from i on that is no option; the
// options named take a value.
func flags(w []string, i int, valued ...string) int {
	for i < len(w) && strings.HasPrefix(w[i], "-") {
		if w[i] == "--" {
			return i + 1
		}
		if slices.Contains(valued, w[i]) {
			i++
		}
		i++
	}
	return i
}

// container gives the index of the command in "docker compose run SERVICE
// COMMAND" and "docker exec NAME COMMAND", else 0.
func container(w []string) int {
	i := 1
	if base(w[0]) != "docker-compose" && len(w) > i && w[i] == "compose" {
		i = flags(w, i+1, "-f", "--file", "-p", "--profile", "--env-file")
	} else {
		i = flags(w, i, "-f", "--file", "-p")
	}
	if i >= len(w) || w[i] != "exec" && w[i] != "run" {
		return 0
	}
	return flags(w, i+1, "-e", "--env", "-v", "--volume", "-w", "--workdir", "-u", "--user", "--name", "--network", "-p", "--entrypoint") + 1
}

func base(w string) string {
	if i := strings.LastIndexAny(w, `/\`); i >= 0 {
		w = w[i+1:]
	}
	return w
}
