package dialect

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// numeric reports whether a plain scalar can be a number or date at all, so
// that prose never meets a regular expression.
func numeric(s string) bool {
	return s != "" && len(s) < 400 && strings.IndexByte("+-.0123456789", s[0]) >= 0
}

// cutSign splits a leading + or - off; negative is true for -.
func cutSign(s string) (rest string, negative bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

// bigInt reads digits in a base, as Python's int; ok is false for bad digits.
func bigInt(s string, base int, negative bool) (*big.Int, bool) {
	n, ok := new(big.Int).SetString(s, base)
	if ok && negative {
		n.Neg(n)
	}
	return n, ok
}

// base60 reads sexagesimal numbers such as 12:30 = 750
// (https://yaml.org/type/int.html).
func base60(s string) float64 {
	total := 0.0
	for part := range strings.SplitSeq(s, ":") {
		f, _ := strconv.ParseFloat(part, 64)
		total = total*60 + f
	}
	return total
}

// float reads a decimal float; too large is infinite, as in every client.
func float(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// PythonFloat is repr(f): the shortest digits that read back as f, with an
// exponent below 1e-4 and from 1e16 on.
func PythonFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// scriptNumber is String(f) in JavaScript
// (https://tc39.es/ecma262/#sec-numeric-types-number-tostring).
func scriptNumber(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case math.IsNaN(f):
		return "NaN"
	case f == 0:
		return "0"
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	s = strings.Replace(s, "e-0", "e-", 1)
	return strings.Replace(s, "e+0", "e+", 1)
}

// scriptInt is the text of an integer that JavaScript holds as a double.
func scriptInt(digits string, base int, negative bool) string {
	n, ok := bigInt(digits, base, negative)
	if !ok {
		return "NaN"
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return scriptNumber(f)
}
