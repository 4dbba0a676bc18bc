// Package secrets takes credentials out of recorded and played calls, and out of what clients put before a model.
package secrets

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Keeper takes credentials out of everything that is said about a call: what package redact takes out of a text, every
// text under the name of a credential, and that same text wherever else it stands.
type Keeper struct {
	known *strings.Replacer // nil when there is none
	texts func(string) string
	named bool // what stands under the name of a credential is one
}

// Of returns a keeper of what values, arguments and results, hold under the names of credentials.
func Of(values ...*catalog.Node) *Keeper {
	var found []string
	for _, n := range values {
		eachSecret(n, false, func(n *catalog.Node) {
			if v := n.Text(); len(v) >= shortest && !slices.Contains(found, v) {
				found = append(found, v)
			}
		})
	}
	return &Keeper{known: replacer(found), texts: redact.Text, named: true}
}

// OfPrompts returns a keeper for what a client shows its model: only what is a credential beyond doubt is taken out, so
// that words and schemas stand as they are.
func OfPrompts() *Keeper { return &Keeper{texts: redact.Certain} }

func replacer(values []string) *strings.Replacer {
	if len(values) == 0 {
		return nil
	}
	// Long ones first, so that one that is part of another does not leave the rest of it.
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, v := range values {
		q := text.Quote(v)
		pairs = append(pairs, v, redact.Mark, q[1:len(q)-1], redact.Mark)
	}
	return strings.NewReplacer(pairs...)
}

// shortest is how long a value is at least that is hidden wherever it stands: hiding shorter ones makes words
// unreadable and keeps nothing secret.
const shortest = 6

// isSecret reports whether what stands under a key is a credential: beside the names that package redact knows those of
// headers and of things that are no secret in a skill's text but are one in a call.
func isSecret(key string) bool {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key)) {
	case "authorization", "proxyauthorization", "cookie", "cookies", "setcookie", "auth", "sessionid", "jwt", "otp", "passcode", "connectionstring":
		return true
	}
	return redact.IsName(key)
}

// eachSecret visits the texts under the names of credentials, also those further down.
func eachSecret(n *catalog.Node, secret bool, visit func(*catalog.Node)) {
	switch {
	case n == nil:
	case n.Kind == catalog.Object:
		for _, m := range n.Members {
			eachSecret(m.Value, secret || isSecret(m.Key), visit)
		}
	case n.Kind == catalog.Array:
		for _, item := range n.Items {
			eachSecret(item, secret, visit)
		}
	case secret && n.Kind == catalog.String:
		visit(n)
	}
}

// Text returns a text without credentials.
func (k *Keeper) Text(s string) string {
	if k.known != nil {
		s = k.known.Replace(s)
	}
	return k.texts(s)
}

// Texts returns a list of texts without credentials.
func (k *Keeper) Texts(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = k.Text(out[i])
	}
	return out
}

// JSON returns a JSON value without its credentials, the rest of it byte for byte; "" for nil.
func (k *Keeper) JSON(n *catalog.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	k.write(&b, n, false)
	return b.String()
}

// Raw is JSON for encoded values, or Text for what is no JSON.
func (k *Keeper) Raw(raw string) string {
	if n, err := catalog.Parse(raw); err == nil {
		return k.JSON(n)
	}
	return k.Text(raw)
}

// Messages is JSON for a list of encoded values.
func (k *Keeper) Messages(list []json.RawMessage) []json.RawMessage {
	out := slices.Clone(list)
	for i := range out {
		out[i] = json.RawMessage(k.Raw(string(out[i])))
	}
	return out
}

func (k *Keeper) write(b *strings.Builder, n *catalog.Node, secret bool) {
	at := n.Span.Start
	inner := func(v *catalog.Node, secret bool) {
		b.WriteString(n.Source()[at:v.Span.Start])
		k.write(b, v, secret)
		at = v.Span.End
	}
	switch n.Kind {
	case catalog.Object:
		for _, m := range n.Members {
			inner(m.Value, secret || k.named && isSecret(m.Key))
		}
	case catalog.Array:
		for _, item := range n.Items {
			inner(item, secret)
		}
	case catalog.String:
		b.WriteString(k.cleaned(n, secret))
		return
	}
	b.WriteString(n.Source()[at:n.Span.End])
}

func (k *Keeper) cleaned(n *catalog.Node, secret bool) string {
	before := n.Text()
	after := k.Text(before)
	if secret && before != "" {
		after = redact.Mark
	}
	if after == before {
		return n.Raw()
	}
	return text.Quote(after)
}
