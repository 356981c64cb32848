package redact

import (
	"regexp"
	"strings"
	"sync"
)

// Bounds of a seed phrase: words, and bytes before the first one.
const (
	seedLeast  = 12
	seedMost   = 24
	seedBefore = 48
)

// seedWords finds the words of a seed phrase behind the byte at: twelve or more
// small words in a row, in a line or as a list with numbers.
func (v *view) seedWords(at int) (start, end int, ok bool) {
	if len(v.joins) > 0 { // the words would run together
		return 0, 0, false
	}
	s := v.text
	var starts [seedMost]int
	n := 0
	for i := at; i < len(s); {
		gap := i
		for i < len(s) && i-gap < 12 && (n == 0 && s[i] >= 0x80 || strings.IndexByte(" \t\r\n,;.:=\"'`\\)]|*-_0123456789", s[i]) >= 0) {
			if s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 't') {
				i++
			}
			i++
		}
		j := i
		for j < len(s) && isLower(s[j]) && j-i < 12 {
			j++
		}
		if i > gap && seedWord(s[i:j]) && (j == len(s) || strings.IndexByte(" \t\r\n,;.:\"'`\\]}|<*", s[j]) >= 0) {
			starts[n] = i
			n++
			end = j
			if i = j; n < seedMost {
				continue
			}
		}
		if n >= seedLeast {
			break
		}
		if i-at > seedBefore {
			return 0, 0, false
		}
		n = 0
		for i < len(s) && i-at <= seedBefore && (isAlnum(s[i]) || s[i] >= 0x80) {
			i++
		}
		if i == gap {
			i++
		}
	}
	if n < seedLeast {
		return 0, 0, false
	}
	return starts[n%3], end, true // their number is one of threes: "reads" before them is no word
}

// seedWord reports a word that may stand in a seed phrase: it is of three to
// eight letters, and none of those that stand in every sentence.
func seedWord(w string) bool {
	if len(w) < 3 || len(w) > 8 {
		return false
	}
	switch w {
	case "the", "and", "for", "with", "are", "was", "not", "from", "its", "but", "has", "have", "had", "were", "been", "should", "would", "could", "must", "which", "than", "then", "some", "your", "our", "his", "her", "them", "their",
		"these", "those", "being", "does", "did", "keys", "words", "phrase", "user", "users", "uses", "used", "stored", "string", "value", "values", "tests", "file", "files", "line", "get", "set", "let", "var", "func", "return":
		return false
	}
	return true
}

// manifestBytes bounds how far from its kind the data of a Kubernetes Secret
// may stand.
const manifestBytes = 8 << 10

// The data of a manifest and its fields, in YAML, in a diff of it, or in JSON.
const (
	dataName   = `(?:^|[\n\s{,+-])["']?(data|stringData)["']?:[ \t]*(\r?\n|\{)`
	dataField  = `(?m)^[+\- ]?[ \t]+["']?[A-Za-z0-9._-]{1,80}["']?:[ \t]*["']?([^\s"'#|>{}\[\],\x00]{2,})["']?[ \t]*,?[ \t]*\r?$`
	dataBlock  = `(?m)^[+\- ]?[ \t]+["']?[A-Za-z0-9._-]{1,80}["']?:[ \t]*[|>][+-]?[ \t]*\r?\n((?:[+\- ]?[ \t]+[^\s:\x00]{4,}[ \t]*(?:\r?\n|$))+)`
	dataInline = `"[A-Za-z0-9._-]{1,80}"\s*:\s*"([^"\x00\\]{2,})"`
)

// dataPatterns are made when the first such manifest is seen.
var dataPatterns = sync.OnceValue(func() (p struct{ name, field, block, inline *regexp.Regexp }) {
	p.name, p.field = regexp.MustCompile(dataName), regexp.MustCompile(dataField)
	p.block, p.inline = regexp.MustCompile(dataBlock), regexp.MustCompile(dataInline)
	return p
})

// manifest finds the values of a Kubernetes Secret around its kind.
func (v *view) manifest(at int) (values [][2]int, end int) {
	if len(v.joins) > 0 {
		return nil, at + 1
	}
	from, to := max(0, at-manifestBytes), min(len(v.text), at+manifestBytes)
	if i := strings.LastIndex(v.text[from:at], "\n---"); i >= 0 {
		from += i + 1
	}
	if i := strings.Index(v.text[at:to], "\n---"); i >= 0 {
		to = at + i
	}
	p := dataPatterns()
	for _, m := range p.name.FindAllStringSubmatchIndex(v.text[from:to], -1) {
		body := from + m[1]
		encoded := v.text[from+m[2]] == 'd'
		add := func(a, b int) {
			if value := v.text[a:b]; acceptData(value, encoded) {
				values = append(values, [2]int{a, b})
			}
		}
		if v.text[body-1] == '{' {
			stop := strings.IndexByte(v.text[body:to], '}')
			if stop < 0 {
				stop = to - body
			}
			for _, f := range p.inline.FindAllStringSubmatchIndex(v.text[body:body+stop], -1) {
				add(body+f[2], body+f[3])
			}
			continue
		}
		stop := body + indented(v.text[body:to], indent(v.text[strings.LastIndexByte(v.text[:from+m[2]], '\n')+1:from+m[2]]))
		for _, re := range [...]*regexp.Regexp{p.field, p.block} {
			for _, f := range re.FindAllStringSubmatchIndex(v.text[body:stop], -1) {
				add(body+f[2], body+f[3])
			}
		}
	}
	return values, to
}

// indent is the blanks that a line begins with, behind the sign of a changed one.
func indent(line string) int {
	if line != "" && (line[0] == '+' || line[0] == '-' && !strings.HasPrefix(line, "- ")) {
		line = line[1:]
	}
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// indented is the length of the lines of s that are indented deeper.
func indented(s string, than int) int {
	at := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" && indent(line) <= than {
			break
		}
		at += len(line)
	}
	return at
}

// acceptData reports whether the value of a Secret is one: encoded ones are
// base64.
func acceptData(s string, encoded bool) bool {
	s = strings.TrimSpace(s)
	if placeholder(s) || filler(s) || standsFor(s) || len(s) < 4 {
		return false
	}
	return !encoded || len(s)%4 == 0 && all(strings.TrimRight(s, "="), func(c byte) bool { return isAlnum(c) || c == '+' || c == '/' }) || len(s) > 60
}
