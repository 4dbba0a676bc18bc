package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Hash returns "sha256:" and the hexadecimal hash of the value's canonical form, in which white space, the order of
// keys and the way characters are escaped do not count. Everything else does: numbers as they are spelled, the order
// of arrays, and keys that stand there twice.
func (n *Node) Hash() string {
	var b bytes.Buffer
	n.canonical(&b)
	sum := sha256.Sum256(b.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (n *Node) canonical(b *bytes.Buffer) {
	switch {
	case n == nil:
	case n.Kind == Object:
		n.canonicalObject(b)
	case n.Kind == Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			comma(b, i)
			item.canonical(b)
		}
		b.WriteByte(']')
	case n.Kind == String:
		b.Write(quote(n.Text()))
	default:
		b.WriteString(n.Raw())
	}
}

func (n *Node) canonicalObject(b *bytes.Buffer) {
	members := slices.Clone(n.Members)
	slices.SortStableFunc(members, func(x, y Member) int { return cmp.Compare(x.Key, y.Key) })
	b.WriteByte('{')
	for i, m := range members {
		comma(b, i)
		b.Write(quote(m.Key))
		b.WriteByte(':')
		m.Value.canonical(b)
	}
	b.WriteByte('}')
}

func comma(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

func quote(s string) []byte {
	quoted, _ := json.Marshal(s) // a string can always be encoded
	return quoted
}
