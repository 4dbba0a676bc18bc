// Package exact counts tokens with the vocabulary of a real model. Its tables are large and cost a moment to
// load, so only commands that show exact counts import it, and a program for a browser does not carry them.
package exact

import "github.com/skill-ls/skill-ls/internal/tokens"

// Encoding is the name of the vocabulary that Count uses: that of OpenAI's models from GPT-4o on.
const Encoding = "o200k_base"

var _ tokens.Counter = Count
