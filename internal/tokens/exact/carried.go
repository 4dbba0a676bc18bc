//go:build !js

package exact

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/skill-ls/skill-ls/internal/tokens"
)

// Carried reports whether the tables are in the program.
const Carried = true

var vocabulary = sync.OnceValue(codec.NewO200kBase)

// Count returns the number of tokens of a text in o200k_base. Bytes that are not UTF-8 count as replaced; should
// the tokenizer fail all the same, the estimate is returned. Other models cut text otherwise: their counts differ by
// some percent.
func Count(s string) int {
	n, err := vocabulary().Count(s)
	if err != nil {
		return tokens.Estimate(s)
	}
	return n
}
