package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strconv"
	"strings"
	"unsafe"
)

// Query is a question to a tree: one of its methods with its arguments.
type Query struct {
	Kind string
	From string `json:",omitempty"` // absolute
	Path string `json:",omitempty"` // absolute
	Most int    `json:",omitempty"`
}

// The kinds of queries.
const (
	queryExists = "exists"
	queryCase   = "case"
	queryNames  = "names"
	queryRoot   = "root"
	queryPlugin = "plugin"
	queryReal   = "real"
	queryMode   = "mode"
	queryHead   = "head"
	queryText   = "text"
)

// Witness is told what a tree is asked.
type Witness interface {
	// Asked is told of a query, and its answer as Answer gives it.
	Asked(q Query, answer string)
	// Kept is told of a document that was kept.
	Kept(d *Document)
}

// Witnessed returns the same tree, which tells w what it is asked. Entries and MayHold are for those who search folders,
// not for rules, and are not told.
func (t *Tree) Witnessed(w Witness) *Tree {
	seen := *t
	seen.witness = w
	return &seen
}

// Answer asks a query. Two answers are equal when whoever asked learns the same; false is for a kind that there is not.
func (t *Tree) Answer(q Query) (string, bool) {
	switch q.Kind {
	case queryExists:
		return strconv.FormatBool(t.exists(q.From, q.Path)), true
	case queryCase:
		return t.otherCase(q.Path), true
	case queryNames:
		return namesAnswer(t.names(q.Path)), true
	case queryRoot:
		return t.root(q.Path), true
	case queryPlugin:
		return t.pluginRoot(q.Path), true
	case queryReal:
		return orError(t.fs.RealPath(q.Path)), true
	case queryMode:
		return modeAnswer(t.mode(q.Path)), true
	case queryHead:
		return headAnswer(t.head(q.Path, q.Most)), true
	case queryText:
		return textAnswer(t.raw(q.Path)), true
	}
	return "", false
}

// tell tells of a query. The answer is worked out only for those who listen.
func (t *Tree) tell(q Query, answer func() string) {
	if t.witness != nil {
		t.witness.Asked(q, answer())
	}
}

func orError(s string, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return s
}

func namesAnswer(names []string) string { return hashOf(strings.Join(names, "\x00")) }

func modeAnswer(mode fs.FileMode, err error) string { return orError(mode.String(), err) }

func headAnswer(data []byte, err error) string { return orError(hashOf(string(data)), err) }

func textAnswer(raw string, err error) string {
	if err != nil {
		return orError("", err)
	}
	return hashOf(raw)
}

func hashOf(s string) string {
	sum := sha256.Sum256(unsafe.Slice(unsafe.StringData(s), len(s))) // a whole text needs no copy to be read
	return hex.EncodeToString(sum[:])
}
