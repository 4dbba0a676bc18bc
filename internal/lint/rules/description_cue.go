package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// cues are how a description says when to use the skill, in the languages of published skills: English, German,
// French, Spanish, Portuguese, Turkish, Russian, Japanese, Chinese and Korean.
const cues = `\b(use|used|using|apply|invoke|activate|load|run|call) (this |it |these |the )?(skills? )?(proactively )?(when|for|if|to|whenever|after|before|on|in|with|by)\b|` +
	`\bwhen(ever)?\b|\btrigger|\b(read|consult) (this |it )?(before|first)\b|\bfor ["“‘]|\b(if|before|after) (the user|you|a|an|any)\b|\bask(s|ed|ing)?\b|\bmention|\bneeds?\b|\bwants?\b|\bsays?\b|\bfor (any|all|every|users?)\b|` +
	`\b(wenn|sobald|verwend\w+|nutze|quand|lorsque|utilise[rz]?|cuando|utiliza|usar|quando|kullan\w*|zaman)\b|когда|использ|` +
	`用于|使用|当|适用|触发|觸發|時|时|とき|場合|際|때|경우|사용`

var (
	cue = lazyregexp.New(`(?i)` + cues)
	// cueWords finds cues in a text in lower case at a fraction of the cost.
	cueWords = lazyregexp.NewKeyed("when use using trigger ask need want for apply invoke activate load run call read consult if before after mention say "+
		"wenn sobald verwend nutze quand lorsque utilise cuando utiliza usar kullan zaman когда использ 用于 使用 当 适用 触发 觸發 時 时 とき 場合 際 때 경우 사용", cues)
)

// hasCue reports whether a text has a cue.
func hasCue(s string) bool { return cueWords.MatchString(strings.ToLower(s)) }

// stringField returns a field whose value is a text that is not empty, or nil.
func stringField(p *lint.Pass, name string) *skills.Field {
	f := valueField(p, name)
	if f == nil || f.Tag() != "!!str" || strings.TrimSpace(f.Text) == "" {
		return nil
	}
	return f
}

// descriptionStart returns where the text of a description starts, and where its first line ends.
func descriptionStart(p *lint.Pass, f *skills.Field) text.Span {
	raw := f.Value.In(p.Text())
	start := f.Value.Start
	switch raw[0] {
	case '"', '\'':
		start++
	case '|', '>':
		rest := raw[blockHeader(raw):]
		start = f.Value.End - len(strings.TrimLeft(rest, " \t\r\n"))
	}
	end := start + len(p.Text()[start:f.Value.End])
	if i := strings.IndexAny(p.Text()[start:end], "\r\n"); i >= 0 {
		end = start + i
	}
	return text.Span{Start: start, End: end}
}

var descriptionNoCue = &lint.Rule{
	Name: "description/no-cue", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "A short, general English description names a subject and no situation.",
		Why: "Before it loads a skill a model sees its name and description alone. \"Helps with code quality\" fits everything and so is chosen for nothing. Half of the published descriptions have no \"use when\" and many do well: " +
			"only those of at most three words that mean something are judged, and only in English. 2 of 332 descriptions in a sample are that bare.",
		Bad:  "---\nname: demo\ndescription: Helps with photo quality.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Sharpens blurred photos. Use when a photo is out of focus.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if f := stringField(p, "description"); f != nil && generalOnly(p, f) {
			p.Report(lint.Finding{
				Span:    descriptionStart(p, f),
				Message: "the description does not say when to use the skill: it names a subject and no situation",
				Help:    "add the situations and the words of a user that call for it, such as: Use when …",
			})
		}
	},
}

// mostBare is how many words that mean something a bare description has at most.
const mostBare = 3

// generalOnly reports whether a description is short, general and without a cue, and no other rule says what is wrong
// with it.
func generalOnly(p *lint.Pass, f *skills.Field) bool {
	commented := strings.IndexByte(p.Text()[f.Value.End:f.Extent.End], '#') >= 0
	return len(f.Text) <= 80 && !commented && english(f.Text) && meaning(f.Text) <= mostBare && !hasCue(f.Text) &&
		!unfilled(f.Text) && !rolePrompt.MatchString(f.Text) && !sameWords(f.Text, p.Skill.Name())
}

// emptyWords carry no meaning by which a skill could be chosen.
var emptyWords = setOf(`a an the and or of for to in on with from by your you it its this that is are be as at all any various general generic skill skills tool tools
	utility utilities help helps helping helper assist assists assistant support supports provide provides manage manages handle handles do does make makes work works
	task tasks thing things stuff best better good great powerful comprehensive simple easy useful`)

// englishWords tell that a short text is English.
var englishWords = setOf(`a an the and of for to with your that is from helps help assists provides manages handles supports skill tool tools example`)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// meaning counts the words of a text that carry meaning.
func meaning(s string) int {
	n := 0
	for _, w := range wordsOf(s) {
		if !emptyWords[w] {
			n++
		}
	}
	return n
}

// english reports whether a text is in English for certain: its letters are those of ASCII, and it holds one of its
// small words.
func english(s string) bool {
	if !isASCII(s) {
		return false
	}
	for _, w := range wordsOf(s) {
		if englishWords[w] {
			return true
		}
	}
	return false
}

