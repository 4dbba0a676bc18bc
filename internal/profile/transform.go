package profile

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// transforms are the steps a profile may put a text through.
var transforms = map[string]func(Transform, string) string{
	"trim":               func(_ Transform, s string) string { return trimJS(s) },
	"collapse-space":     func(_ Transform, s string) string { return collapseSpace(s) },
	"collapse-invisible": func(_ Transform, s string) string { return collapseInvisible(s) },
	"escape":             func(t Transform, s string) string { return escape(t.With, s) },
	"strip-tags":         func(_ Transform, s string) string { return replaceAll(tag, s, "") },
	"replace":            func(t Transform, s string) string { return replaceAll(t.re, s, t.With) },
	"first-of-list":      func(_ Transform, s string) string { return firstOfList(s) },
	"omit":               func(Transform, string) string { return "" },
	"cut":                Transform.cut,
}

var tag = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)

// replaceAll returns s itself, no copy, when nothing matches, which is the rule.
func replaceAll(re *regexp.Regexp, s, with string) string {
	if !re.MatchString(s) {
		return s
	}
	return re.ReplaceAllLiteralString(s, with)
}

// collapseSpace puts one blank in the place of each run of white space, and none at the ends.
func collapseSpace(s string) string {
	last := ' '
	for _, c := range s {
		if unicode.IsSpace(c) && (c != ' ' || last == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
		last = c
	}
	if last == ' ' && s != "" {
		return strings.TrimSuffix(s, " ")
	}
	return s
}

func (t Transform) apply(s string) string { return transforms[t.Do](t, s) }

func applyAll(steps []Transform, s string) string {
	for _, t := range steps {
		s = t.apply(s)
	}
	return s
}

// trimJS trims what JavaScript's String.trim does: Unicode white space and the
// byte order mark.
func trimJS(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r) })
}

// firstOfList keeps the first line of a text that has a line starting with "-".
func firstOfList(s string) string {
	first, rest, multi := strings.Cut(s, "\n")
	if multi && (strings.HasPrefix(rest, "-") || strings.Contains(rest, "\n-")) {
		return first
	}
	return s
}

// cut shortens s to t.Max units, the ellipsis included.
func (t Transform) cut(s string) string {
	if t.Max == 0 || length(s, t.Unit) <= t.Max {
		return s
	}
	keep := t.Max - length(t.Ellipsis, t.Unit)
	return prefix(s, keep, t.Unit) + t.Ellipsis
}

// length counts s in codepoints (also when unit is empty), utf16 or bytes.
func length(s, unit string) int {
	switch unit {
	case "bytes":
		return len(s)
	case "utf16":
		n := 0
		for _, r := range s {
			n += runeLength(r, unit)
		}
		return n
	}
	return utf8.RuneCountInString(s)
}

func runeLength(r rune, unit string) int {
	switch {
	case unit == "bytes":
		return utf8.RuneLen(r)
	case unit == "utf16" && r > 0xFFFF:
		return 2
	}
	return 1
}

// prefix returns the longest prefix of s of whole characters within n units.
func prefix(s string, n int, unit string) string {
	for i, r := range s {
		n -= runeLength(r, unit)
		if n < 0 {
			return s[:i]
		}
	}
	return s
}

// escapes are the ways a listing protects its markup.
var escapes = map[string]*strings.Replacer{
	"xml5":   strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;"),
	"xml3":   strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;"),
	"html":   strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;"),
	"go":     strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;"),
	"angles": strings.NewReplacer("<", "&lt;", ">", "&gt;"),
	"none":   strings.NewReplacer(),
	"":       strings.NewReplacer(),
}

func escape(how, s string) string {
	if how == "" || how == "none" {
		return s
	}
	return escapes[how].Replace(s)
}
