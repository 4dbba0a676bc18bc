// Package threat finds concrete dangerous artefacts in text: a script from the network that a shell runs, a credential on
// its way out, an order that is meant for the model and hidden from the reader. It knows patterns, not intentions: malice in
// plain words, and payloads that are packed or encrypted, pass. It knows nothing of rules and findings, and runs nothing.
package threat

import (
	"cmp"
	"slices"
	"sort"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Kind names what was found. The rule security/KIND tells of it.
type Kind string

const (
	RemoteScript      Kind = "remote-script"      // code from the network that is run unseen
	DecodedCode       Kind = "decoded-code"       // code that is decoded and run
	ReverseShell      Kind = "reverse-shell"      // a shell for somebody at the other end
	Exfiltration      Kind = "exfiltration"       // a credential joined to something that sends
	CredentialRead    Kind = "credential-read"    // a credential that is read
	CollectorHost     Kind = "collector-host"     // a host that is there to collect what anybody sends
	LiteralSecret     Kind = "literal-secret"     // a credential in the text
	Override          Kind = "override"           // an order to forget other orders
	Concealment       Kind = "concealment"        // an order to keep something from the user
	SkippedConsent    Kind = "skipped-consent"    // an order not to ask
	HiddenOrders      Kind = "hidden-orders"      // orders to the model where no reader looks
	Beacon            Kind = "beacon"             // an address that carries data away when it is shown
	EncodedText       Kind = "encoded-text"       // a blob that holds one of the others
	Destruction       Kind = "destruction"        // a command that destroys what it cannot bring back
	DisabledSafeguard Kind = "disabled-safeguard" // a command that turns protection off
	Persistence       Kind = "persistence"        // something that stays and runs by itself, later
	Miner             Kind = "miner"              // a program that mines for others
	BaseURL           Kind = "base-url"           // an API of a model that is sent elsewhere
)

// Level is how sure it is that something is wrong.
type Level uint8

const (
	Note   Level = iota // worth a look; there are good reasons for it
	Doubt               // seldom right
	Danger              // nobody has a good reason
)

// Hit is one thing found.
type Hit struct {
	Kind    Kind
	Level   Level
	Span    text.Span // bytes of the text
	What    string    // what is wrong, without a full stop
	Private bool      // what stands at Span is a secret
}

// Form is what a text is written in.
type Form uint8

const (
	Markdown Form = iota
	Script        // a program or a file of settings: every line counts, none is prose
	Plain         // text that a model reads, such as the description of a tool
)

// Text is what is judged.
type Text struct {
	Src  string
	Form Form
	// Body gives the blocks of Markdown, front matter aside. It is asked for when there is something to judge.
	Body func() *skills.Body

	body  *skills.Body
	depth int // how many times the text was decoded
}

// mostDecoded is how often a text is decoded that was found in an encoded one.
const mostDecoded = 2

// Find returns what is found in a text, in its order: one hit for a place, the worst.
func Find(t *Text) []Hit {
	s := scanWords(t.Src)
	if s.quiet() {
		return nil
	}
	var out []Hit
	for _, find := range []func(*Text, *scan) []Hit{
		findCommands, findFlows, findHosts, findSecrets, findPhrases, findHidden, findBeacons, findEncoded,
	} {
		out = append(out, find(t, s)...)
	}
	t.raise(s, out)
	return worst(out)
}

// mostHits is how many hits one search looks for: a text with as many is judged, and what is told of more is not read.
const mostHits = 1000

// worst sorts hits and leaves those out that lie within a worse one, or a wider one of the same level.
func worst(all []Hit) []Hit {
	slices.SortStableFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(b.Span.Len(), a.Span.Len()), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	var out []Hit
	for _, h := range all { // those in out lie apart, in order
		i := sort.Search(len(out), func(i int) bool { return out[i].Span.End > h.Span.Start })
		if i == len(out) || out[i].Span.Start >= h.Span.End {
			out = slices.Insert(out, i, h)
		}
	}
	return out
}
