package rules

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

const (
	openAIHead = "-- demo/SKILL.md --\n" + demoSkill + "-- demo/agents/openai.yaml --\n"
	openAIGood = openAIHead + "interface:\n  display_name: \"Demo\"\n  short_description: \"Renames photos by their date\"\n  default_prompt: \"Use $demo on this folder.\"\n"
)

var openAIYAML = &lint.Rule{
	Name: "client/openai-yaml", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "agents/openai.yaml lies elsewhere, does not parse, holds an unknown key, or a value of another kind than Codex wants.",
		Why:  "Codex ignores the file, or the value, with a line in its log: display name, icons and policy have no effect.",
		Bad:  openAIHead + "interface:\n  display_name: \"Demo\"\npolicy:\n  allow_implicit_invocation: \"no\"\n",
		Good: openAIGood,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Sidecar == nil {
			reportStraySidecar(p)
			return
		}
		side, err := readSidecar(p.Skill.Sidecar)
		if err != nil {
			p.Report(side.syntaxFinding(err))
			return
		}
		if n := side.root; n.Kind != 0 && n.Kind != yaml.MappingNode && n.ShortTag() != "!!null" {
			p.Report(lint.Finding{File: side.doc.Path, Span: side.span(n), Message: "the file must hold keys: Codex ignores it", Help: "write interface:, policy: or dependencies: with keys below"})
			return
		}
		side.check(p, side.root, sidecarKeys, "")
	},
}

// straySidecars are where people put the file, with the name that tools of others have for it, or beside SKILL.md.
var straySidecars = []string{"agents/openai.yml", "openai.yaml", "openai.yml"}

// reportStraySidecar reports a file that is meant to be agents/openai.yaml and lies elsewhere.
func reportStraySidecar(p *lint.Pass) {
	for _, f := range p.Skill.Files {
		if !slices.Contains(straySidecars, strings.ToLower(f.Path)) && !strings.EqualFold(f.Path, skills.SidecarPath) {
			continue
		}
		doc, err := p.File(f.Path)
		if err != nil || !isSidecar(doc) {
			continue
		}
		from := path.Join(p.Skill.Dir, f.Path)
		p.Report(lint.Finding{
			File: from, Message: fmt.Sprintf("Codex does not read %s: it reads %s", f.Path, skills.SidecarPath),
			Help:  "move it to " + skills.SidecarPath,
			Fixes: []lint.Fix{{Title: "move it to " + skills.SidecarPath, Renames: []lint.Rename{{From: from, To: path.Join(p.Skill.Dir, skills.SidecarPath)}}}},
		})
		return
	}
}

// isSidecar reports whether a file holds what Codex reads there, and is no configuration of something else.
func isSidecar(doc *skills.Document) bool {
	side, err := readSidecar(doc)
	return err == nil && (side.find("interface") != nil || side.find("policy") != nil || side.find("dependencies", "tools") != nil)
}

var openAIPrompt = &lint.Rule{
	Name: "client/openai-default-prompt", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The default prompt in agents/openai.yaml does not name the skill as $name.",
		Why:  "Codex loads a skill that a prompt names with a dollar sign. Without the exact word the button starts a turn without the skill.",
		Bad:  openAIHead + "interface:\n  default_prompt: \"Use $demo-all on this folder.\"\n",
		Good: openAIGood,
	},
	Run: func(p *lint.Pass) {
		side := soundSidecar(p)
		prompt := side.find("interface", "default_prompt")
		if prompt == nil || prompt.Kind != yaml.ScalarNode || mentions(prompt.Value, p.Skill.Name()) {
			return
		}
		p.Report(lint.Finding{
			File: p.Skill.Sidecar.Path, Span: side.span(prompt),
			Message: fmt.Sprintf("the default prompt does not name $%s: Codex will not load the skill from it", p.Skill.Name()),
			Help:    fmt.Sprintf("write $%s in the prompt", p.Skill.Name()),
		})
	},
}

var openAIShortDescription = &lint.Rule{
	Name: "client/openai-short-description", Severity: lint.Info, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The short_description in agents/openai.yaml is shorter than 25 or longer than 64 characters.",
		Why:  "Codex shows it in one line of a card. Its skill creator wants 25 to 64 characters; a longer one is cut, a shorter one says nothing.",
		Bad:  openAIHead + "interface:\n  short_description: \"Too short\"\n",
		Good: openAIGood,
	},
	Options: []lint.Option{{Name: "min", Default: 25, Doc: "the fewest characters"}, {Name: "max", Default: 64, Doc: "the most characters"}},
	Run: func(p *lint.Pass) {
		side := soundSidecar(p)
		short := side.find("interface", "short_description")
		if short == nil || short.Kind != yaml.ScalarNode {
			return
		}
		n := utf8.RuneCountInString(short.Value)
		if n < p.Option("min") || n > p.Option("max") {
			p.Report(lint.Finding{
				File: p.Skill.Sidecar.Path, Span: side.span(short),
				Message: fmt.Sprintf("the short_description has a length of %d characters, outside %d to %d", n, p.Option("min"), p.Option("max")),
				Help:    "say in one line what the skill does",
			})
		}
	},
}

