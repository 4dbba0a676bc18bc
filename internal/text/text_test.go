package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// naivePosition walks the text from its start, one rune at a time.
func naivePosition(src string, off int, enc Encoding) Position {
	p := Position{}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRuneInString(src[i:])
		crlf := strings.HasPrefix(src[i:], "\r\n")
		if crlf {
			n = 2
		}
		if off < i+n {
			return p
		}
		i += n
		switch {
		case crlf || r == '\n' || r == '\r':
			p = Position{p.Line + 1, 0}
		case enc == UTF8:
			p.Column += n
		case enc == UTF16:
			p.Column += len(utf16.Encode([]rune{r}))
		default:
			p.Column++
		}
	}
	return p
}

func FuzzPositions(f *testing.F) {
	for _, s := range []string{"", "a\nb", "a\r\nb\rc\n", "é😀x\n\xff\xfe😀", "\r\n\r\n", "a\xe2\x80\nb", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		x := NewLineIndex(src)
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			for off := 0; off <= len(src); off++ {
				got, want := x.OffsetPosition(off, enc), naivePosition(src, off, enc)
				if got != want {
					t.Fatalf("%q offset %d encoding %d: %v, want %v", src, off, enc, got, want)
				}
				back := x.PositionOffset(got, enc)
				if back > off || x.OffsetPosition(back, enc) != got {
					t.Fatalf("%q: %d -> %v -> %d", src, off, got, back)
				}
			}
		}
		if last := x.Line(x.Lines() - 1); last.End > len(src) || strings.ContainsAny(last.In(src), "\r\n") {
			t.Fatalf("%q: last line %v", src, last)
		}
	})
}

func TestPositionOffsetClamps(t *testing.T) {
	x := NewLineIndex("ab\r\n😀c")
	for _, c := range []struct {
		p    Position
		want int
	}{
		{Position{-1, 3}, 0},
		{Position{0, -4}, 0},
		{Position{0, 99}, 2},
		{Position{1, 1}, 4},
		{Position{1, 2}, 8},
		{Position{1, 99}, 9},
		{Position{7, 0}, 9},
	} {
		if got := x.PositionOffset(c.p, UTF16); got != c.want {
			t.Errorf("%v: %d, want %d", c.p, got, c.want)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("hello world", uint64(1))
	f.Add("", uint64(7))
	f.Fuzz(func(t *testing.T, src string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var edits []Edit
		want, at := "", 0
		for at <= len(src) && r.IntN(8) > 0 {
			start := at + r.IntN(len(src)-at+1)
			end := start + r.IntN(len(src)-start+1)
			add := strings.Repeat("x", r.IntN(3))
			edits = append(edits, Edit{Span{start, end}, add})
			want += src[at:start] + add
			at = end
			if start == end {
				break // the next could stand at the same place, where order decides
			}
		}
		want += src[at:]
		r.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
		got, err := Apply(src, edits)
		if err != nil || got != want {
			t.Fatalf("Apply(%q, %v) = %q, %v; want %q", src, edits, got, err, want)
		}
	})
}

func TestApplyRefuses(t *testing.T) {
	for _, edits := range [][]Edit{
		{{Span{0, 2}, "a"}, {Span{1, 3}, "b"}},
		{{Span{2, 1}, ""}},
		{{Span{-1, 0}, ""}},
		{{Span{3, 9}, ""}},
	} {
		if got, err := Apply("abcd", edits); err == nil || got != "abcd" {
			t.Errorf("Apply(%v) = %q, %v; want the text unchanged and an error", edits, got, err)
		}
	}
	got, err := Apply("ab", []Edit{{At(1), "1"}, {At(1), "2"}})
	if err != nil || got != "a12b" {
		t.Errorf("two insertions at one place: %q, %v", got, err)
	}
}
