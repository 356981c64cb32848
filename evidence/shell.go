package evidence

import "strings"

// operator is what stands after a simple command.
type operator uint8

const (
	opEnd  operator = iota
	opAnd           // &&
	opOr            // ||
	opSeq           // ; or a new line
	opPipe          // |
	opBack          // &
)

// simple is one simple command of a shell line.
type simple struct {
	words  []string
	writes []string // targets of > and >>
	op     operator // what follows
	depth  int      // inside a substitution: its exit status is nobody's
	text   string   // as written
	// zero and fail say what the exit status of the whole line proves of this
	// command: zero, that it succeeded if the line ended in 0; fail, that it
	// failed if the line did not.
	zero, fail bool
	// echoes: the next command prints the exit status of this one.
	echoes bool
}

const (
	maxShellBytes = 32 << 10
	maxShellDepth = 4
	maxSimples    = 256
)

// parseShell splits a shell line into its simple commands. It is lenient: a
// line it does not understand gives fewer commands or weaker proofs.
func parseShell(line string) []simple {
	if len(line) > maxShellBytes {
		line = line[:maxShellBytes]
	}
	cmds := splitShell(line, 0, nil)
	judgeExit(cmds)
	return expand(cmds, 0)
}

type lexer struct {
	src   string
	pos   int
	depth int
	out   []simple
	cur   simple
	from  int
	word  strings.Builder
	has   bool // a word is open
	redir bool // the next word is the target of an output redirection
	skip  bool // the next word is the target of another redirection
	here  []string
}

func splitShell(src string, depth int, out []simple) []simple {
	l := lexer{src: src, depth: depth, out: out}
	l.run()
	return l.out
}

func (l *lexer) endWord() {
	if !l.has {
		return
	}
	w := l.word.String()
	l.word.Reset()
	l.has = false
	switch {
	case l.redir:
		l.redir = false
		l.cur.writes = append(l.cur.writes, w)
	case l.skip:
		l.skip = false
	default:
		l.cur.words = append(l.cur.words, w)
	}
}

func (l *lexer) endCommand(op operator, at int) {
	l.endWord()
	l.redir, l.skip = false, false
	if len(l.cur.words) > 0 || len(l.cur.writes) > 0 {
		l.cur.op = op
		l.cur.depth = l.depth
		l.cur.text = strings.TrimSpace(l.src[l.from:min(at, len(l.src))])
		if len(l.out) < maxSimples {
			l.out = append(l.out, l.cur)
		}
	} else if n := len(l.out); n > 0 && op != opEnd && l.out[n-1].depth == l.depth && l.out[n-1].op == opEnd {
		l.out[n-1].op = op // "( a ) && b"
	}
	l.cur = simple{}
	l.from = l.pos
}

func (l *lexer) run() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch c {
		case ' ', '\t', '\r':
			l.endWord()
			l.pos++
			if !l.has && len(l.cur.words) == 0 {
				l.from = l.pos
			}
		case '\\':
			l.escape()
		case '\'':
			l.single()
		case '"':
			l.double()
		case '`':
			l.backquote()
		case '#':
			if l.has {
				l.put(c)
				continue
			}
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		case '\n':
			at := l.pos
			l.pos++
			l.skipHeredocs()
			l.endCommand(opSeq, at)
		case ';':
			at := l.pos
			for l.pos < len(l.src) && l.src[l.pos] == ';' {
				l.pos++
			}
			l.endCommand(opSeq, at)
		case '&':
			l.ampersand()
		case '|':
			at := l.pos
			l.pos++
			op := opPipe
			if l.pos < len(l.src) && l.src[l.pos] == '|' {
				op = opOr
				l.pos++
			} else if l.pos < len(l.src) && l.src[l.pos] == '&' {
				l.pos++
			}
			l.endCommand(op, at)
		case '(', ')':
			at := l.pos
			l.pos++
			l.endCommand(opEnd, at)
		case '>', '<':
			l.redirect()
		case '$':
			l.dollar()
		default:
			l.put(c)
		}
	}
	l.endCommand(opEnd, len(l.src))
}

func (l *lexer) put(c byte) {
	l.word.WriteByte(c)
	l.has = true
	l.pos++
}

func (l *lexer) escape() {
	l.pos++
	if l.pos >= len(l.src) {
		return
	}
	if l.src[l.pos] == '\n' {
		l.pos++
		return
	}
	l.put(l.src[l.pos])
}

func (l *lexer) single() {
	l.has = true
	end := strings.IndexByte(l.src[l.pos+1:], '\'')
	if end < 0 {
		l.word.WriteString(l.src[l.pos+1:])
		l.pos = len(l.src)
		return
	}
	l.word.WriteString(l.src[l.pos+1 : l.pos+1+end])
	l.pos += end + 2
}

