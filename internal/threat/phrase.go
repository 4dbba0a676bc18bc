package threat

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

const (
	reader  = `(?:(?:the|your|any|our)\s+)?(?:end[- ]?)?(?:users?|humans?|operators?|person|developers?|owners?|reviewers?|anyone|anybody|them)`
	readers = "user|human|operator|person|developer|owner|reviewer|anyone|anybody|them" // words of reader
	consent = `(?:permission|confirmation|approval|consent)`
	orders  = `(?:instructions?|prompts?|directives?|guidelines?|rules|polic(?:y|ies)|guardrails?|safeguards?|restrictions|constraints|programming|commands)`
)

// Words that each of these has one of.
const (
	orderWords   = "instruction|prompt|directive|guideline|rules|polic|guardrail|safeguard|restriction|constraint|programming|command"
	consentWords = "permission|confirmation|approval|consent"
)

const hushed = "it tells the model to keep something from the user"

// denial turns what stands behind it into a prohibition.
const denial = `\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|avoid|without)\s+(?:ever\s+)?`

// phrases are orders to the model that no skill and no tool needs to give. Gaps are bounded and end with the sentence.
var phrases = []pattern{
	compile(Override, Doubt, overrides, "it tells the model to forget the orders it has",
		"ignor|disregard|forget&"+orderWords, `(?i)\b(?:ignore|ignoring|disregard|disregarding|forget)\s+(?:(?:all|any|every|each|of|the|your|my|our|these|those|other|and|or|everything|about)\s+){0,4}(?:previous|prior|above|earlier|preceding|system|safety|security|original|initial|foregoing|your|other|developer)(?:(?:\s+|,\s*)(?:and|or|previous|prior|above|earlier|preceding|system|safety|security|original|initial|ethical|content|user|your|developer)){0,3}\s+`+orders+`\b`,
		"forget", `(?i)\bforget\s+(?:everything|all)\s+(?:you|that you|above|before|prior|previous|I)\b`,
		"overrid|overrule|supersede|bypass&previous|prior|earlier|above|safety|system|built-in|ethical&"+orderWords,
		`(?i)\b(?:override|overrides|overrule|supersedes?|bypass)\s+(?:(?:all|any|the|your|other|and|or)\s+){0,3}(?:previous|prior|earlier|above|safety|system|built-in|ethical)\s+(?:(?:and|or|safety|system|security|user)\s+){0,3}`+orders+`\b`),
	compile(Override, Doubt, overrides, "it frees the model from its rules",
		"you&are&dan|developer|jailbr|unrestricted|unfiltered|free", `(?i)\byou\s+are\s+(?:now|henceforth)\s+(?:in\s+)?(?:an?\s+|the\s+)?(?:DAN\b|developer\s+mode|jailbroken|unrestricted|unfiltered|free\s+(?:from|of)\s+(?:all\s+|any\s+)?(?:rules|restrictions|limits|guidelines))`,
		"mode&dan|dev|unrestricted|jailbr", `(?i)\bDAN\s+mode\b|\bdev(?:eloper)?\s*mode\s+(?:is\s+(?:now\s+)?)?(?:enabled|activated|unlocked)|\bunrestricted\s+mode\b|\bjailbr(?:eak|oken)\s+mode\b`,
		"without&restrictions|filters|limitations|guardrails|safety|ethical", `(?i)\b(?:respond|answer|act|operate|behave)\s+(?:\w+\s+){0,4}without\s+(?:any\s+)?(?:restrictions|filters|limitations|guardrails|safety|ethical)`),
	compile(Override, Doubt, overrides, "it poses as a message of another role, or as the end of one",
		"im_start|[inst|<<sys|<|system|<|assistant|start_header", `(?i)<\|im_start\|>\s*(?:system|assistant)|\[INST\]|<<SYS>>|<\|(?:system|assistant|start_header_id)\|>`,
		"system&override|message&:", `(?i)(?:^|\n)[#>\s*]{0,6}system\s+(?:override|message)\s*:`,
		"[system", `(?i)\[system(?:\s+(?:override|message|prompt))?\]\s*:?`),
	compile(Override, Doubt, overrides, "it closes the list of skills or tools that it stands in",
		"</", `(?i)</(?:available_skills|available_tools|skills|skill|tools|system|system-reminder|functions)>\s*(?:\S+\s+){0,3}?(?:<|you\b|new\b|from now|always|important|system)`),
	compile(Concealment, Doubt, conceals, hushed,
		"tell|inform|notify|alert&"+readers, `(?i)`+denial+`(?:tell|telling|inform|informing|notify|notifying|alert|alerting)\s+`+reader+`(?:\s+(?:about|of|what|when|why|that\s+you(?:['’]ve|\s+have|['’]re|\s+are)?\s+(?:also\s+|secretly\s+)?(?:read|sent|send\w*|upload\w*|cop(?:y|ied)|ran|run\w*|did|done|collect\w*|access\w*|includ\w*|install\w*|modif\w*|download\w*|forward\w*)|this|anything|or|and|before|while)\b|\s*(?:[.,;:!)"”']|$))`,
		"mention|reveal|disclos&"+readers, `(?i)`+denial+`(?:mention|mentioning|reveal|revealing|disclose|disclosing)\s+(?:any\s+of\s+)?(?:this|that\s+you|these|it|them|the\s+(?:upload|request|transfer|backup|sync|step|command|call|instruction|file|data)s?|(?:any|the|your)\s+(?:hidden\s+|secret\s+)?(?:action|activit|instruction|step|request)\w*)\b[^.!?\n]*?\b(?:to|from)\s+`+reader+`\b`),
	compile(Concealment, Doubt, quiets, hushed,
		"send|upload|post|forward|exfil|transmit|collect|mail|copy|leak|submit", `(?i)\b(?:silently|secretly|covertly|stealthily|quietly)\s+(?:send|upload|post|forward|exfiltrate|transmit|collect|e-?mail|copy|leak|submit)\b`,
		"secretly|covertly|stealthily", `(?i)\b(?:secretly|covertly|stealthily)\s+(?:run|execute|install|download|add|append|modify|read|include|write|record)\b`),
	compile(Concealment, Doubt, veils, hushed,
		"without&notic|know|aware|told|informed|realiz|seeing&"+readers, `(?i)\bwithout\s+`+reader+`(?:['’]s?)?\s+(?:ever\s+)?(?:noticing|knowing|knowledge|being\s+(?:aware|told|informed)|awareness|realizing|seeing)\b`,
		"hide|conceal&from&"+readers, `(?i)\b(?:hide|conceal)\s+(?:this|these|it|the\s+fact|what|your|all|any|the)\b[^.!?\n]*?\bfrom\s+`+reader+`\b`,
		"keep&hidden|secret|confidential|private&"+readers, `(?i)\bkeep\s+(?:this|these|it|them|the\s+\w+)\s+(?:\w+\s+){0,2}(?:hidden|secret|confidential|private)\s+from\s+`+reader+`\b`,
		"not|n't|n’t|never&user|human|operator|developer", `(?i)\b(?:the\s+)?(?:user|human|operator|developer)s?\s+(?:must|should|can|may|need|do(?:es)?)\s*(?:not|n['’]t|never)\s+(?:ever\s+)?(?:be\s+(?:told|informed|made\s+aware|aware|notified)|notice|find\s+out|learn\s+(?:about|of)|become\s+aware)\b`),
	compile(SkippedConsent, Note, consents, "it tells the model not to ask",
		"without&ask|wait|requir|request|prompt&"+consentWords, `(?i)\bwithout\s+(?:ever\s+)?(?:asking|waiting|requiring|requesting|prompting)\s+(?:(?:for|the|user|any|their|explicit)\s+){0,4}`+consent+`\b`,
		"not|n't|n’t|never|dont&ask&"+consentWords, `(?i)\b(?:do\s+not|don['’]?t|never)\s+ask\s+(?:(?:for|the|user|any)\s+){0,4}`+consent+`\b`),
}

