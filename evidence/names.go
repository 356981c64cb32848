package evidence

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionrecap/recap"
)

// haystack is the text that names in a recap must stand in.
type haystack struct {
	text    string          // lower case, one line
	model   string          // its id, whose digits count nothing
	numbers map[string]bool // as trimNumber writes them
	read    bool            // the text's numbers are among them
	lang    string          // of the text under test
	// latinAlone: the text is in another script, so that a Latin word in it
	// is a name.
	latinAlone bool
	forms      []string
	listed     func() map[int]bool // what the session counts to, see checker.listed
}

func newHaystack(in *Input) *haystack {
	var b strings.Builder
	add := func(s string) {
		if s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	for _, s := range [...]string{in.Session.Title, in.Session.Directory, in.Session.Project, in.Session.Branch, in.Session.WaitingFor} {
		add(s)
	}
	addFailure(in.Failure, add)
	for i := range in.Turns {
		t := &in.Turns[i]
		add(t.Text)
		add(t.Authored)
		add(t.Answer)
		addFailure(t.Failure, add)
		for j := range t.Tools {
			tool := &t.Tools[j]
			add(tool.Command)
			add(tool.Name)
			if tool.Exit != nil {
				add(strconv.Itoa(*tool.Exit))
			}
			for _, p := range tool.Paths {
				add(p)
			}
			add(tool.Output)
			for _, q := range tool.Questions {
				add(q)
			}
			for _, t := range tool.Todos {
				add(t.Text)
			}
		}
	}
	return &haystack{text: fold(b.String()), model: fold(in.Session.Model.ID), numbers: make(map[string]bool, 8)}
}

// fold gives s in small letters on one line, with straight apostrophes and
// without terminal sequences.
func fold(s string) string {
	s = norm.NFC.String(stripEscapes(s))
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c <= ' ' || c == 0x7f:
				space = true
				continue
			case c >= 'A' && c <= 'Z':
				c += 'a' - 'A'
			}
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteByte(c)
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case dropped(r):
			continue
		case r == '’':
			r = '\''
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// holdsValue: the evidence has the number, or the facts count to it. All
// numbers are read when one is first asked for that does not stand as it is.
func (h *haystack) holdsValue(form string) bool {
	if h.numbers[form] {
		return true
	}
	h.readAll()
	return h.numbers[form]
}

func (h *haystack) readAll() {
	if !h.read {
		h.read = true
		h.readNumbers()
		for _, n := range wordNumbers(h.text, "") {
			h.numbers[strconv.Itoa(n.value)] = true
		}
	}
}

func addFailure(f *recap.Failure, add func(string)) {
	if f != nil {
		add(f.Code)
		add(f.Message)
	}
}

// readNumbers notes every number of the evidence, in digits or words.
func (h *haystack) readNumbers() {
	s := h.text
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			start := i
			for i < len(s) && (s[i] >= '0' && s[i] <= '9' || strings.IndexByte(".,'_", s[i]) >= 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9') {
				i++
			}
			digits := s[start:i]
			for range 3 {
				r, n := utf8.DecodeRuneInString(s[i:])
				if n == 0 || !unicode.IsLetter(r) {
					break
				}
				i += n
				if isRun(r) {
					break
				}
			}
			h.note(digits)
			h.note(s[start:i])
		case c >= 'a' && c <= 'z' || c >= 0xc3:
			r, n := utf8.DecodeRuneInString(s[i:])
			start := i
			if isRun(r) {
				for i < len(s) {
					if r, n = utf8.DecodeRuneInString(s[i:]); !isRun(r) {
						break
					}
					i += n
				}
				hanNumbers(s[start:i], func(v, _, _ int) { h.numbers[strconv.Itoa(v)] = true })
				if v := cardinal(s[start:i], "ko"); v > 0 {
					h.numbers[strconv.Itoa(v)] = true
				}
				continue
			}
			for i < len(s) {
				r, n = utf8.DecodeRuneInString(s[i:])
				if !unicode.IsLetter(r) && r != '\'' && r != '-' || isRun(r) {
					break
				}
				i += n
			}
			if i == start {
				i += n
				continue
			}
			for w := range strings.SplitSeq(s[start:i], "-") {
				if v := cardinal(w, ""); v > 0 {
					h.numbers[strconv.Itoa(v)] = true
				}
			}
			if v := cardinal(strings.Trim(s[start:i], "-"), ""); v > 0 {
				h.numbers[strconv.Itoa(v)] = true
			}
		default:
			i++
		}
	}
}

