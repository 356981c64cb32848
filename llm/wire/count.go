package wire

import (
	"math"
	"strconv"
	"strings"
)

// Count is a number of tokens as a provider writes it: an integer, and from
// some gateways a fraction or a string. What is none of these counts nothing,
// as where no usage is given: a reply that was paid for is not lost for it.
type Count int64

// MaxCount is the most that a reply may say. What says more is mistaken.
const MaxCount = 1 << 40

// UnmarshalJSON never fails.
func (c *Count) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	switch {
	case err != nil && !math.IsInf(n, 1), math.IsNaN(n), n <= 0:
		*c = 0
	default:
		*c = Count(min(math.Ceil(n), MaxCount))
	}
	return nil
}