// findPhrases looks for orders in words. One that is forbidden, quoted or spoken of is none.
func findPhrases(t *Text, s *scan) []Hit {
	var out []Hit
	seen := map[int]bool{}
	for _, m := range s.marked(overrides | conceals | quiets | veils | consents) {
		var at text.Span
		lower := ""
		for i := range phrases {
			p := &phrases[i]
			if p.when&m.what == 0 || p.when == conceals && !denied(t.Src[:m.at.Start]) {
				continue
			}
			if at.Empty() {
				at = t.passage(m.at)
				lower = strings.ToLower(at.In(t.Src))
			}
			for _, x := range p.find(at.In(t.Src), lower) {
				h := Hit{Kind: p.kind, Level: p.level, Span: trim(t.Src, text.Span{Start: at.Start + x[0], End: at.Start + x[1]}), What: p.what}
				if seen[h.Span.Start] || !h.Span.Covers(m.at) || t.isTalk(&h) {
					continue
				}
				seen[h.Span.Start] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// denied reports whether a text ends with what turns the word behind it into a prohibition, as the patterns of concealment want.
func denied(before string) bool {
	before = strings.TrimRight(before, " \t\r\n\f")
	if ever := len(before) - len("ever"); ever > 0 && strings.EqualFold(before[ever:], "ever") && strings.IndexByte(" \t\r\n\f", before[ever-1]) >= 0 {
		before = strings.TrimRight(before[:ever], " \t\r\n\f")
	}
	last := strings.ToLower(before[max(0, len(before)-longestDenial):])
	return slices.ContainsFunc(denials, func(w string) bool { return strings.HasSuffix(last, w) })
}

var denials = []string{"not", "n't", "n’t", "dont", "never", "avoid", "without"}

const longestDenial = len("without")

// isTalk reports whether a phrase is not an order but spoken of. In code and tables, which show more often than they tell, it
// is worth a note.
func (t *Text) isTalk(h *Hit) bool {
	switch t.at(h.Span.Start) {
	case inScript, inFence, inTable, inCode:
		if t.depth > 0 {
			return false
		}
		h.Level = Note
		return t.warned(h.Span.Start) || t.at(h.Span.Start) == inCode || t.spoken(h.Span)
	case inComment:
		return t.quoted(h.Span) || forbids.MatchString(t.before(h.Span.Start))
	}
	return t.spoken(h.Span)
}
