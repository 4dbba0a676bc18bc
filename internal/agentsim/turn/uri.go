package turn

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

var (
	uriParts  = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*):(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$`)
	usualHost = lazyregexp.New(`^//(?:[A-Za-z0-9._~-]+@)?([A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)*|127\.0\.0\.1)(?::([1-9][0-9]{0,3}))?$`)
	plainHost = lazyregexp.New(`^//[A-Za-z0-9._~\x80-\x{10FFFF}-]*$`)
	oddURI    = lazyregexp.New("[\\x00-\\x1f\\x7f\\\\^|\\[\\]%]")
	drive     = lazyregexp.New(`^/*[A-Za-z](?::|$|/)`)
)

// defaultPorts are those that an address of that kind does not name. Where there is none, a host is all the same needed.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// normalURI writes an address as pydantic's AnyUrl does, which the Python SDK has for the uri of a resource: as browsers
// write it. It is not exact for what they do with unusual characters and hosts. https://url.spec.whatwg.org/
func normalURI(s string) (uri string, exact bool) {
	m := uriParts.FindStringSubmatch(strings.Trim(s, " "))
	if m == nil || oddURI.MatchString(s) {
		return s, false
	}
	scheme, host, path, query, fragment := strings.ToLower(m[1]), m[2], m[3], m[4], m[5]
	port, special := defaultPorts[scheme]
	switch {
	case scheme == "file" && (host != "//" && host != "//localhost" || drive.MatchString(path)):
		return s, false
	case scheme == "file":
		host = "//"
	case special:
		h := usualHost.FindStringSubmatch(host)
		if h == nil {
			return s, false
		}
		host = strings.TrimSuffix(strings.Replace(host, h[1], strings.ToLower(h[1]), 1), ":"+port)
	case host != "" && !plainHost.MatchString(host):
		return s, false
	}
	if opaque := host == "" && !strings.HasPrefix(path, "/"); opaque {
		path = encoded(path, "")
	} else {
		path = encoded(dotless(path), " \"<>`{}")
		if special && path == "" {
			path = "/"
		}
		if (host == "" || scheme == "file") && strings.HasPrefix(path, "//") {
			return s, false
		}
	}
	return scheme + ":" + encoded(host, "") + path + encoded(query, " \"<>"+map[bool]string{true: "'"}[special]) + encoded(fragment, " \"<>`"), true
}

// encoded writes some characters, and what is not ASCII, as their bytes.
func encoded(s, set string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c > '~' || strings.IndexByte(set, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dotless takes the steps "." and ".." of a path.
func dotless(path string) string {
	if path == "" {
		return ""
	}
	var out []string
	segments := strings.Split(path, "/")[1:]
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".":
		case "..":
			out = out[:max(len(out)-1, 0)]
		default:
			out = append(out, s)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}
