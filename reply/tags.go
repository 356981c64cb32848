package reply

import (
	"regexp"
	"strings"
	"sync"
)

// ownTags finds the tags of our fields. Group 1 is the slash, 2 the name, 3 a
// slash that closes the tag itself.
var ownTags = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<\s*(/?)\s*(recap|suggestion|away|digest)\b[^<>]{0,40}?(/?)\s*>`)
})

// lastTag gives what stands in the last complete pair of the tag, else what
// follows the last opening one, and where it stands with its tags.
func lastTag(s, name string) (inner string, span [2]int, ok bool) {
	var open, pair [2]int
	opened, paired := false, false
	for _, m := range ownTags().FindAllStringSubmatchIndex(s, -1) {
		if !strings.EqualFold(s[m[4]:m[5]], name) {
			continue
		}
		switch {
		case m[7] > m[6]: // <away/>
			inner, span, opened, paired = "", [2]int{m[0], m[1]}, false, true
		case m[3] == m[2]:
			open, opened = [2]int{m[0], m[1]}, true
		case opened:
			pair = [2]int{open[1], m[0]}
			inner, span, opened, paired = s[pair[0]:pair[1]], [2]int{open[0], m[1]}, false, true
		}
	}
	switch {
	case paired:
		return inner, span, true
	case opened:
		return s[open[1]:], [2]int{open[0], len(s)}, true
	}
	return "", span, false
}
