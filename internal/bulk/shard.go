package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of several parts of the work; the zero value is all of it. A skill belongs to the same one wherever it lies,
// so equal skills are worked on together.
type Shard struct {
	Index uint64 // from 1
	Count uint64
}

// ParseShard reads I/N, such as 2/8.
func ParseShard(s string) (Shard, error) {
	first, second, ok := strings.Cut(s, "/")
	index, err1 := strconv.ParseUint(first, 10, 32)
	count, err2 := strconv.ParseUint(second, 10, 32)
	if !ok || err1 != nil || err2 != nil || index < 1 || index > count {
		return Shard{}, fmt.Errorf("%q is no shard; write I/N with I from 1 to N, such as 2/8", s)
	}
	return Shard{index, count}, nil
}

// hashDigits is how many hexadecimal digits of a hash decide on the shard.
const hashDigits = 16

// Has reports whether a skill of that hash, in hexadecimal digits, belongs to the shard: its first 16 digits, as a number,
// leave the remainder Index-1 when divided by Count.
func (s Shard) Has(hash string) bool {
	if s.Count == 0 {
		return true
	}
	n, err := strconv.ParseUint(hash[:hashDigits], 16, 64)
	return err == nil && n%s.Count == s.Index-1
}

// textHash stands for the hash of a skill that cannot be read.
func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
