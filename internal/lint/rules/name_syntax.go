package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// maxName is the longest name in characters. https://agentskills.io/specification
const maxName = 64

var nameSyntax = &lint.Rule{
	Name: "name/syntax", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"*/name-*", "changed/name/*"}, Must: true,
	Page: lint.Page{
		What: "The name holds anything but lower-case letters, digits and single hyphens.",
		Why: "The Agent Skills text allows nothing else, and many agents drop a skill with capitals, blanks, underscores or doubled hyphens in its name. " +
			"Others show it but look it up under another spelling.",
		Bad:  "---\nname: Demo Skill\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := nameField(p)
		if f == nil || validName(f.Text) || nameFault(f.Text) == "" {
			return
		}
		p.Report(lint.Finding{
			Span: f.Value,
			Message: fmt.Sprintf("the name %q %s; a name must be lowercase letters and digits with single hyphens, and equal the directory",
				f.Text, nameFault(f.Text)),
			Effect: "many agents drop the skill",
			Help:   suggestName(p, f.Text),
			Fixes:  setName(p, f, betterName(p, f.Text), false),
		})
	},
}

// nameField returns the name when it is a text that can be judged.
func nameField(p *lint.Pass) *skills.Field {
	f := valueField(p, "name")
	if f == nil || f.Tag() != "!!str" || isEmpty(f) {
		return nil
	}
	return f
}

var namePattern = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// validName reports whether a name is as the Agent Skills text wants it.
func validName(s string) bool { return len(s) <= maxName && namePattern.MatchString(s) }

// nameFault says in which way a name breaks the rule, or "" when only its length does.
func nameFault(s string) string {
	switch {
	case strings.Contains(s, " "):
		return "holds a space"
	case strings.ToLower(s) != s:
		return "holds capitals"
	case strings.Contains(s, "_"):
		return "holds an underscore"
	case strings.HasPrefix(s, "-"), strings.HasSuffix(s, "-"):
		return "starts or ends with a hyphen"
	case strings.Contains(s, "--"):
		return "holds consecutive hyphens"
	case !namePattern.MatchString(s):
		return fmt.Sprintf("holds the character %q", oddRune(s))
	}
	return ""
}

func oddRune(s string) rune {
	for _, r := range s {
		if r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return r
		}
	}
	return utf8.RuneError
}

// kebab turns a name into the form the Agent Skills text wants: words in lower case, joined by hyphens, letters without
// their accents. Of a name with letters of another script nothing is left: a part of it would be no word.
func kebab(s string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(s)))
	if strings.ContainsFunc(plain, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
		return ""
	}
	words := strings.FieldsFunc(plain, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}

// betterName returns what the name most likely should be: the folder's, when it is valid, else the name put
// into form.
func betterName(p *lint.Pass, name string) string {
	if validName(p.Skill.Folder) && p.Skill.Layout == skills.InFolder {
		return p.Skill.Folder
	}
	return kebab(name)
}

func suggestName(p *lint.Pass, name string) string {
	better := betterName(p, name)
	if !validName(better) {
		return "use lower-case letters, digits and hyphens"
	}
	if p.Skill.Layout == skills.InFolder && better != p.Skill.Folder {
		return fmt.Sprintf("write name: %s and rename the folder", better)
	}
	return "write name: " + better
}
