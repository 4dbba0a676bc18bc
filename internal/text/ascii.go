package text

import "unicode/utf8"

// NonASCII returns the offset of the first byte at or after from that is not ASCII, the length of s if there is none.
func NonASCII[Bytes string | []byte](s Bytes, from int) int {
	const width = 8
	for ; from+width <= len(s); from += width { // eight bytes at a time: most texts have none
		b := s[from : from+width]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		if word&0x8080808080808080 != 0 {
			break
		}
	}
	for from < len(s) && s[from] < utf8.RuneSelf {
		from++
	}
	return from
}
