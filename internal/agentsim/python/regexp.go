package python

import "regexp"

// A pattern of a schema, as Python's re sees it.
type pattern struct {
	re      *regexp.Regexp
	refused bool // Python cannot compile it
}

var (
	// unknownEscape finds an escape of a letter that Python's re does not know, such as \p{L} of ECMAScript.
	unknownEscape = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\[C-MO-RTVXYceg-mopqyz]`)
	// named finds a group that is named as in ECMAScript.
	named = regexp.MustCompile(`\(\?<[A-Za-z_]`)
)

// compile reads a pattern. Where re is nil and nothing is refused, as with what looks ahead, nobody here can tell
// what it matches.
func compile(s string) pattern {
	if unknownEscape.MatchString(s) || named.MatchString(s) {
		return pattern{refused: true}
	}
	re, _ := regexp.Compile(s) // what only Python knows stays unknown
	return pattern{re: re}
}
