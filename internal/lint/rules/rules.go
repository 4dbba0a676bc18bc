// Package rules holds the checks, one file each. The list in this file is the only registry.
package rules

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// All returns every rule, by group and then by name.
func All() []*lint.Rule {
	return slices.Concat(linkRules(), referRules(), mcpConfigRules(), mcpToolRules(), toolCallRules(), securityRules(), []*lint.Rule{
		clientChanged,
		clientDropped,
		listingBudget,
		openAIPrompt,
		openAIShortDescription,
		openAIYAML,

		descriptionLineBreak,
		descriptionMarkup,
		descriptionMissing,
		descriptionTooLong,
		descriptionType,

		fieldBoolean,
		fieldClientOnly,
		fieldCompatibilityTooLong,
		fieldKeyCase,
		fieldMetadataValue,
		fieldMisspelt,
		fieldType,
		fieldUnknown,
		fieldWrongKey,

		fileBOM,
		fileEmpty,
		fileEncoding,
		fileFlat,
		fileHiddenFolder,
		fileInRoot,
		fileLineEnds,
		fileNameCase,
		fileNested,
		fileNUL,
		fileSecondSkill,
		fileTooLarge,
		fileUnreadable,
		fileWrongFolder,

		frontDashesInValue,
		frontFence,
		frontFenceSpace,
		frontFormat,
		frontMissing,
		frontNotMapping,
		frontTextBefore,
		frontUnclosed,

		nameFolder,
		nameMissing,
		nameReserved,
		nameSyntax,
		nameTooLong,
		nameType,

		duplicateName,
		unusedSuppression,

		yamlAnchor,
		yamlColumnZero,
		yamlControl,
		yamlDuplicateKey,
		yamlHashComment,
		yamlIndent,
		yamlInvalidEscape,
		yamlLeadingIndicator,
		yamlMissingSpace,
		yamlOddBlank,
		yamlSyntax,
		yamlTabIndent,
		yamlTextAfterValue,
		yamlUnclosedValue,
		yamlUnquotedColon,
	})
}

// Registry returns the registry of all rules.
func Registry() *lint.Registry { return lint.NewRegistry(All()) }

// since is the version these rules came with.
const since = "0.1.0"

// unread are the losses of a skill whose front matter a client cannot read, or reads otherwise than it is meant.
var unread = []string{
	"read/*", "fence/*", "parse/yaml", "parse/not-a-map", "parse/key-type", "coerce/*", "check/*-required", "check/*-kind", "check/body-*",
	"visibility/name", "visibility/description", "changed/*/body", "changed/*/emptied", "changed/*/folder", "changed/*/other", "changed/*/rewritten", "changed/*/cut",
}

// parsed reports whether the skill has YAML front matter whose fields can be judged.
func parsed(p *lint.Pass) bool {
	return p.Skill.Err == nil && p.Skill.Front.Format == skills.YAML
}

// field returns a field of parsed front matter, or nil.
func field(p *lint.Pass, name string) *skills.Field {
	if !parsed(p) {
		return nil
	}
	return p.Skill.Front.Field(name)
}

// valueField returns a field whose value YAML can read. What the broken ones mean is not judged: the rule about YAML has
// told them already.
func valueField(p *lint.Pass, name string) *skills.Field {
	if f := field(p, name); f != nil && !f.Broken {
		return f
	}
	return nil
}

// eol returns the line break that the text uses.
func eol(src string) string {
	i := strings.IndexAny(src, "\r\n")
	switch {
	case i < 0 || src[i] == '\n':
		return "\n"
	case strings.HasPrefix(src[i:], "\r\n"):
		return "\r\n"
	}
	return "\r"
}

// firstLine returns the span of the first line, a byte order mark left out.
func firstLine(p *lint.Pass) text.Span {
	s := p.Doc().Lines().Line(0)
	s.Start = max(s.Start, p.Doc().Marks().End)
	return s
}

// fencePlace returns where a finding about something that is not there goes: the opening fence, or the
// first line.
func fencePlace(p *lint.Pass) text.Span {
	if open := p.Skill.Front.Open.Span; p.Skill.Front.Exists() && !open.Empty() {
		return open
	}
	return firstLine(p)
}
