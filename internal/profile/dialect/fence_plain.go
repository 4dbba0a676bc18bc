package dialect

import "strings"

// PlainBlock returns where the front matter starts and ends in a text that every Fence cuts at the same lines, as most
// texts are: it opens with a line "---", the next three dashes are a line as well, what stands between is no white
// space alone, and lines end with LF. It is false for any other text. The text is UTF-8.
func PlainBlock(text string) (start, end int, ok bool) {
	const open = "---\n"
	if !strings.HasPrefix(text, open) || strings.IndexByte(text, '\r') >= 0 {
		return 0, 0, false
	}
	start = len(open)
	end = start + strings.Index(text[start:], "---")
	if end <= start || text[end-1] != '\n' || !strings.HasPrefix(text[end:], open) || strings.TrimSpace(text[start:end]) == "" {
		return 0, 0, false
	}
	return start, end, true
}

// CutPlain is SplitText for a text with a PlainBlock. It is false for a fence of another number of dashes than three.
func (f *Fence) CutPlain(text string, start, end int) (Split, bool) {
	if f.Open.dashes("---") != 3 || f.Close.dashes("---") != 3 {
		return Split{}, false
	}
	after := end + len("---\n")
	if f.Open.Match == "substring" {
		start = f.Open.skip(text, len("---"))
	}
	if f.Close.Match == "substring" {
		after = f.Close.skip(text, end+len("---"))
	} else if !f.KeepNewline {
		end--
	}
	return Split{Front: text[start:end], Body: text[after:], Found: true}, true
}