func (h *haystack) note(w string) {
	h.forms = numeral(w, h.forms[:0])
	for _, f := range h.forms {
		h.numbers[f] = true
	}
}

// counts allows the numbers that the facts count to: files, commits, to-dos.
func (h *haystack) counts(f *Facts) {
	files := map[string]bool{}
	for i := range f.Edits {
		for _, p := range f.Edits[i].Paths {
			files[p] = true
		}
	}
	open, done, _ := todos(f.Todos)
	for _, n := range [...]int{len(files), len(f.Commits), len(f.Tests), open, done, open + done, len(f.Questions), len(f.Approvals)} {
		if n > 0 {
			h.numbers[strconv.Itoa(n)] = true
		}
	}
}

// Reasons of a [Drop] for what the evidence does not hold.
const (
	whyNumber = "number-not-in-evidence"
	whyName   = "name-not-in-evidence"
	whyQuote  = "quote-not-in-evidence"
	whyHash   = "hash"
	whyURL    = "url"
)

// span is a part of a sentence that no cut may go through.
type span struct{ start, end int }

// find is a part of a sentence that the evidence lacks.
type find struct {
	start int
	why   string
}

// strangers gives what the evidence lacks, and the parts that stay whole.
func (h *haystack) strangers(s string, proper bool) (finds []find, whole []span) {
	opening := true // the next word opens a sentence or a clause
	numbers := h.wordNumbers(s)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if end, inner := quoted(s, i, r, n); end > 0 {
			whole = append(whole, span{i, end})
			if !h.holdsText(inner) {
				finds = append(finds, find{i, whyQuote})
			}
			i = end
			opening = false
			continue
		}
		if isRun(r) {
			start := i
			for i < len(s) {
				if r, n = utf8.DecodeRuneInString(s[i:]); !isRun(r) {
					break
				}
				i += n
			}
			hanNumbers(s[start:i], func(v, from, to int) {
				if !h.holdsValue(strconv.Itoa(v)) && !(strings.ContainsRune("个個条條项項处處张張件种種つ", runeAt(s, start+to)) && h.listed()[v]) {
					finds = append(finds, find{start + from, whyNumber})
				}
			})
			if v := cardinal(s[start:i], "ko"); v > 0 && h.lang == "ko" && !h.holdsValue(strconv.Itoa(v)) {
				finds = append(finds, find{start, whyNumber})
			}
			opening = false
			continue
		}
		if !isNameRune(r) {
			if !unicode.IsSpace(r) {
				opening = true
			}
			i += n
			continue
		}
		start := i
		for i < len(s) {
			r, n = utf8.DecodeRuneInString(s[i:])
			if !isNameRune(r) && !(insideNumber(s, i, r, n) && s[start] >= '0' && s[start] <= '9') {
				break
			}
			i += n
		}
		next, _ := utf8.DecodeRuneInString(s[i:])
		name := strings.Trim(s[start:i], ":-@'%")
		name = strings.TrimRight(name, ".")
		if !strings.HasPrefix(name, ".") && strings.HasSuffix(name, "/") && len(name) > 1 {
			name = strings.TrimSuffix(name, "/")
		}
		if len(numbers) > 0 && start >= numbers[0].start {
			n := numbers[0]
			if i >= n.end {
				numbers = numbers[1:]
			}
			if start == n.start {
				whole = append(whole, span{n.start, n.end})
				if !h.holdsValue(strconv.Itoa(n.value)) {
					finds = append(finds, find{start, whyNumber})
				}
			}
			opening = false
			continue
		}
		if i-start > 1 {
			whole = append(whole, span{start, start + len(strings.TrimRight(s[start:i], ".:-@'/"))})
		}
		if why := h.judge(name, next, proper && !opening); why != "" && !(why == whyNumber && h.countsThings(name, s[i:])) {
			finds = append(finds, find{start, why})
		}
		opening = strings.HasSuffix(s[start:i], ":") || strings.HasSuffix(s[start:i], ".") || strings.HasSuffix(s[start:i], "-") && i-start == 1
	}
	return finds, whole
}

// insideNumber: a comma or an apostrophe between digits.
func insideNumber(s string, i int, r rune, n int) bool {
	if r != ',' && r != '\'' && r != '’' || i == 0 || s[i-1] < '0' || s[i-1] > '9' {
		return false
	}
	k := 0
	for i+n+k < len(s) && s[i+n+k] >= '0' && s[i+n+k] <= '9' {
		k++
	}
	return k == 3 || k > 0 && r == ','
}

