// Package exact counts tokens with the vocabulary of a real model. Its tables are large and cost a moment to
// load, so only commands that show exact counts import it.
package exact

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/skill-ls/skill-ls/internal/tokens"
)

// Encoding is the name of the vocabulary that Count uses: that of OpenAI's models from GPT-4o on.
const Encoding = "o200k_base"

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

var _ tokens.Counter = Count
