package claudecode

import (
	"cmp"
	"slices"
	"strings"
)

// templateSessions is from how many sessions on, each of one prompt from a
// program and all with the same beginning, none is a person's.
const templateSessions = 5

// merge joins the files of one session, links copies to what they were copied
// from, and hides what is no session of its own.
func merge(all []*session) []*session {
	byID := map[string]*session{}
	for _, x := range all {
		if was := byID[x.Ref.ID]; was == nil || was.UpdatedAt.Before(x.UpdatedAt) {
			byID[x.Ref.ID] = x
		}
	}
	out := make([]*session, 0, len(byID))
	for _, x := range all {
		if byID[x.Ref.ID] == x {
			out = append(out, x)
		}
	}
	continued(out, byID)
	forks(out, byID)
	copies(out)
	titles(out)
	programs(out)
	return out
}

// continued hides each session that goes on in another, and gives that one
// its history.
func continued(all []*session, byID map[string]*session) {
	// The end of the chain that begins at x; nil if it bites its own tail.
	end := func(x *session) *session {
		for range len(all) {
			next := byID[x.continued]
			if x.continued == "" || next == nil || next == x {
				return x
			}
			x = next
		}
		return nil
	}
	for _, x := range all {
		last := end(x)
		if last == nil || last == x {
			continue
		}
		x.hidden = true
		last.older = append(last.older, x)
		last.Stamp += "+" + x.Stamp
		if x.CreatedAt.Before(last.CreatedAt) {
			last.CreatedAt = x.CreatedAt
		}
	}
	for _, x := range all {
		slices.SortFunc(x.older, func(a, b *session) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
		if n := len(x.older); n > 0 && !x.titled {
			x.Title = x.older[n-1].Title
			for _, o := range x.older {
				if o.titled {
					x.Title = o.Title
					break
				}
			}
		}
	}
}

// forks links the sessions that say where their first rows come from.
func forks(all []*session, byID map[string]*session) {
	for _, x := range all {
		if x.forkOf == "" {
			continue
		}
		x.ForkedFrom = x.forkOf
		parent := byID[x.forkOf]
		if parent == nil || parent == x {
			continue // what was copied is nowhere else: it is shown here
		}
		x.others = byID // of a copy of a copy, rows come from several
		if slices.Contains(x.older, parent) {
			x.ForkedFrom = "" // no fork: the same session going on
		} else if !x.ownWork {
			x.hidden = true
		}
	}
}

// maxOrigins is how many sessions a copy's rows are looked for in.
const maxOrigins = 8

// copies links the sessions that begin with the same row and say nothing of
// it. The one that moved first is taken for the original; a copy shows what
// came after, and is hidden where nothing did. Of those in which the same was
// asked last, the one that went on furthest stands for all.
func copies(all []*session) {
	groups := map[string][]*session{}
	for _, x := range all {
		if x.first != "" && x.forkOf == "" && !x.sidechain && len(x.older) == 0 && !x.hidden {
			groups[x.first] = append(groups[x.first], x)
		}
	}
	for _, g := range groups {
		if len(g) < 2 {
			continue
		}
		slices.SortFunc(g, func(a, b *session) int {
			if a.background != b.background {
				return map[bool]int{true: 1, false: -1}[a.background]
			}
			return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), strings.Compare(a.Ref.ID, b.Ref.ID))
		})
		g = distinct(g)
		for i, x := range g {
			if i == 0 {
				continue
			}
			x.copyOf, x.ForkedFrom = g[max(0, i-maxOrigins):i], g[0].Ref.ID
			x.hidden = slices.ContainsFunc(g[:i], func(o *session) bool {
				return x.leaf == o.leaf || !x.background && len(x.asks) > 0 && slices.Contains(o.asks, x.asks[0])
			})
		}
	}
}

// distinct hides all but one of the copies that end in the same turn.
func distinct(g []*session) []*session {
	best := map[string]*session{}
	end := func(x *session) string {
		if x.background || len(x.asks) == 0 {
			return "row " + x.leaf
		}
		return x.asks[0]
	}
	for _, x := range g { // the one that moved first comes first
		if was := best[end(x)]; was == nil || x.UpdatedAt.After(was.UpdatedAt) {
			best[end(x)] = x
		}
	}
	return slices.DeleteFunc(g, func(x *session) bool {
		x.hidden = best[end(x)] != x
		return x.hidden
	})
}

// titles gives sessions the summaries that stand in other files.
func titles(all []*session) {
	byLeaf := map[string]string{}
	for _, x := range all {
		for _, s := range x.summaries {
			leaf, text, _ := strings.Cut(s, " ")
			byLeaf[leaf] = text
		}
	}
	for _, x := range all {
		if t := byLeaf[x.leaf]; t != "" && !x.titled {
			x.Title = t
		}
	}
}

// programs hides the sessions that programs made.
func programs(all []*session) {
	same := map[string]int{}
	for _, x := range all {
		if x.template != "" {
			same[x.template]++
		}
	}
	for _, x := range all {
		if x.internal || x.template != "" && same[x.template] >= templateSessions {
			x.hidden = true
		}
	}
}
