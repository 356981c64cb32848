package agenttest

import (
	"maps"
	"slices"
)

// Mutate calls f with each value below a JSON document replaced by a value of
// each type in turn, and puts it back. Values under the keys of skip are
// replaced too, but not looked into.
func Mutate(doc any, f func(), skip ...string) {
	strange := []any{nil, true, 7.5, "text", []any{1.0, "x"}, map[string]any{"a": 1.0}}
	switch v := doc.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			old := v[k]
			for _, x := range strange {
				v[k] = x
				f()
			}
			v[k] = old
			if !slices.Contains(skip, k) {
				Mutate(old, f, skip...)
			}
		}
	case []any:
		for i, old := range v {
			for _, x := range strange {
				v[i] = x
				f()
			}
			v[i] = old
			Mutate(old, f, skip...)
		}
	}
}
