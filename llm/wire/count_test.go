package wire

import (
	"encoding/json"
	"testing"
)

// An odd number of tokens loses no reply.
func TestCount(t *testing.T) {
	for text, want := range map[string]Count{
		`0`: 0, `120`: 120, `1.5`: 2, `"100"`: 100, `1e3`: 1000, `1e30`: MaxCount, `1e999`: MaxCount, `9999999999999999999`: MaxCount,
		`-7`: 0, `null`: 0, `true`: 0, `{}`: 0, `[1]`: 0, `"many"`: 0, `"NaN"`: 0, `""`: 0,
	} {
		var got struct{ N Count }
		if err := json.Unmarshal([]byte(`{"N":`+text+`}`), &got); err != nil || got.N != want {
			t.Errorf("%s: %d, %v", text, got.N, err)
		}
	}
}
