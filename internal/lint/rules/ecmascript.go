//go:build !js

package rules

import (
	"strings"

	"github.com/dlclark/regexp2/v2"
)

// ecmaScript reports whether a pattern is a regular expression of ECMAScript, and whether that is sure: the engine does
// not know all of them.
func ecmaScript(pattern string) (is, sure bool) {
	_, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	return err == nil, err == nil || !strings.Contains(pattern, `\p{`) && !strings.Contains(pattern, "(?<")
}
