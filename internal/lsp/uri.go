package lsp

import (
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"
)

// pathOf returns the absolute path that a URI stands for, or "" when it is no file. A path with the letter of
// a drive is made absolute on other systems too: editors in a container open such.
func pathOf(u uri.URI) string {
	if !u.IsFile() {
		return ""
	}
	p := u.FsPath()
	if !filepath.IsAbs(p) {
		p = string(filepath.Separator) + p
	}
	return filepath.Clean(p)
}

// canonical returns the one spelling of a URI under which documents are kept.
func canonical(u uri.URI) uri.URI {
	if c, err := uri.Parse(string(u)); err == nil {
		return c
	}
	return u
}

// fileURI returns the URI of a file that no client has named.
func fileURI(abs string) uri.URI { return uri.File(strings.TrimPrefix(abs, `\\?\`)) }
