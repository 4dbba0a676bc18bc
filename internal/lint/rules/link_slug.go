package rules

import (
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// hasAnchor reports whether a fragment leads somewhere in a text: to a heading by GitHub's slug, to an
// explicit {#id}, or to an HTML id or name. Slugs count as equal when their letters and digits are, as renderers
// differ in what they do with the rest. Line numbers and "top" always lead somewhere.
func hasAnchor(src string, b *skills.Body, fragment string) bool {
	if fragment == "top" || lineAnchor.MatchString(fragment) || strings.HasPrefix(fragment, ":~:") {
		return true
	}
	want := bare(fragment)
	for _, h := range b.Headings {
		title := h.Text.In(src)
		if m := explicitID.FindStringSubmatch(title); m != nil && m[1] == fragment {
			return true
		}
		if have := bare(headingText(title)); have == want || numbered(want, have) {
			return true
		}
	}
	for _, at := range b.HTML {
		for _, m := range htmlID.FindAllStringSubmatch(at.In(src), -1) {
			if m[1] == fragment {
				return true
			}
		}
	}
	return false
}

var (
	lineAnchor = lazyregexp.New(`^L\d+(-L\d+)?$`)
	explicitID = lazyregexp.New(`\{#([^}\s]+)\}\s*$`)
	htmlID     = lazyregexp.New(`(?i)\b(?:id|name)\s*=\s*["']?([^"'\s>]+)`)
	linkMarkup = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
	htmlTag    = lazyregexp.New(`<[^>]*>`)
)

// headingText returns the text of a heading without links, tags and an explicit id.
func headingText(title string) string {
	title = explicitID.ReplaceAllString(title, "")
	title = linkMarkup.ReplaceAllString(title, "$1")
	return htmlTag.ReplaceAllString(title, "")
}

// bare returns the letters and digits of s in lower case: what is left of GitHub's slug without punctuation.
// https://github.com/gjtorikian/html-pipeline/blob/main/lib/html_pipeline/node_filter/table_of_contents_filter.rb
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) && r != 0xFE0F {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// numbered reports whether want is have with the number that GitHub adds to a heading that was there before.
func numbered(want, have string) bool {
	rest, ok := strings.CutPrefix(want, have)
	return ok && have != "" && rest != "" && strings.Trim(rest, "0123456789") == ""
}
