// Package cache keeps results under a hash of everything that they depend on. It knows nothing of what it keeps: a result
// that is not there, that cannot be read or that is not whole is made anew, never guessed.
package cache

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"unsafe"
)

// Key is the SHA-256 of all that a result depends on.
type Key [sha256.Size]byte

// String returns the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Store keeps results. It may be used by several goroutines at once.
type Store interface {
	// Get returns what is kept under a key; false when nothing is.
	Get(ctx context.Context, k Key) ([]byte, bool)
	// Put keeps a result. One that cannot be kept is made again the next time; that is no error.
	Put(ctx context.Context, k Key, data []byte)
}

// Hasher makes a key of fields. Where one ends and the next begins counts.
type Hasher struct{ h hash.Hash }

// NewHasher returns a hasher whose keys no other kind of result has.
func NewHasher(kind string) *Hasher {
	h := &Hasher{sha256.New()}
	h.Add(kind)
	return h
}

// Add adds fields.
func (h *Hasher) Add(fields ...string) {
	var length [8]byte
	for _, f := range fields {
		binary.LittleEndian.PutUint64(length[:], uint64(len(f)))
		h.h.Write(length[:])
		h.h.Write(unsafe.Slice(unsafe.StringData(f), len(f))) // most fields are whole texts, which need no copy to be read
	}
}

// Key returns the key of what was added.
func (h *Hasher) Key() Key { return Key(h.h.Sum(nil)) }

// Chain asks one store after the other. What a later one has is put into those before it.
type Chain []Store

// Get implements Store.
func (c Chain) Get(ctx context.Context, k Key) ([]byte, bool) {
	for i, s := range c {
		data, ok := s.Get(ctx, k)
		if !ok {
			continue
		}
		for _, before := range c[:i] {
			before.Put(ctx, k, data)
		}
		return data, true
	}
	return nil, false
}

// Put implements Store.
func (c Chain) Put(ctx context.Context, k Key, data []byte) {
	for _, s := range c {
		s.Put(ctx, k, data)
	}
}
