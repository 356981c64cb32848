package qwencode

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// runs reports whether the process with the number is the agent's. Another
// program that has got the same number since is none.
func runs(pid int, _ time.Time) (alive, known bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(b, []byte("qwen")), true
}
