// Package lint runs rules over skills and MCP configurations and collects what they find. It knows nothing of files, editors or
// agents: skills come in parsed, findings go out as byte spans.
package lint

import (
	"fmt"
	"strings"
)

// Scope is what a rule reads, and so when it has to run again.
type Scope uint8

const (
	FrontScope     Scope = iota // the front matter of one skill
	BodyScope                   // the body of one skill
	SkillScope                  // one skill with its folder
	TextScope                   // the texts of one skill, or of one MCP configuration
	ConfigScope                 // one MCP configuration
	CatalogScope                // the tools of the servers of one MCP configuration
	WorkspaceScope              // all skills together
)

var scopeNames = [...]string{"front", "body", "skill", "text", "config", "catalog", "workspace"}

func (s Scope) String() string { return scopeNames[s] }

// Repair tells what a rule's fixes are like.
type Repair uint8

const (
	NoRepair Repair = iota
	SafeRepair
	UnsafeRepair
	MixedRepair // safe or not, depending on the place
)

var repairNames = [...]string{"none", "safe", "unsafe", "sometimes safe"}

func (r Repair) String() string { return repairNames[r] }

// Rule is one check.
type Rule struct {
	Name     string   // group/kebab-words
	Severity Severity // unless configured otherwise
	Scope    Scope
	Since    string // the version it came with
	Repair   Repair
	// Explains holds the losses a client may suffer that this rule gives the cause of, as patterns of
	// path.Match: "stage/check" or "changed/field/kind".
	Explains []string
	Unhurt   Severity // the level while no judged client is hurt; Off: the same
	Must     bool     // what it finds breaks a MUST: an error when a judged client drops the skill
	Risk     *Risk    // nil for a rule that has nothing to do with security
	Page     Page
	Options  []Option
	Run      func(*Pass)
}

// Page is what `explain`, hover and the documentation show of a rule.
type Page struct {
	What    string   // one sentence
	Why     string   // what happens because of it, with evidence
	Bad     string   // an example that the rule finds; a whole SKILL.md or a part of its front matter
	Good    string   // the example put right
	Clients []string // whom the examples are linted for; nobody when empty
}

// Risk names the weakness that a rule is about, in the words that security tools share.
type Risk struct {
	CWE   []int    // https://cwe.mitre.org
	OWASP []string // of the Agentic Skills Top 10 (AST01…) and the Top 10 for LLM applications of 2025 (LLM01…)
}

// SecurityGroup is the group that rules with a risk belong to besides their own.
const SecurityGroup = "security"

// Option is a number that a configuration may set for a rule.
type Option struct {
	Name    string
	Default int
	Doc     string
}

// Group returns the part of the name before the slash.
func (r *Rule) Group() string {
	group, _, _ := strings.Cut(r.Name, "/")
	return group
}

// In reports whether a name stands for the rule: its own, that of its group, or "security" for one with a risk.
func (r *Rule) In(name string) bool {
	return name == r.Name || name == r.Group() || name == SecurityGroup && r.Risk != nil
}

// Docs returns the address of the rule's page, relative to the documentation's root. A file called nul.md cannot be on
// Windows: https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions
func (r *Rule) Docs() string {
	page := "docs/rules/" + r.Name
	if strings.HasSuffix(page, "/nul") {
		page += "-character"
	}
	return page + ".md"
}

// Registry is the list of all rules.
type Registry struct {
	rules  []*Rule
	byName map[string]*Rule
}

// NewRegistry returns a registry of rules. Two rules of one name are a fault of the program.
func NewRegistry(rules []*Rule) *Registry {
	r := &Registry{rules: rules, byName: make(map[string]*Rule, len(rules))}
	for _, rule := range rules {
		if r.byName[rule.Name] != nil {
			panic(fmt.Sprintf("lint: two rules are called %s", rule.Name))
		}
		r.byName[rule.Name] = rule
	}
	return r
}

// Rules returns all rules in their order.
func (r *Registry) Rules() []*Rule { return r.rules }

// Rule returns the rule of that name, or nil.
func (r *Registry) Rule(name string) *Rule { return r.byName[name] }

// Match returns the rules that a rule or group name, or "all", stands for. An unknown name is an error
// that names the nearest known one.
func (r *Registry) Match(name string) ([]*Rule, error) {
	var out []*Rule
	for _, rule := range r.rules {
		if name == "all" || rule.In(name) {
			out = append(out, rule)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("no rule or group is called %q%s", name, Suggest(name, r.names()))
	}
	return out, nil
}

func (r *Registry) names() []string {
	var names []string
	for _, rule := range r.rules {
		names = append(names, rule.Name, rule.Group())
	}
	return names
}
