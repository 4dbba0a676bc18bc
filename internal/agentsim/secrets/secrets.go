package replay

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/redact"
)

// keeper takes the credentials of one call out of everything that is said about it: what package redact finds, every
// text under the name of a credential, and that same text wherever else it stands.
type keeper struct{ known *strings.Replacer }

func keeperOf(c *recording.Call) *keeper {
	var values []string
	add := func(n *catalog.Node) {
		eachSecret(n, false, func(n *catalog.Node) {
			if v := n.Text(); len(v) >= shortest && !slices.Contains(values, v) {
				values = append(values, v)
			}
		})
	}
	add(c.Arguments)
	if c.Result != nil {
		add(c.Result.Structured)
	}
	if len(values) == 0 {
		return &keeper{}
	}
	// Long ones first, so that one that is part of another does not leave the rest of it.
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, v := range values {
		q := quoted(v)
		pairs = append(pairs, v, redact.Mark, q[1:len(q)-1], redact.Mark)
	}
	return &keeper{strings.NewReplacer(pairs...)}
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

func (k *keeper) text(s string) string {
	if k.known != nil {
		s = k.known.Replace(s)
	}
	return redact.Text(s)
}

// json returns a JSON value without its credentials, the rest of it byte for byte; "" for nil.
func (k *keeper) json(n *catalog.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	k.write(&b, n, false)
	return b.String()
}

func (k *keeper) write(b *strings.Builder, n *catalog.Node, secret bool) {
	at := n.Span.Start
	inner := func(v *catalog.Node, secret bool) {
		b.WriteString(n.Source()[at:v.Span.Start])
		k.write(b, v, secret)
		at = v.Span.End
	}
	switch n.Kind {
	case catalog.Object:
		for _, m := range n.Members {
			inner(m.Value, secret || isSecret(m.Key))
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

func (k *keeper) cleaned(n *catalog.Node, secret bool) string {
	before := n.Text()
	after := k.text(before)
	if secret && before != "" {
		after = redact.Mark
	}
	if after == before {
		return n.Raw()
	}
	return quoted(after)
}

// quoted returns a text as a JSON string.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
