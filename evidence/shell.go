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
	text   string   // as written
	// zero and fail say what the exit status of the whole line proves of this
	// command: zero, that it succeeded if the line ended in 0; fail, that it
	// failed if the line did not.
	zero, fail bool
	// echoes: the next command prints the exit status of this one.
	echoes bool
	depth  int // of the shells around it, which keep their folder to themselves
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
	cmds := splitShell(line)
	judgeExit(cmds)
	return expand(cmds, 0)
}

type lexer struct {
	src   string
	pos   int
	out   []simple
	cur   simple
	from  int
	word  strings.Builder
	has   bool // a word is open
	redir bool // the next word is the target of an output redirection
	skip  bool // the next word is the target of another redirection
	here  []string
	depth int
}

func splitShell(src string) []simple {
	l := lexer{src: src}
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
		l.cur.text = strings.TrimSpace(l.src[l.from:min(at, len(l.src))])
		if len(l.out) < maxSimples {
			l.cur.depth = l.depth
			l.out = append(l.out, l.cur)
		}
	} else if n := len(l.out); n > 0 && op != opEnd && l.out[n-1].op == opEnd {
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
			if c == '(' {
				l.depth++
			} else {
				l.depth = max(l.depth-1, 0)
			}
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