func (l *lexer) double() {
	l.has = true
	l.pos++
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case '"':
			l.pos++
			return
		case '\\':
			l.pos++
			if l.pos < len(l.src) {
				l.word.WriteByte(l.src[l.pos])
				l.pos++
			}
		case '$':
			if strings.HasPrefix(l.src[l.pos:], "$(") {
				end := closing(l.src, l.pos+2)
				l.word.WriteString(l.src[l.pos:end])
				l.pos = end
				continue
			}
			l.word.WriteByte(c)
			l.pos++
		default:
			l.word.WriteByte(c)
			l.pos++
		}
	}
}

func (l *lexer) backquote() {
	l.has = true
	end := strings.IndexByte(l.src[l.pos+1:], '`')
	if end < 0 {
		l.pos = len(l.src)
		return
	}
	l.pos += end + 2
}

func (l *lexer) dollar() {
	if strings.HasPrefix(l.src[l.pos:], "$(") {
		end := closing(l.src, l.pos+2)
		l.word.WriteString(l.src[l.pos:end])
		l.has = true
		l.pos = end
		return
	}
	if strings.HasPrefix(l.src[l.pos:], "$'") {
		l.pos++
		l.single()
		return
	}
	l.put('$')
}

func (l *lexer) ampersand() {
	at := l.pos
	switch {
	case strings.HasPrefix(l.src[l.pos:], "&&"):
		l.pos += 2
		l.endCommand(opAnd, at)
	case strings.HasPrefix(l.src[l.pos:], "&>"):
		l.endWord()
		l.pos += 2
		if l.pos < len(l.src) && l.src[l.pos] == '>' {
			l.pos++
		}
		l.redir = true
	default:
		l.pos++
		l.endCommand(opBack, at)
	}
}

func (l *lexer) redirect() {
	// A file descriptor before the sign is no word of the command.
	if w := l.word.String(); w == "1" || w == "2" {
		l.word.Reset()
		l.has = false
	}
	l.endWord()
	rest := l.src[l.pos:]
	switch {
	case strings.HasPrefix(rest, "<<<"):
		l.pos += 3
		l.skip = true
	case strings.HasPrefix(rest, "<<"):
		l.pos += 2
		l.heredoc()
	case strings.HasPrefix(rest, "<("), strings.HasPrefix(rest, ">("):
		l.pos = closing(l.src, l.pos+2)
	case rest[0] == '<':
		l.pos++
		l.skip = true
	case strings.HasPrefix(rest, ">&"):
		l.pos += 2
		for l.pos < len(l.src) && (l.src[l.pos] >= '0' && l.src[l.pos] <= '9' || l.src[l.pos] == '-') {
			l.pos++
		}
	default:
		l.pos++
		for l.pos < len(l.src) && (l.src[l.pos] == '>' || l.src[l.pos] == '|') {
			l.pos++
		}
		l.redir = true
	}
}

func (l *lexer) heredoc() {
	if l.pos < len(l.src) && l.src[l.pos] == '-' {
		l.pos++
	}
	for l.pos < len(l.src) && l.src[l.pos] == ' ' {
		l.pos++
	}
	start := l.pos
	for l.pos < len(l.src) && !strings.ContainsRune(" \t\n;|&)<>", rune(l.src[l.pos])) {
		l.pos++
	}
	if tag := strings.Trim(l.src[start:l.pos], `'"\`); tag != "" {
		l.here = append(l.here, tag)
	}
}

// skipHeredocs passes over the bodies that begin on this line.
func (l *lexer) skipHeredocs() {
	for _, tag := range l.here {
		for l.pos < len(l.src) {
			line := l.src[l.pos:]
			end := strings.IndexByte(line, '\n')
			if end < 0 {
				l.pos = len(l.src)
			} else {
				line = line[:end]
				l.pos += end + 1
			}
			if strings.TrimSpace(line) == tag {
				break
			}
		}
	}
	l.here = nil
}

// closing gives the position after the parenthesis that closes the one before
// from. Quotes are honoured.
func closing(s string, from int) int {
	depth := 1
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			end := strings.IndexByte(s[i+1:], '\'')
			if end < 0 {
				continue
			}
			i += end + 1
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

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
		in := splitShell(inner, 0, nil)
		judgeExit(in)
		for i := range in {
			in[i].zero = in[i].zero && c.zero
			in[i].fail = in[i].fail && c.fail
		}
		out = append(out, expand(in, depth+1)...)
		if len(c.writes) > 0 {
			out = append(out, simple{writes: c.writes, text: c.text, zero: c.zero, fail: c.fail})
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
		for _, v := range valued {
			if w[i] == v {
				i++
				break
			}
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
