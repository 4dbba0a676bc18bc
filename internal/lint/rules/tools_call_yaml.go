package rules

import (
	"encoding/json"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// readYAML checks the calls in a block of YAML.
func (t *toolTalk) readYAML(p *lint.Pass, content text.Span) {
	var root yaml.Node
	if yaml.Unmarshal([]byte(content.In(p.Text())), &root) != nil {
		return // an example need not be whole
	}
	block := yamlBlock{p.Doc(), content}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if c, tool := t.yamlCall(n, block); tool != nil {
			c.check(p, tool)
		}
		for _, inside := range n.Content {
			visit(inside)
		}
	}
	visit(&root)
}

func (t *toolTalk) yamlCall(n *yaml.Node, block yamlBlock) (call, *toolOf) {
	name, arguments := yamlMember(n, nameKeys, yaml.ScalarNode), yamlMember(n, argumentKeys, yaml.MappingNode)
	if name == nil || arguments == nil {
		return call{}, nil
	}
	tool := t.only(name.Value)
	if tool == nil {
		return call{}, nil
	}
	c := call{at: block.span(name)}
	for i := 0; i+1 < len(arguments.Content); i += 2 {
		key, value := arguments.Content[i], arguments.Content[i+1]
		c.arguments = append(c.arguments, argument{key.Value, block.span(key), yamlValue(value), block.span(value)})
	}
	return c, tool
}

// yamlMember returns the first of some members of a mapping that is there with the right kind.
func yamlMember(n *yaml.Node, keys []string, kind yaml.Kind) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for _, key := range keys {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key && n.Content[i+1].Kind == kind {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// yamlValue returns a value as JSON, nil for one that JSON does not have.
func yamlValue(n *yaml.Node) *catalog.Node {
	var v any
	if n.Decode(&v) != nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	out, err := catalog.Parse(string(data))
	if err != nil {
		return nil
	}
	return out
}

// yamlBlock is a block of YAML in a document.
type yamlBlock struct {
	doc *skills.Document
	at  text.Span
}

// span returns where a node starts, to the end of its text if that is all on one line.
func (b yamlBlock) span(n *yaml.Node) text.Span {
	lines := b.doc.Lines()
	line := lines.Line(min(lines.OffsetLine(b.at.Start)+n.Line-1, lines.Lines()-1))
	start := min(line.Start+n.Column-1, line.End)
	end := min(start+len(n.Value), line.End)
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		end = min(end+len("''"), line.End)
	}
	return text.Span{Start: start, End: end}
}