// sidecarKeys are the keys that Codex reads, with the kind of each value; "*" stands for a list item.
var sidecarKeys = map[string]string{
	"interface": "map", "interface.display_name": "text", "interface.short_description": "text", "interface.icon_small": "text",
	"interface.icon_large": "text", "interface.brand_color": "color", "interface.default_prompt": "text",
	"dependencies": "map", "dependencies.tools": "list", "dependencies.tools.*": "map", "dependencies.tools.*.type": "text",
	"dependencies.tools.*.value": "text", "dependencies.tools.*.description": "text", "dependencies.tools.*.transport": "text",
	"dependencies.tools.*.command": "text", "dependencies.tools.*.url": "text",
	"policy": "map", "policy.allow_implicit_invocation": "bool", "policy.products": "list", "policy.products.*": "text",
}

var colorPattern = lazyregexp.New(`^#[0-9A-Fa-f]{6}$`)

// sidecar is a parsed agents/openai.yaml.
type sidecar struct {
	doc  *skills.Document
	root *yaml.Node
}

func readSidecar(doc *skills.Document) (sidecar, error) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(strings.TrimPrefix(doc.Text, skills.BOM)), &node); err != nil {
		return sidecar{doc: doc}, err
	}
	if len(node.Content) == 0 {
		return sidecar{doc, &node}, nil
	}
	return sidecar{doc, node.Content[0]}, nil
}

// soundSidecar returns the skill's sidecar, empty when there is none or it does not parse.
func soundSidecar(p *lint.Pass) sidecar {
	if p.Skill.Sidecar == nil {
		return sidecar{}
	}
	side, err := readSidecar(p.Skill.Sidecar)
	if err != nil {
		return sidecar{}
	}
	return side
}

// find returns the value at a path of keys, or nil.
func (s sidecar) find(keys ...string) *yaml.Node {
	n := s.root
	for _, key := range keys {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		var next *yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				next = n.Content[i+1]
			}
		}
		n = next
	}
	return n
}

// span returns where a node stands, to the end of its line.
func (s sidecar) span(n *yaml.Node) text.Span {
	lines := s.doc.Lines()
	start := lines.PositionOffset(text.Position{Line: n.Line - 1, Column: n.Column - 1}, text.UTF32)
	end := lines.Line(n.Line - 1).End
	return text.Span{Start: start, End: max(start, start+len(strings.TrimRight(s.doc.Text[start:end], " \t")))}
}

func (s sidecar) syntaxFinding(err error) lint.Finding {
	f := lint.Finding{
		File:    s.doc.Path,
		Message: fmt.Sprintf("the file is not valid YAML (%v): Codex ignores it", err),
		Help:    "mend the YAML",
	}
	var le *yaml.LoadError
	if errors.As(err, &le) && le.Mark.Line > 0 {
		f.Message = fmt.Sprintf("the file is not valid YAML (%s): Codex ignores it", le.Message)
		f.Span = s.span(&yaml.Node{Line: le.Mark.Line, Column: le.Mark.Column})
	}
	return f
}

// check compares a node and all below it with what Codex reads.
func (s sidecar) check(p *lint.Pass, n *yaml.Node, known map[string]string, at string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			s.checkEntry(p, n.Content[i], n.Content[i+1], known, join(at, n.Content[i].Value))
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			s.checkEntry(p, item, item, known, join(at, "*"))
		}
	}
}

func (s sidecar) checkEntry(p *lint.Pass, key, value *yaml.Node, known map[string]string, at string) {
	want := known[at]
	switch {
	case want == "":
		p.Report(lint.Finding{
			File: s.doc.Path, Span: s.span(key),
			Message: fmt.Sprintf("unknown key %s: Codex does not read it", at),
			Help:    strings.TrimPrefix(lint.Suggest(at, siblings(known, at)), "; "),
		})
	case !fits(value, want):
		p.Report(lint.Finding{
			File: s.doc.Path, Span: s.span(value),
			Message: fmt.Sprintf("%s must be %s: Codex ignores the value", at, wantNoun[want]),
		})
	default:
		s.check(p, value, known, at)
	}
}

var wantNoun = map[string]string{"map": "a mapping", "list": "a list", "text": "a text", "bool": "true or false", "color": "a color like #1A2B3C in quotes"}

func fits(n *yaml.Node, want string) bool {
	switch want {
	case "map":
		return n.Kind == yaml.MappingNode
	case "list":
		return n.Kind == yaml.SequenceNode
	case "bool":
		return n.ShortTag() == "!!bool"
	case "color":
		return n.Kind == yaml.ScalarNode && colorPattern.MatchString(n.Value)
	}
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"
}

func siblings(known map[string]string, at string) []string {
	prefix := at[:strings.LastIndexByte(at, '.')+1]
	var out []string
	for k := range known {
		if strings.HasPrefix(k, prefix) && !strings.Contains(k[len(prefix):], ".") {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// mentions reports whether a prompt holds $name as a word of its own: $name-all is another skill.
func mentions(prompt, name string) bool {
	for rest := prompt; ; {
		i := strings.Index(rest, "$"+name)
		if i < 0 {
			return false
		}
		rest = rest[i+1+len(name):]
		next, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || !strings.ContainsRune("-_", next) && !isWord(next) {
			return true
		}
	}
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
