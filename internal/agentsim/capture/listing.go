package capture

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// notLiteral is what a profile's listing leaves open: a placeholder, or words of the client that are not reproduced.
var notLiteral = regexp.MustCompile(`\{[a-z_-]+\}|\[client's own text[^\]]*\]`)

// entries reads a client's listing of skills backwards, with the texts of its profile: it returns one text for each
// skill, and whether there is a listing in the text at all.
func entries(l *profile.Listing, text string) ([]string, bool) {
	inside, ok := region(l, text)
	if !ok {
		return nil, false
	}
	prefix := literals(l.Item)[0]
	var out []string
	for _, start := range starts(inside, prefix) {
		if n := len(out); n > 0 {
			out[n-1] = strings.TrimSuffix(out[n-1][:len(out[n-1])-len(inside)+start], l.Between)
		}
		out = append(out, inside[start:])
	}
	for i := range out {
		out[i] = withoutHeading(l, out[i])
	}
	return out, true
}

// literals are the texts between what a template leaves open.
func literals(template string) []string { return notLiteral.Split(template, -1) }

// region is what stands between the opening and the closing text of a listing.
func region(l *profile.Listing, text string) (string, bool) {
	openings := [][]string{literals(l.Open)}
	if l.Open == "" { // then a heading opens it
		openings = nil
		for _, h := range headings(l) {
			openings = append(openings, []string{h})
		}
	}
	for _, pieces := range openings {
		if rest, ok := after(text, pieces); ok {
			if l.Close != "" {
				rest, _, ok = strings.Cut(rest, l.Close)
			}
			return rest, ok
		}
	}
	return "", false
}

// after returns the text behind the last of pieces that stand in it in their order.
func after(text string, pieces []string) (string, bool) {
	for _, p := range pieces {
		_, rest, ok := strings.Cut(text, p)
		if !ok {
			return "", false
		}
		text = rest
	}
	return text, true
}

// headings are the lines before the skills of one scope.
func headings(l *profile.Listing) []string {
	var out []string
	for _, scope := range l.Scopes {
		if name, ok := l.GroupNames[scope]; ok {
			scope = name
		}
		if l.Group != "" {
			out = append(out, strings.ReplaceAll(l.Group, "{scope}", scope))
		}
	}
	return out
}

// withoutHeading takes the heading of the next scope from the end of an entry.
func withoutHeading(l *profile.Listing, entry string) string {
	for _, h := range headings(l) {
		entry = strings.TrimSuffix(strings.TrimSuffix(entry, h), l.Between)
	}
	return entry
}

// starts finds where entries begin: at the beginning of a line.
func starts(text, prefix string) []int {
	var out []int
	for at := 0; ; {
		i := strings.Index(text[at:], prefix)
		if i < 0 {
			return out
		}
		if at += i; at == 0 || text[at-1] == '\n' {
			out = append(out, at)
		}
		at += max(len(prefix), 1)
		if at > len(text) {
			return out
		}
	}
}

// nameIn is the name in an entry: what stands between the first two fixed texts of the template.
func nameIn(l *profile.Listing, entry string) string {
	fixed := literals(l.Item)
	rest := strings.TrimPrefix(entry, fixed[0])
	var ends []string
	if len(fixed) > 1 && fixed[1] != "" {
		ends = append(ends, fixed[1])
	}
	for _, end := range append(ends, "\n") {
		rest, _, _ = strings.Cut(rest, end)
	}
	return strings.TrimSuffix(rest, ":") // of an entry without description
}

// holds reports whether a sent entry is the predicted one. The last of a listing that nothing closes runs on.
func holds(sent, predicted string, last bool) bool {
	return sent == predicted || last && strings.HasPrefix(sent, strings.TrimRight(predicted, "\n")+"\n")
}

// bareNames are the names of skills that a listing names at its end, without an entry.
func bareNames(l *profile.Listing, text string) []string {
	before, _, ok := strings.Cut(l.Budget.Names, "{names}")
	if !ok {
		return nil
	}
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	names := strings.Split(line, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return slices.DeleteFunc(names, func(s string) bool { return s == "" })
}
