package text

import "strings"

// Quote writes s in double quotes with the escapes of JSON, which mean the same in YAML and Python. Bytes that are not
// UTF-8 become the replacement character; characters beyond ASCII stand as they are.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(`""`))
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		default:
			if r < 0x20 {
				b.WriteString(`\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15]))
				continue
			}
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
