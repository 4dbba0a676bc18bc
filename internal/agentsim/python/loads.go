package python

import (
	"fmt"
	"strings"
)

// LoadsError is str() of the JSONDecodeError that json.loads raises, of Python 3.11 and 3.12; "" when it raises none. NaN
// and infinities are no fault. https://docs.python.org/3/library/json.html
func LoadsError(s string) string {
	d := &decoder{s: []rune(s)}
	if strings.HasPrefix(s, "\ufeff") {
		d.fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
	} else {
		d.blanks()
		d.value()
		if d.blanks(); d.at < len(d.s) {
			d.fail("Extra data", d.at)
		}
	}
	return d.fault
}

// decoder goes through a text as the decoder of Python does, up to its first fault.
type decoder struct {
	s     []rune
	at    int
	depth int
	fault string
}

// fail keeps the first fault, and ends the reading.
func (d *decoder) fail(message string, at int) {
	if d.fault == "" {
		line, column := 1, at+1
		for i, r := range d.s[:at] {
			if r == '\n' {
				line, column = line+1, at-i
			}
		}
		d.fault = fmt.Sprintf("%s: line %d column %d (char %d)", message, line, column, at)
	}
	d.at = len(d.s)
}

func (d *decoder) blanks() {
	for d.at < len(d.s) && strings.ContainsRune(" \t\n\r", d.s[d.at]) {
		d.at++
	}
}

// is reports whether a character is next.
func (d *decoder) is(r rune) bool { return d.at < len(d.s) && d.s[d.at] == r }

// take goes past a character if it is next.
func (d *decoder) take(r rune) bool {
	if !d.is(r) {
		return false
	}
	d.at++
	return true
}

// mostDepth is how deep values may lie in each other, as in package catalog; Python goes on to its own limit.
const mostDepth = 500

func (d *decoder) value() {
	if d.depth++; d.depth > mostDepth {
		d.fail("Expecting value", d.at)
	}
	switch start := d.at; {
	case d.take('"'):
		d.text()
	case d.take('{'):
		d.object()
	case d.take('['):
		d.array()
	default:
		for _, word := range []string{"null", "true", "false", "NaN", "Infinity", "-Infinity"} {
			if strings.HasPrefix(string(d.s[start:min(start+len(word), len(d.s))]), word) {
				d.at += len(word)
				d.depth--
				return
			}
		}
		d.number()
	}
	d.depth--
}

func (d *decoder) object() {
	if d.blanks(); d.take('}') {
		return
	}
	for d.fault == "" {
		if !d.take('"') {
			d.fail("Expecting property name enclosed in double quotes", d.at)
			return
		}
		d.text()
		if d.blanks(); !d.take(':') {
			d.fail("Expecting ':' delimiter", d.at)
		}
		d.blanks()
		d.value()
		if d.blanks(); d.take('}') {
			return
		}
		if !d.take(',') {
			d.fail("Expecting ',' delimiter", d.at)
		}
		d.blanks()
	}
}

func (d *decoder) array() {
	if d.blanks(); d.take(']') {
		return
	}
	for d.fault == "" {
		d.value()
		if d.blanks(); d.take(']') {
			return
		}
		if !d.take(',') {
			d.fail("Expecting ',' delimiter", d.at)
		}
		d.blanks()
	}
}

// text goes to the end of a string whose opening quote is past.
func (d *decoder) text() {
	start := d.at - 1
	for ; d.at < len(d.s); d.at++ {
		switch r := d.s[d.at]; {
		case r == '"':
			d.at++
			return
		case r < ' ':
			d.fail("Invalid control character at", d.at)
			return
		case r == '\\':
			if d.escape(start); d.fault != "" {
				return
			}
		}
	}
	d.fail("Unterminated string starting at", start)
}

// escape goes to the last character of an escape.
func (d *decoder) escape(start int) {
	d.at++
	switch {
	case d.at == len(d.s):
		d.fail("Unterminated string starting at", start)
	case d.is('u'):
		hex := 0
		for hex < 4 && d.at+1+hex < len(d.s) && strings.ContainsRune("0123456789abcdefABCDEF", d.s[d.at+1+hex]) {
			hex++
		}
		if hex < 4 || d.at+5 >= len(d.s) { // something has to stand behind it
			d.fail(`Invalid \uXXXX escape`, d.at)
			return
		}
		d.at += 4
	case !strings.ContainsRune(`"\/bfnrt`, d.s[d.at]):
		d.fail(`Invalid \escape`, d.at-1)
	}
}

func (d *decoder) number() {
	start := d.at
	d.take('-')
	if whole := d.digits(); whole == 0 {
		d.fail("Expecting value", start)
		return
	} else if d.s[d.at-whole] == '0' {
		d.at -= whole - 1
	}
	if end := d.at; d.take('.') && d.digits() == 0 {
		d.at = end
	}
	if end := d.at; d.take('e') || d.take('E') {
		_ = d.take('+') || d.take('-')
		if d.digits() == 0 {
			d.at = end
		}
	}
}

func (d *decoder) digits() int {
	start := d.at
	for d.at < len(d.s) && d.s[d.at] >= '0' && d.s[d.at] <= '9' {
		d.at++
	}
	return d.at - start
}
