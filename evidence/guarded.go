package evidence

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionrecap/recap"
)

// facts are those of the session, read once.
func (g *Guard) facts() *Facts {
	if !g.read {
		g.f, g.read = collect(g.in.Turns, &g.in.Session), true
	}
	return &g.f
}

// Prepare reads ahead what Vet needs of the session for any text, so that none
// waits for it. It ends early once enough reports true: what is missing, and
// what only some texts need, is read when it is asked for.
func (g *Guard) Prepare(enough func() bool) {
	var c *checker
	steps := []func(){
		func() { c = g.checker() },
		func() { c.answersLanguage() },
		func() { c.listen() },
		func() { c.grounds() },
		func() { c.standings() },
		func() { c.stepsPending() },
		func() { c.anchors() },
		func() {
			for i := range c.in.Turns {
				t := &c.in.Turns[i]
				c.wordHashes(cmp.Or(t.Authored, t.Text))
				c.wordHashes(t.Answer)
			}
		},
	}
	for _, step := range steps {
		if enough() {
			return
		}
		step()
	}
}

// Statuses are those that the session proves, as [Statuses] gives them.
func (g *Guard) Statuses() []recap.Status {
	return statuses(g.facts(), &g.in, &scratchpad{said: g.said})
}

// Questions of the newest turn to the person that have no answer yet.
func (g *Guard) Questions() []string { return slices.Clone(g.facts().Questions) }

// Free is the free recap of the same turns, as [Free] gives it, for what the
// session says of itself now. It may run beside the guard's other work, once
// the guard gave its Statuses.
func (g *Guard) Free(s recap.Session, now time.Time) Draft {
	in := g.in
	in.Session, in.Now = s, now
	in.Session.Title = calmed(s.Title, true)
	f := *g.facts()
	return free(&in, &f, &scratchpad{said: segmentCache{}})
}

// segmentCache keeps what several ask about an answer.
type segmentCache map[string]*heard

type heard struct {
	segments []segment
	question question
	split    bool // segments is there
	asked    bool // question is there
}

func (c segmentCache) of(answer string) *heard {
	h := c[answer]
	if h == nil {
		h = &heard{}
		c[answer] = h
	}
	return h
}

// segments gives the sentences of an answer. They are the caller's.
func (sp *scratchpad) segments(md string) []segment {
	if sp.said == nil {
		return segments(md, maxSegments)
	}
	h := sp.said.of(md)
	if !h.split {
		h.segments, h.split = segments(md, maxSegments), true
	}
	return slices.Clone(h.segments)
}

// openQuestion gives the question of a turn that waits for the person, if any.
func (sp *scratchpad) openQuestion(t *recap.Turn) string {
	var q question
	if sp.said == nil {
		q = openQuestion(t.Answer)
	} else {
		h := sp.said.of(t.Answer)
		if !h.asked {
			h.question, h.asked = openQuestion(t.Answer), true
		}
		q = h.question
	}
	if !q.toThePerson(cmp.Or(t.Typed, t.Authored, t.Text), sp) {
		return ""
	}
	return q.text
}
