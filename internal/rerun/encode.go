package rerun

import (
	"encoding/binary"

	"github.com/skill-ls/skill-ls/internal/cache"
)

// encode returns notes, sorted, and the result of a run as they are kept. There may be tens of thousands of notes, whose
// paths share their beginnings.
func encode(notes []note, result []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(len(notes)))
	before := ""
	for i := range notes {
		n := &notes[i]
		common := shared(before, n.path)
		before = n.path
		out = append(out, n.kind)
		out = binary.AppendUvarint(out, uint64(common))
		out = appendText(out, n.path[common:])
		out = appendText(out, n.more)
		out = append(out, n.answer[:]...)
		out = n.stamp.append(out)
	}
	return append(out, result...)
}

func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

func (s *stamp) append(out []byte) []byte {
	for _, n := range s.fields() {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// decode is the inverse of encode; false for data that encode did not make.
func decode(data []byte) (notes []note, result []byte, ok bool) {
	d := &decoder{rest: data}
	const least = 1 + 1 + 1 + 1 + len(cache.Key{}) + stampFields // bytes of a note
	count := d.number()
	if count > uint64(len(data)/least) {
		return nil, nil, false
	}
	notes = make([]note, count)
	before := ""
	for i := range notes {
		n := &notes[i]
		n.kind = d.take(1)[0]
		common := d.number()
		if common > uint64(len(before)) || n.kind >= kinds {
			return nil, nil, false
		}
		n.path = before[:common] + d.text()
		n.more = d.text()
		before = n.path
		copy(n.answer[:], d.take(len(n.answer)))
		var f [stampFields]uint64
		for j := range f {
			f[j] = d.number()
		}
		n.stamp = stampFrom(f)
	}
	return notes, d.rest, !d.failed
}

// decoder reads data from the front. Behind the end it fails and reads zeros.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.rest, d.failed = nil, true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *decoder) take(n int) []byte {
	if n > len(d.rest) {
		d.rest, d.failed = nil, true
		return make([]byte, min(n, len(cache.Key{})))
	}
	out := d.rest[:n]
	d.rest = d.rest[n:]
	return out
}

func (d *decoder) text() string {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.rest, d.failed = nil, true
		return ""
	}
	return string(d.take(int(n)))
}
