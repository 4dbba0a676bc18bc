package threat

import (
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/text"
)

// collectors are hosts that take whatever is sent to them and show it to somebody; relays can be that as well as something
// useful.
var (
	collectors = lazyregexp.New(`(?i)\b(?:[\w-]+\.)*(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|interact\.sh|interactsh\.com|oast\.(?:fun|live|me|online|pro|site)|oastify\.com|burpcollaborator\.net|beeceptor\.com|hookbin\.com|` +
		`requestcatcher\.com|dnslog\.cn|ceye\.io|canarytokens\.(?:com|org)|requestinspector\.com|ptsv2\.com|requestrepo\.com)\b[^\s"'` + "`" + `<>)]*`)
	relays  = lazyregexp.New(`(?i)\b(?:[\w-]+\.)*(?:ngrok\.(?:io|app)|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|transfer\.sh|0x0\.st|file\.io|termbin\.com|ix\.io|temp\.sh|oshi\.at|bashupload\.com|pastebin\.com|hastebin\.com|gofile\.io)\b[^\s"'` + "`" + `<>)]*`)
	standIn = lazyregexp.New(`(?i)your|example|xxx|abc|<|\{|\.\.\.|1234|placeholder|my-?(?:app|bin|id|tunnel)|random|subdomain`)
	given   = lazyregexp.New(`(?i)\s(?:-d|--data\S*|-F|--form\S*|-T|--upload-file|--json|--post-data|--post-file|-Body|-InFile)(?:[\s=@"']|$)|\$\(|\|\s*(?:curl|nc|ncat|netcat|wget)\b|\.(?:post|put|send)\s*\(|method["']?\s*:\s*["'](?:POST|PUT)|-X\s*(?:POST|PUT)|\bdata\s*=|\bbody\s*:|\bsendBeacon\b`)
)

// findHosts looks for hosts that collect, and for what is sent to hosts that may.
func findHosts(t *Text, s *scan) []Hit {
	var out []Hit
	for _, m := range s.marked(hosts) {
		line := t.line(m.at.Start)
		src := line.In(t.Src)
		for i, list := range []*lazyregexp.Regexp{collectors, relays} {
			for _, x := range list.FindAllStringIndex(src, -1) {
				at := text.Span{Start: line.Start + x[0], End: line.Start + x[1]}
				statement := t.statement(m.at.Start).In(t.Src)
				level := Doubt
				switch sent := given.MatchString(statement) && sinks.MatchString(statement); {
				case standIn.MatchString(at.In(t.Src)):
					level = Note
				case i == 0 && sent:
					level = Danger
				case i == 1 && !sent:
					continue
				}
				h := Hit{CollectorHost, level, at, "what is sent to this host is shown to whoever set it up", false}
				if t.Form == Markdown && t.at(at.Start) == inProse && t.spoken(at) {
					continue
				}
				t.harmless(&h)
				out = append(out, h)
			}
		}
	}
	return out
}

// findSecrets looks for credentials that stand in the text.
func findSecrets(t *Text, s *scan) []Hit {
	var out []Hit
	add := func(at text.Span, level Level, what string) {
		out = append(out, Hit{LiteralSecret, level, at, what, true})
	}
	for _, run := range s.tokens {
		low, high := around(t.Src, run)
		for _, x := range redact.Tokens(t.Src[low:high]) {
			add(text.Span{Start: low + x.Span.Start, End: low + x.Span.End}, Danger, "a credential stands in the text: whoever reads it can use it")
		}
	}
	for _, m := range s.marked(keys) {
		low := t.line(m.at.Start).Start
		for _, x := range redact.Tokens(t.Src[low:min(len(t.Src), low+mostKey)]) {
			add(text.Span{Start: low + x.Span.Start, End: low + x.Span.End}, Danger, "a private key stands in the text: whoever reads it can use it")
		}
	}
	for _, off := range s.pairs {
		line := t.line(off)
		for _, x := range redact.Pairs(line.In(t.Src)) {
			at := text.Span{Start: line.Start + x.Span.Start, End: line.Start + x.Span.End}
			level := Doubt
			if w := t.at(at.Start); w != inScript {
				level = Note
			}
			add(at, level, "the value of "+x.Name+" looks like a credential: whoever reads it can use it")
		}
	}
	if s.ats {
		found := redact.Passwords(t.Src)
		for _, x := range found[:min(len(found), mostHits)] {
			add(x.Span, Doubt, "a password stands in a URL: whoever reads it can use it")
		}
	}
	return out
}

// mostKey is how much of a private key is looked at.
const mostKey = 8 << 10

// around returns the run of characters other than white space and quotes that a run is part of.
func around(src string, at text.Span) (low, high int) {
	low, high = at.Start, at.End
	for low > 0 && at.Start-low < 64 && (classes[src[low-1]]&blobByte != 0 || src[low-1] == '.' || src[low-1] == ':') {
		low--
	}
	for high < len(src) && high-at.End < 4096 && (classes[src[high]]&blobByte != 0 || src[high] == '.' || src[high] == ':') {
		high++
	}
	return low, high
}