// judge says what is wrong with a word, "" where nothing is.
func (h *haystack) judge(name string, next rune, proper bool) string {
	if name == "" {
		return ""
	}
	low := lower(name)
	first := name[0]
	switch {
	case strings.Contains(low, "://") || strings.HasPrefix(low, "www."):
		if !h.holds(strings.TrimRight(low, "/")) {
			return whyURL
		}
		return ""
	case isHash(low) && strings.ContainsAny(low, "0123456789") && strings.ContainsAny(low, "abcdef"):
		if !h.starts(low) {
			return whyHash
		}
		return ""
	case first >= '0' && first <= '9', (first == 'v' || first == 'V') && len(name) > 1 && name[1] >= '0' && name[1] <= '9':
		if h.holdsNumber(name, next) {
			return ""
		}
		return whyNumber
	case isName(name):
		if h.holdsName(name) {
			return ""
		}
		return whyName
	}
	if v := h.cardinal(low); v > 0 && !h.holdsValue(strconv.Itoa(v)) {
		return whyNumber
	}
	if (proper && properName(name) || h.latinAlone && latinName(low)) && !h.holdsStem(low) {
		return whyName
	}
	return ""
}

func (h *haystack) cardinal(w string) int {
	if h.lang == "" {
		return 0
	}
	return cardinal(w, h.lang)
}

// properName: a capital and small Latin letters, no word that every session
// may use.
func properName(w string) bool {
	if len(w) < 3 || w[0] < 'A' || w[0] > 'Z' {
		return false
	}
	for i := 1; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	switch w {
	case "Git", "Commit", "Commits", "Push", "Pull", "Merge", "Test", "Tests", "Build", "Bug", "Branch", "Request", "English", "The":
		return false
	}
	return true
}

// latinName: a Latin word that is no common term of the trade.
func latinName(w string) bool {
	if len(w) < 3 {
		return false
	}
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	switch w {
	case "api", "http", "https", "json", "yaml", "toml", "xml", "html", "css", "sql", "url", "cli", "git", "github", "commit", "commits", "push", "pull", "merge", "main", "master", "branch", "test", "tests", "testing", "build", "lint", "linter",
		"deploy", "bug", "bugs", "fix", "log", "logs", "todo", "null", "nil", "none", "true", "false", "error", "errors", "exception", "token", "cache", "key", "value", "async", "await", "sdk", "ide", "cpu", "gpu", "ram", "the", "and", "pass", "passed", "fail", "failed",
		"ok", "csv", "pdf", "png", "jpg", "unit", "mock", "exit", "code", "review", "script", "shell", "server", "client", "web", "app", "retry", "timeout", "lock", "thread", "pool", "hook", "flag", "config", "default", "debug", "release", "rebase", "diff", "patch", "stash":
		return false
	}
	return true
}

// holdsNumber: the evidence has the number, in any of its forms.
func (h *haystack) holdsNumber(name string, next rune) bool {
	low := strings.TrimSuffix(lower(name), "%")
	if h.holds(low) {
		return true
	}
	low = strings.TrimLeft(low, "v")
	if h.holds(low) || h.holds("v"+low) {
		return true
	}
	h.readAll() // before h.forms is in use
	switch next {
	case '万', '萬', '千':
		low += string(next)
	}
	ok := false
	h.forms = numeral(low, h.forms[:0])
	for _, f := range h.forms {
		ok = ok || h.holdsValue(f)
	}
	if ok || len(h.forms) > 0 {
		return ok
	}
	// "12/14", "10:30", "2-3": each part.
	parts := strings.FieldsFunc(low, func(r rune) bool { return r == '/' || r == ':' || r == '-' || r == '–' })
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if p[0] < '0' || p[0] > '9' {
			if len(parts) == 2 && strings.HasPrefix(low, parts[0]+"-") {
				continue // "5-fold"
			}
			return false
		}
		ok := false
		h.forms = numeral(p, h.forms[:0])
		for _, f := range h.forms {
			ok = ok || h.holdsValue(f)
		}
		if !ok {
			return false
		}
	}
	return true
}

// holdsName: the evidence has the name, or the word is none.
func (h *haystack) holdsName(name string) bool {
	low := lower(name)
	if h.holds(low) || ordinary(low) || len(low) > 3 && strings.Contains(h.model, low) {
		return true
	}
	if rest, ok := strings.CutPrefix(low, "./"); ok && h.holds(rest) {
		return true
	}
	// "config.yaml-Datei", "importer.go-й": a name with an ending.
	if i := strings.LastIndexByte(low, '-'); i > 0 && isName(name[:i]) && !strings.ContainsAny(low[i:], "./_0123456789") {
		return h.holds(low[:i])
	}
	return false
}

