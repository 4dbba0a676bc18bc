package threat

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

var (
	hiddenElement = lazyregexp.New(`(?is)<(?:span|div|p|font|small|section|details)\b[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|color\s*[:=]\s*["']?(?:white|#fff(?:fff)?|transparent)\b|\shidden(?:[\s>=]))[^>]*>.+?</`)
	linkComment   = lazyregexp.New(`(?m)^\[(?://|comment)\]:\s*(?:#|<>)\s*[("'][^\n]+`)
	toModel       = lazyregexp.New(`(?i)\b(?:AI|assistants?|agents?|LLMs?|language models?|claude|chatgpt|copilot|gpt|gemini|the model|you)\b[^.\n]*\b(?:must|should|shall|always|need to|have to|are (?:required|instructed) to)\b[^.\n]*`)
	bareOrder     = lazyregexp.New(`(?i)\b(?:send|upload|post|forward|exfiltrate|transmit|e-?mail|leak|submit)\b[^\n]*(?:https?://|\b[\w.-]+@[\w-]+\.\w+)|\b(?:send|upload|post|forward|exfiltrate|transmit|e-?mail|leak|read|copy|include|append|add|cat)\b[^\n]*(?:~/\.\w|\.ssh\b|\.env\b|\bcredentials?\b|\bpasswords?\b|\bapi[ _-]?keys?\b|\baccess tokens?\b|\bsecrets?\b|\bprivate keys?\b|\bconversation\b|\bsystem prompt\b|\benvironment variables\b)` +
		`|\b(?:fetch|download|load|get|open|visit)\b[^\n]*https?://\S+[^\n]*\b(?:and|then)\s+(?:run|execute|follow|apply|obey|install|do)\b|\b(?:run|execute)\b[^\n]{0,30}(?:rm -rf|curl |wget |sudo |powershell|base64)`)
)

// findHidden looks for orders to the model where no reader of the rendered text looks: in comments, and in elements that are
// not shown. A comment alone is no finding.
func findHidden(t *Text, s *scan) []Hit {
	if t.Form == Script || !s.notes && !s.veiled {
		return nil
	}
	var out []Hit
	for _, at := range t.hiddenPlaces(s) {
		if len(out) == mostHits {
			break
		}
		src := at.In(t.Src)
		if strings.Contains(src, "skilllint-") {
			continue
		}
		m := bareOrder.FindStringIndex(src)
		if m == nil {
			continue
		}
		span := text.Span{Start: at.Start + m[0], End: at.Start + m[1]}
		if t.quoted(span) || forbids.MatchString(t.before(span.Start)) {
			continue
		}
		h := Hit{HiddenOrders, Doubt, trim(t.Src, span), "a reader of the rendered text does not see this order, a model does", false}
		if toModel.MatchString(src) || namesKeyFile(src) {
			h.Level = Danger
		}
		out = append(out, h)
	}
	return out
}

