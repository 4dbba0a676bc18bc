package remote

import (
	"encoding/binary"
	"errors"
)

// A cache for Bazel keeps under /ac/KEY a message of the Remote Execution API, and some check that it is one. Of an
// ActionResult one field is used: the digest of what the action printed, which lies under /cas/HASH.
// https://github.com/bazelbuild/remote-apis/blob/main/build/bazel/remote/execution/v2/remote_execution.proto
// https://protobuf.dev/programming-guides/encoding/
const (
	stdoutDigest = 6 // of ActionResult: a Digest
	digestHash   = 1 // of Digest: a string
	digestSize   = 2 // of Digest: an int64

	varintType = 0
	fixed64    = 1
	bytesType  = 2
	fixed32    = 5
)

// digest names a blob by its hash, in hexadecimal digits, and its size in bytes.
type digest struct {
	hash string
	size uint64
}

// encode returns the ActionResult of an action that printed the blob.
func (d digest) encode() []byte {
	inner := appendBytes(nil, digestHash, []byte(d.hash))
	inner = binary.AppendUvarint(inner, digestSize<<3|varintType)
	inner = binary.AppendUvarint(inner, d.size)
	return appendBytes(nil, stdoutDigest, inner)
}

func appendBytes(to []byte, field uint64, data []byte) []byte {
	to = binary.AppendUvarint(to, field<<3|bytesType)
	to = binary.AppendUvarint(to, uint64(len(data)))
	return append(to, data...)
}

var errNoResult = errors.New("what it keeps is no result of an action")

// decode reads an ActionResult.
func decode(message []byte) (digest, error) {
	var d digest
	inner, _, err := find(message, stdoutDigest)
	if err != nil {
		return d, err
	}
	hash, _, err := find(inner, digestHash)
	if err != nil {
		return d, err
	}
	d.hash = string(hash)
	_, d.size, err = find(inner, digestSize)
	return d, err
}

// find returns the value of the last field of a number, as bytes or as an integer.
func find(message []byte, number uint64) (data []byte, value uint64, err error) {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, 0, errNoResult
		}
		var d []byte
		var v uint64
		if d, v, message, err = next(message[n:], key&7); err != nil {
			return nil, 0, err
		}
		if key>>3 == number {
			data, value = d, v
		}
	}
	return data, value, nil
}

// next reads the value of one field.
func next(message []byte, kind uint64) (data []byte, value uint64, rest []byte, err error) {
	length := uint64(0)
	switch kind {
	case varintType, bytesType:
		v, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, 0, nil, errNoResult
		}
		message = message[n:]
		if kind == varintType {
			return nil, v, message, nil
		}
		length = v
	case fixed64:
		length = 8
	case fixed32:
		length = 4
	default:
		return nil, 0, nil, errNoResult
	}
	if length > uint64(len(message)) {
		return nil, 0, nil, errNoResult
	}
	return message[:length], 0, message[length:], nil
}
