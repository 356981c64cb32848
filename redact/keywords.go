package redact

// automaton finds all keywords in one pass (Aho-Corasick over bytes, ASCII case
// folded, as a table of transitions).
type automaton struct {
	class  [256]uint8 // byte to column, 0 for bytes that are in no keyword
	width  int
	next   []int32 // state*width+class
	out    [][]int // state to keywords that end there
	length []int   // of each keyword
}

func newAutomaton(keywords []string) *automaton {
	a := &automaton{width: 1}
	for _, k := range keywords {
		a.length = append(a.length, len(k))
		for i := range len(k) {
			if a.class[k[i]] == 0 {
				a.class[k[i]] = uint8(a.width) //nolint:gosec // fewer columns than bytes
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	a.addState()
	for id, k := range keywords {
		state := 0
		for i := range len(k) {
			cell := state*a.width + int(a.class[k[i]])
			if a.next[cell] == 0 {
				a.next[cell] = int32(a.addState()) //nolint:gosec // a few thousand states
			}
			state = int(a.next[cell])
		}
		a.out[state] = append(a.out[state], id)
	}
	a.link()
	return a
}

func (a *automaton) addState() int {
	a.next = append(a.next, make([]int32, a.width)...)
	a.out = append(a.out, nil)
	return len(a.out) - 1
}

// link turns the tree into an automaton: a missing edge becomes that of the
// longest suffix, breadth first.
func (a *automaton) link() {
	fail := make([]int32, len(a.out))
	var queue []int32
	for c := range a.width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for c := range a.width {
			cell := int(s)*a.width + c
			suffix := a.next[int(fail[s])*a.width+c]
			if t := a.next[cell]; t != 0 {
				fail[t] = suffix
				a.out[t] = append(a.out[t], a.out[suffix]...)
				queue = append(queue, t)
			} else {
				a.next[cell] = suffix
			}
		}
	}
}

// find calls yield with each keyword and where it starts.
func (a *automaton) find(s string, yield func(keyword, start int)) {
	state := 0
	for i := range len(s) {
		state = int(a.next[state*a.width+int(a.class[s[i]])])
		for _, k := range a.out[state] {
			yield(k, i+1-a.length[k])
		}
	}
}