// wordsOf returns the words of a text in lower case.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), notInWord)
}

var descriptionLateCue = &lint.Rule{
	Name: "description/late-cue", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Explains: []string{"changed/description/cut"},
	Page: lint.Page{
		What: "A client that judges the skill cuts the description before the words that say when to use it.",
		Why: "Kimi Code shows 250 characters of a description, VT Code 32. What stands behind them helps nobody there to choose the skill; what comes first should say what it is for. " +
			"Descriptions over the limit of all clients, and with dashes that end them for some, have rules of their own.",
		Bad: "---\nname: demo\ndescription: Renames photos by the date they were taken, sorts them into folders by year and month, finds copies that differ in size only, " +
			"keeps a log of what was moved, and can undo the last run of it in full, if the folder was the wrong one, on all systems that have exiftool. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good:    demoSkill,
		Clients: []string{"kimi-code"},
	},
	Run: func(p *lint.Pass) {
		f := stringField(p, "description")
		if f == nil || len([]rune(f.Text)) > maxDescription || strings.Contains(f.Text, "---") {
			return
		}
		for _, played := range p.View.Played(p.Skill) {
			c := cutOf(played.Outcome)
			if c == nil {
				continue
			}
			if at := cue.FindStringIndex(f.Text); at != nil && at[0] >= len(c.To)-len("…") {
				p.Report(lint.Finding{
					Span:    f.Key,
					Message: fmt.Sprintf("the words that say when to use the skill (%q) come too late in the description", strings.TrimSpace(f.Text[at[0]:at[1]])),
					Help:    "put them first",
				})
				return
			}
		}
	},
}

// cutOf returns the change of a client that cuts the description of every skill that long, or nil: a client that is
// short of room for the list cuts what it did not cut elsewhere.
func cutOf(o *profile.Outcome) *profile.Change {
	if o.Status != profile.Changed || o.Stage == profile.StageBudget || len(o.Changes) == 0 {
		return nil
	}
	if c := &o.Changes[0]; c.Field == "description" && c.Kind == "cut" {
		return c
	}
	return nil
}

var descriptionBodyCue = &lint.Rule{
	Name: "description/cue-in-body", Severity: lint.Info, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The body has a section on when to use the skill, and the description says nothing of it.",
		Why: "No client shows the body before the skill is chosen: what stands under \"When to use\" comes too late. 12 of 332 published skills in a sample keep their triggers there alone. " +
			"Cues are known in ten languages; headings in English.",
		Bad:  "---\nname: demo\ndescription: Renames photos by the date in their EXIF data, sorted into folders.\n---\n\n# Demo\n\n## When to use this skill\n\nPhotos have camera names.\n",
		Good: "---\nname: demo\ndescription: Renames photos by the date in their EXIF data. Use when photos have camera names.\n---\n\n# Demo\n\n## When to use this skill\n\nPhotos have camera names.\n",
	},
	Run: func(p *lint.Pass) {
		f := stringField(p, "description")
		if f == nil {
			return
		}
		if hasCue(f.Text) || hasCue(whenToUse(p)) || generalOnly(p, f) {
			return
		}
		h := headingOnUse(p)
		if h.Empty() {
			return
		}
		p.Report(lint.Finding{
			Span:    f.Key,
			Message: "the description does not say when to use the skill: the body does, which no model sees before it has chosen",
			Help:    "say it in the description",
			Related: []lint.Related{{File: p.Doc().Path, Span: h, Message: "what the description lacks"}},
		})
	},
}

// headingOnUse returns the first heading of a section on when to use the skill; empty when there is none.
func headingOnUse(p *lint.Pass) text.Span {
	if !mayHeadUse(p.Text()) {
		return text.Span{} // most texts need not be scanned for headings
	}
	for _, h := range p.Skill.Body().Headings {
		if title := h.Text.In(p.Text()); namesUse(title) && cueHeading.MatchString(title) {
			return h.Text
		}
	}
	return text.Span{}
}

func namesUse(title string) bool {
	return strings.Contains(title, "hen") || strings.Contains(title, "rigger")
}

// mayHeadUse reports whether a line of a text may be such a heading: one that begins with "#", or one that is underlined.
func mayHeadUse(src string) bool {
	before := ""
	for line := range strings.Lines(src) {
		line = strings.Trim(line, "> \t\r\n")
		underline := line != "" && (line[0] == '-' || line[0] == '=') && strings.Trim(line, line[:1]) == ""
		if underline && before != "" || strings.IndexByte(line, '#') >= 0 && namesUse(line) {
			return true
		}
		before = line
	}
	return false
}

// cueHeading is the heading of a section on when to use a skill.
var cueHeading = lazyregexp.New(`(?i)^\W*(when (to|should) (use|apply|invoke|activate|i use|you use)|use (this skill )?when|triggers?$|trigger (phrases|conditions|words))`)

// whenToUse returns the text of the field that some clients show behind the description.
func whenToUse(p *lint.Pass) string {
	if f := stringField(p, "when_to_use"); f != nil {
		return "use when " + f.Text
	}
	return ""
}
