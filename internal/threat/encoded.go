package threat

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// mostBlob is how many bytes of a blob are decoded.
const mostBlob = 64 << 10

var escapes = lazyregexp.New(`^(?:(?:\\x[0-9a-fA-F]{2}){8,}|(?:\\u00[0-9a-fA-F]{2}){8,}|(?:%[0-9a-fA-F]{2}){8,}|(?:&#(?:x[0-9a-fA-F]{2}|\d{2,3});){8,})`)

// findEncoded decodes blobs and judges what was in them. One level of decoding may lead to another.
func findEncoded(t *Text, s *scan) []Hit {
	if t.depth >= mostDecoded {
		return nil
	}
	var out []Hit
	judge := func(at text.Span, plain string) {
		if h, ok := t.judgeDecoded(at, plain); ok {
			out = append(out, h)
		}
	}
	for _, at := range s.blobs {
		if plain, ok := decodeBlob(at.In(t.Src)); ok {
			judge(at, plain)
		}
	}
	for _, start := range s.codes {
		run := escapes.FindString(t.Src[start:min(len(t.Src), start+mostBlob)])
		judge(text.Span{Start: start, End: start + len(run)}, unescape(run))
	}
	return out
}

var wholeURL = lazyregexp.New(`^\s*https?://[^\s]{6,500}\s*$`)

func (t *Text) judgeDecoded(at text.Span, plain string) (Hit, bool) {
	inner := &Text{Src: plain, Form: Plain, depth: t.depth + 1}
	for _, h := range Find(inner) {
		if h.Level > Note && h.Kind != LiteralSecret {
			return Hit{EncodedText, Danger, at, "it decodes to " + strconv.Quote(shortened(plain)) + ": " + h.What, false}, true
		}
	}
	if t.Form != Script && bareOrder.MatchString(plain) {
		return Hit{EncodedText, Danger, at, "it decodes to an order: " + strconv.Quote(shortened(plain)), false}, true
	}
	if wholeURL.MatchString(plain) && t.Form == Script {
		return Hit{EncodedText, Note, at, "it decodes to the address " + strconv.Quote(shortened(plain)), false}, true
	}
	return Hit{}, false
}

// decodeBlob decodes base64 of either alphabet, or figures in base 16, when text comes out.
func decodeBlob(s string) (string, bool) {
	s = s[:min(len(s), mostBlob)]
	if plain, err := hex.DecodeString(s[:len(s)&^1]); err == nil {
		return readable(plain)
	}
	s = strings.TrimLeft(strings.TrimRight(s, "="), "=+/-_")
	for _, skip := range []int{0, 1} { // what stands before the blob, such as "=" or "/", may be part of the run
		if skip > len(s) {
			break
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if head, err := enc.DecodeString(s[skip:min(len(s), skip+16)]); err != nil || !printable(head) {
				continue
			}
			body := s[skip:]
			body = body[:len(body)-map[bool]int{true: 1, false: 0}[len(body)%4 == 1]]
			if plain, err := enc.DecodeString(body); err == nil {
				if out, ok := readable(plain); ok {
					return out, true
				}
			}
		}
	}
	return "", false
}

func readable(b []byte) (string, bool) {
	s := strings.ReplaceAll(string(b), "\x00", "") // UTF-16, as PowerShell takes it
	return s, len(s) >= 8 && utf8.ValidString(s) && printable([]byte(s))
}

// printable reports whether nearly all bytes are text.
func printable(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0 || c == 0x7F || c >= 0x80 {
			odd++
		}
	}
	return odd*20 <= len(b)
}

var oneEscape = lazyregexp.New(`\\x([0-9a-fA-F]{2})|\\u00([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{2});|&#(\d{2,3});`)

func unescape(s string) string {
	return oneEscape.ReplaceAllStringFunc(s, func(e string) string {
		m := oneEscape.FindStringSubmatch(e)
		if m[5] != "" {
			n, err := strconv.Atoi(m[5])
			if err != nil || n > 126 {
				return "?"
			}
			return string(rune(n))
		}
		n, err := strconv.ParseUint(m[1]+m[2]+m[3]+m[4], 16, 8)
		if err != nil || n > 126 {
			return "?"
		}
		return string(rune(n))
	})
}

func shortened(s string) string {
	const most = 80
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
