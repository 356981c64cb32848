package redact

// automaton finds all keywords in one pass (Aho-Corasick over bytes, ASCII case
// folded). It is made anew in each process, so making it is kept cheap: a tree
// of first child and next sibling with links to the longest suffix. Only the
// first two levels, where a text nearly always is, have tables.
type automaton struct {
	nodes  []node
	length []int        // of each keyword
	root   [256]int32   // byte to state
	second [][256]int32 // of the states after one byte, complete
}

// node is a state. 0 is the root.
type node struct {
	child, sibling int32
	fail           int32 // the longest suffix that is a state
	more           int32 // the longest such suffix that ends a keyword, 0 if none
	word           int32 // the keyword that ends here, plus 1
	table          int32 // of the states after one byte: the place in second
	char           byte
}

func newAutomaton(keywords []string) *automaton {
	size := 1
	for _, k := range keywords {
		size += len(k)
	}
	a := &automaton{nodes: make([]node, 1, size), length: make([]int, len(keywords))}
	for id, k := range keywords {
		a.length[id] = len(k)
		state := int32(0)
		for i := range len(k) {
			state = a.add(state, k[i])
		}
		a.nodes[state].word = int32(id) + 1
	}
	a.link()
	return a
}

// add gives the state after the byte, a new one if there is none.
func (a *automaton) add(state int32, c byte) int32 {
	if state == 0 {
		if next := a.root[c]; next != 0 {
			return next
		}
	} else if next := a.edge(state, c); next != 0 {
		return next
	}
	next := int32(len(a.nodes)) //nolint:gosec // a few thousand
	a.nodes = append(a.nodes, node{char: c, sibling: a.nodes[state].child})
	a.nodes[state].child = next
	if state == 0 {
		a.root[c] = next
	}
	return next
}

// edge is the state after the byte, 0 if there is none.
func (a *automaton) edge(state int32, c byte) int32 {
	for next := a.nodes[state].child; next != 0; next = a.nodes[next].sibling {
		if a.nodes[next].char == c {
			return next
		}
	}
	return 0
}

// link finds the suffixes, breadth first, and makes the tables.
func (a *automaton) link() {
	queue := make([]int32, 0, len(a.nodes))
	for s := a.nodes[0].child; s != 0; s = a.nodes[s].sibling {
		queue = append(queue, s)
	}
	a.second = make([][256]int32, len(queue))
	for i, s := range queue {
		a.nodes[s].table = int32(i) + 1
		a.second[i] = a.root
		for next := a.nodes[s].child; next != 0; next = a.nodes[next].sibling {
			a.second[i][a.nodes[next].char] = next
		}
		fold(&a.second[i])
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for next := a.nodes[s].child; next != 0; next = a.nodes[next].sibling {
			queue = append(queue, next)
			n := &a.nodes[next]
			n.fail = a.root[n.char]
			if s != 0 && a.nodes[s].table == 0 {
				n.fail = a.step(a.nodes[s].fail, n.char)
			}
			if n.fail != 0 {
				n.more = n.fail
				if a.nodes[n.fail].word == 0 {
					n.more = a.nodes[n.fail].more
				}
			}
		}
	}
	fold(&a.root)
}

// fold lets capitals do what small letters do.
func fold(t *[256]int32) {
	for c := byte('A'); c <= 'Z'; c++ {
		t[c] = t[c+'a'-'A']
	}
}

// step is the state after the byte, which is no capital.
func (a *automaton) step(state int32, c byte) int32 {
	for state != 0 {
		if t := a.nodes[state].table; t != 0 {
			return a.second[t-1][c]
		}
		if next := a.edge(state, c); next != 0 {
			return next
		}
		state = a.nodes[state].fail
	}
	return a.root[c]
}

// find calls yield with each keyword and where it starts.
func (a *automaton) find(s string, yield func(keyword, start int)) {
	state := int32(0)
	for i := range len(s) {
		c := s[i]
		if state == 0 {
			state = a.root[c]
			if state == 0 {
				continue
			}
		} else {
			if isUpper(c) {
				c += 'a' - 'A'
			}
			state = a.step(state, c)
		}
		for hit := state; hit != 0; hit = a.nodes[hit].more {
			if w := a.nodes[hit].word; w != 0 {
				yield(int(w-1), i+1-a.length[w-1])
			}
		}
	}
}