// hiddenPlaces returns the comments and the elements that are not shown, outside code, in order.
func (t *Text) hiddenPlaces(s *scan) []text.Span {
	var out []text.Span
	find := func(re *lazyregexp.Regexp) {
		for _, m := range re.FindAllStringIndex(t.Src, -1) {
			if w := t.at(m[0]); w != inFence && w != inCode {
				out = append(out, text.Span{Start: m[0], End: m[1]})
			}
		}
	}
	if s.notes {
		out = slices.Clone(t.blocks().Comments)
	}
	if strings.Contains(t.Src, "[//]:") || strings.Contains(t.Src, "[comment]:") {
		find(linkComment)
	}
	if s.veiled {
		find(hiddenElement)
	}
	slices.SortFunc(out, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// raise makes what stands where no reader looks count for more.
func (t *Text) raise(s *scan, hits []Hit) {
	if t.Form != Markdown {
		return
	}
	places := sync.OnceValue(func() []text.Span { return t.hiddenReach(s) })
	for i := range hits {
		if h := &hits[i]; h.Level == Doubt && (h.Kind == Override || h.Kind == Concealment) && covered(places(), h.Span) {
			h.Level = Danger
			h.What += ", where no reader of the rendered text looks"
		}
	}
}

// hiddenReach returns the hidden places, each as far as one of those up to it goes: a comment may stand in an element that is
// not shown.
func (t *Text) hiddenReach(s *scan) []text.Span {
	out := t.hiddenPlaces(s)
	for i := 1; i < len(out); i++ {
		out[i].End = max(out[i].End, out[i-1].End)
	}
	return out
}

// covered reports whether one of the places that hiddenReach returns covers a span.
func covered(places []text.Span, at text.Span) bool {
	i := upTo(len(places), at.Start, func(i int) int { return places[i].Start })
	return i >= 0 && places[i].End >= at.End
}

var (
	imageURL    = lazyregexp.New(`!\[[^\]\n]*\]\(\s*<?(https?://(?:[^\s)<>{}\[]|\{[^}\n]*\}|<[^>\n]*>|\[[^\]\n]*\])+)|<img\b[^>\n]*\bsrc\s*=\s*["']?(https?://(?:[^\s"'<>{}]|\{[^}\n]*\}|<[^>\n]*>|\[[^\]\n]*\])+)`)
	linkURL     = lazyregexp.New(`\[[^\]\n]*\]\(\s*<?(https?://(?:[^\s)<>{}\[]|\{[^}\n]*\}|<[^>\n]*>|\[[^\]\n]*\])+)`)
	placeholder = lazyregexp.New(`\{[^}]*\}|<[^>]*>|\[[^\]]*\]|\$\w+|%s|(?:=|/)(?:DATA|SECRET|TOKEN|BASE64|CONTENT|CONTENTS|KEY|PASSWORD|HISTORY|CONVERSATION|CONTEXT|PROMPT|ENV)\b`)
	takesData   = lazyregexp.New(`(?i)secret|token|api_?key|password|conversation|history|system_?prompt|\benv|credential|base64|context|contents?|chat|message|exfil|memory|user_?data`)
	badge       = lazyregexp.New(`(?i)^https?://(?:img\.shields\.io|badgen\.net|badge\.fury\.io|[\w.-]*githubusercontent\.com|github\.com|api\.star-history\.com|contrib\.rocks|[\w.-]*vercel\.app|skillicons\.dev|komarev\.com)/`)
)

// findBeacons looks for addresses that carry data away when a client shows the picture, or the user follows the link.
func findBeacons(t *Text, s *scan) []Hit {
	if t.Form == Script || !s.links {
		return nil
	}
	var out []Hit
	for _, start := range []string{"](http", "<img"} {
		for off, n := 0, 0; n < mostLinks; n++ {
			i := strings.Index(t.Src[off:], start)
			if i < 0 {
				break
			}
			line := t.line(off + i)
			if src := line.In(t.Src); strings.Contains(src, "?") && strings.ContainsAny(src, "{<[$%=") {
				out = append(out, t.beacons(line)...)
			}
			off = max(line.End, off+i+1)
		}
	}
	return out
}

// mostLinks is how many lines with links or pictures are judged.
const mostLinks = 60

// beacons judges the pictures and links of one line.
func (t *Text) beacons(line text.Span) []Hit {
	var out []Hit
	for i, list := range []*lazyregexp.Regexp{imageURL, linkURL} {
		for _, m := range list.FindAllStringSubmatchIndex(line.In(t.Src), -1) {
			at := text.Span{Start: line.Start + m[0], End: line.Start + m[1]}
			start, end := m[2], m[3]
			if start < 0 {
				start, end = m[4], m[5]
			}
			if h, ok := t.beacon(at, line.In(t.Src)[start:end], i == 1); ok {
				out = append(out, h)
			}
		}
	}
	return out
}

func (t *Text) beacon(at text.Span, address string, link bool) (Hit, bool) {
	_, query, ok := strings.Cut(address, "?")
	if !ok || !placeholder.MatchString(query) || badge.MatchString(address) {
		return Hit{}, false
	}
	sensitive := takesData.MatchString(query)
	h := Hit{Beacon, Doubt, at, "showing this picture sends what is put into its address to " + hostOf(address), false}
	switch w := t.at(at.Start); {
	case link && (!sensitive || w == inFence || w == inCode):
		return Hit{}, false
	case link:
		h.What = "following this link sends what is put into its address to " + hostOf(address)
	case sensitive && w != inFence:
		h.Level = Danger
	case w == inFence, w == inCode && !sensitive:
		h.Level = Note
	}
	return h, !t.warned(at.Start) && !forbids.MatchString(t.before(at.Start))
}

func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return host
}
