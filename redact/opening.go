package redact

import (
	"encoding/binary"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// pattern is the pattern of a rule, compiled when it is first needed. Of one
// that is tried often, what follows the keyword is also looked up in a table:
// most texts that hold a keyword are no match two bytes further on.
type pattern struct {
	once  sync.Once
	re    *regexp.Regexp
	tried atomic.Int32
	after sync.Once
	open  *opening
}

// oftenTried is when the table is begun.
const oftenTried = 64

// find gives the places of the match that begins with s, or nil.
func (p *pattern) find(expr, s string) []int {
	p.once.Do(func() { p.re = regexp.MustCompile(expr) })
	return p.re.FindStringSubmatchIndex(s)
}

// mayMatch reports false where the rule has no match with its keyword of that
// number and what follows it.
func (p *pattern) mayMatch(r *Rule, keyword int, after string) bool {
	if p.tried.Load() < oftenTried {
		p.tried.Add(1)
		return true
	}
	p.after.Do(func() { p.open = newOpening(r) })
	return p.open.mayMatch(keyword, after)
}

// opening is a deterministic automaton of how a match may go on after each
// keyword of a rule. It is made step by step, of what the texts need.
type opening struct {
	rule  *Rule
	start []atomic.Uint32 // state after each keyword
	rows  [maxOpening]atomic.Pointer[row]

	mu    sync.Mutex
	prog  *syntax.Prog
	known map[string]uint32 // set of instructions to state
	sets  [][]uint32        // state to set of instructions
}

// row is what follows a state. What follows a byte that is no ASCII is not
// looked at.
type row struct {
	next   [utf8.RuneSelf]atomic.Uint32
	beyond bool // such a byte may follow
}

// States of an opening. There are at most maxOpening of them; further ones are
// open.
const (
	notKnown, isDead, isOpen, firstState = 0, 1, 2, 3

	maxOpening = 128
)

// newOpening begins the automaton of a rule. What stands between characters,
// such as a line's end, is taken as given.
func newOpening(r *Rule) *opening {
	o := &opening{rule: r, start: make([]atomic.Uint32, len(r.Keywords)), known: map[string]uint32{}, sets: make([][]uint32, firstState)}
	re, err := syntax.Parse(r.Pattern, syntax.Perl)
	if err == nil {
		o.prog, err = syntax.Compile(re.Simplify())
	}
	if err != nil { // no such rule is in the table
		for i := range o.start {
			o.start[i].Store(isOpen)
		}
	}
	return o
}

func (o *opening) mayMatch(keyword int, s string) bool {
	state := o.start[keyword].Load()
	if state == notKnown {
		state = o.begin(keyword)
	}
	for i := range len(s) {
		if state < firstState {
			return state == isOpen
		}
		row := o.rows[state].Load()
		if s[i] >= utf8.RuneSelf {
			return row.beyond
		}
		next := row.next[s[i]].Load()
		if next == notKnown {
			next = o.step(state, row, s[i])
		}
		state = next
	}
	return state != isDead
}

func (o *opening) begin(keyword int) uint32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	state := o.add(afterKeyword(o.prog, o.rule, o.rule.Keywords[keyword]))
	o.start[keyword].Store(state)
	return state
}

func (o *opening) step(state uint32, r *row, c byte) uint32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	next := o.add(step(o.prog, o.sets[state], rune(c)))
	r.next[c].Store(next)
	return next
}

// add gives the state of a set of instructions.
func (o *opening) add(set []uint32, matched bool) uint32 {
	switch {
	case matched:
		return isOpen
	case len(set) == 0:
		return isDead
	}
	slices.Sort(set)
	key := make([]byte, 0, 4*len(set))
	for _, pc := range set {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	if state, ok := o.known[string(key)]; ok {
		return state
	}
	if len(o.sets) == maxOpening {
		return isOpen
	}
	state := uint32(len(o.sets)) //nolint:gosec // at most maxOpening
	o.known[string(key)] = state
	o.sets = append(o.sets, set)
	o.rows[state].Store(&row{beyond: slices.ContainsFunc(set, func(pc uint32) bool { return beyondASCII(&o.prog.Inst[pc]) })})
	return state
}

// afterKeyword is where a match may be after the keyword, in whatever case it
// stands in the text. Where the match begins before the keyword, it may have
// been anywhere.
func afterKeyword(prog *syntax.Prog, r *Rule, keyword string) (set []uint32, matched bool) {
	if r.back == backNone {
		set, matched = follow(prog, nil, uint32(prog.Start)) //nolint:gosec // a few hundred
	} else {
		for pc := range prog.Inst {
			set, _ = follow(prog, set, uint32(pc))
		}
	}
	for _, c := range keyword {
		small, m := step(prog, set, c)
		matched = m
		if c >= 'a' && c <= 'z' {
			var big []uint32
			big, m = step(prog, set, c-'a'+'A')
			matched = matched || m
			for _, pc := range big {
				if !slices.Contains(small, pc) {
					small = append(small, pc)
				}
			}
		}
		if matched { // shorter than the keyword: what follows does not matter
			return nil, true
		}
		set = small
	}
	return set, matched
}

// step is where the instructions of the set lead by one character.
func step(prog *syntax.Prog, set []uint32, c rune) (out []uint32, matched bool) {
	for _, pc := range set {
		if in := &prog.Inst[pc]; in.MatchRune(c) {
			var m bool
			out, m = follow(prog, out, in.Out)
			matched = matched || m
		}
	}
	return out, matched
}

// follow adds to set the instructions that read a character and that the one
// at pc leads to, and reports whether one leads to a match.
func follow(prog *syntax.Prog, set []uint32, pc uint32) (out []uint32, matched bool) {
	seen := map[uint32]bool{}
	todo := []uint32{pc}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			todo = append(todo, in.Out)
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail:
		default:
			if !slices.Contains(set, pc) {
				set = append(set, pc)
			}
		}
	}
	return set, matched
}

// beyondASCII reports whether the instruction takes a character that is no
// ASCII.
func beyondASCII(in *syntax.Inst) bool {
	if in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL {
		return true
	}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 { //nolint:gosec // flags are few
		return true
	}
	return len(in.Rune) > 0 && in.Rune[len(in.Rune)-1] >= utf8.RuneSelf
}
