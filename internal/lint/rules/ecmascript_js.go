package rules

import "syscall/js"

// ecmaScript reports whether a pattern is a regular expression of ECMAScript: a browser knows.
func ecmaScript(pattern string) (is, sure bool) {
	defer func() {
		if v := recover(); v != nil {
			if _, refused := v.(js.Error); !refused {
				panic(v)
			}
			is, sure = false, true
		}
	}()
	js.Global().Get("RegExp").New(pattern)
	return true, true
}