// ordinary are words with a sign in them that name nothing.
func ordinary(w string) bool {
	switch strings.Trim(w, ".") {
	case "and/or", "и/или", "y/o", "e/o", "et/ou", "und/oder", "read/write", "input/output", "client/server", "yes/no", "n/a", "i/o", "ci/cd", "on/off", "true/false", "before/after",
		"e.g", "i.e", "z.b", "u.a", "d.h", "т.е", "т.д", "т.п", "p.ej", "p.ex", "es.", "a.m", "p.m", "vs", "etc", "w/o", "w/":
		return true
	}
	return false
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// quoted gives the end of a quotation that opens at i, and what is in it.
func quoted(s string, i int, r rune, n int) (end int, inner string) {
	closers := closingQuote(r)
	if closers == "" || i > 0 && r < 0x80 && isWordRune(lastRune(s[:i])) {
		return 0, ""
	}
	from := i + n
	for at := from; at < len(s); {
		q, w := utf8.DecodeRuneInString(s[at:])
		if strings.ContainsRune(closers, q) && at > from {
			after, _ := utf8.DecodeRuneInString(s[at+w:])
			if q != '\'' && q != '’' || at+w >= len(s) || !isWordRune(after) {
				return at + w, s[from:at]
			}
		}
		at += w
	}
	return 0, ""
}

func closingQuote(r rune) string {
	switch r {
	case '`', '"', '\'':
		return string(r)
	case '“':
		return "”"
	case '„':
		return "“”\""
	case '‚':
		return "‘’"
	case '‘':
		return "’"
	case '«':
		return "»"
	case '‹':
		return "›"
	case '「':
		return "」"
	case '『':
		return "』"
	case '《':
		return "》"
	}
	return ""
}

func isNameRune(r rune) bool {
	if r < 0x80 {
		return isAlnum(byte(r)) || strings.ContainsRune("_./:-@%", r) //nolint:gosec // ASCII
	}
	return !isRun(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isName: a path, an identifier or an address; no plain word.
func isName(w string) bool {
	if len(w) < 2 {
		return false
	}
	inner := strings.Trim(w, ".:-@")
	for i := range len(inner) {
		c := inner[i]
		switch {
		case c >= '0' && c <= '9', c == '_', c == '/', c == '.', c == ':', c == '@':
			return true
		case c >= 'A' && c <= 'Z':
			if i > 0 && (inner[i-1] >= 'a' && inner[i-1] <= 'z') {
				return true // camelCase
			}
		}
	}
	return w[0] == '.' && len(w) > 2 && isAlnum(w[1]) // ".env"
}

// holdsText: the evidence has the quoted words, or the name.
func (h *haystack) holdsText(s string) bool {
	s = fold(strings.Trim(oneLine(s), " .,;:!?…。，、"))
	return h.holds(s) || strings.ContainsFunc(s, isRun) && strings.Contains(h.text, s)
}

// holds: the evidence has the name, not as a part of a longer number or word.
func (h *haystack) holds(name string) bool { return h.find(name, true) }

// starts: a word of the evidence starts with the name.
func (h *haystack) starts(name string) bool { return h.find(name, false) }

// holdsStem: a word of the evidence starts as the name does.
func (h *haystack) holdsStem(name string) bool {
	return h.starts(clip(name, max(3, utf8.RuneCountInString(name)-2)))
}

func (h *haystack) find(name string, all bool) bool {
	name = fold(strings.TrimSpace(name))
	if name == "" {
		return true
	}
	for from := 0; ; {
		i := strings.Index(h.text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if h.edge(i-1, name[0], -1) && (!all || h.edge(end, name[len(name)-1], 1)) {
			return true
		}
		from = i + 1
	}
}

// edge: the name ends where the evidence's word does. A number does not end
// at a point with digits behind it.
func (h *haystack) edge(out int, c byte, dir int) bool {
	if out < 0 || out >= len(h.text) {
		return true
	}
	o := h.text[out]
	digit := c >= '0' && c <= '9'
	if digit && (o == '.' || o == ',') {
		far := out + dir
		return far < 0 || far >= len(h.text) || h.text[far] < '0' || h.text[far] > '9'
	}
	return !isAlnum(o) && o != '_' || !isAlnum(c) && c != '_'
}
