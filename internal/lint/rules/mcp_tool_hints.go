package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
)

var mcpToolAnnotations = &lint.Rule{
	Name: "mcp-tool/annotations", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Risk: &lint.Risk{CWE: []int{451}, OWASP: []string{"AST04"}},
	Page: lint.Page{
		What: "A tool says that it only reads and that it destroys.",
		Why:  "destructiveHint means something only where readOnlyHint is false (MCP 2025-03-26). Clients that let read-only tools run without asking do so with this one.",
		Bad:  toolsExample(strings.Replace(toolExample("search_manual", goodSchema), `{"readOnlyHint": true}`, `{"readOnlyHint": true, "destructiveHint": true}`, 1)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		readOnly, _ := t.Annotation("readOnlyHint")
		destructive, _ := t.Annotation("destructiveHint")
		if readOnly && destructive {
			p.Report(t.at("/annotations/destructiveHint", lint.Finding{Message: t.title() + ": readOnlyHint and destructiveHint are both true: they contradict each other"}))
		}
	}),
}

// changingVerb begins the name of a tool that changes something.
var changingVerb = lazyregexp.New(`(?i)^(delete|remove|drop|destroy|write|create|update|insert|send|exec|execute|run|kill|purge|truncate|overwrite)([_-]|[A-Z]|$)`)

// changes begins a description of a tool that changes something. Verbs that also begin those of tools that read are left
// out: "Runs a query", "Creates a summary", "Sends a GET request".
var changes = lazyregexp.New(`^(?i)(?:permanently )?(?:deletes?|destroys?|overwrites?|truncates?|purges?|erases?|writes?|updates?|inserts?|uninstalls?|kills?)\b`)

var mcpToolReadOnly = &lint.Rule{
	Name: "mcp-tool/read-only", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Risk: &lint.Risk{CWE: []int{451}, OWASP: []string{"AST04"}},
	Page: lint.Page{
		What: "A tool says that it only reads, and its name, or the first word of its description, says that it changes something.",
		Why:  "AgentScope and others let tools with readOnlyHint run without asking: a wrong hint takes the user's say away.",
		Bad:  toolsExample(toolExample("delete_manual", goodSchema)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		readOnly, _ := t.Annotation("readOnlyHint")
		if !readOnly {
			return
		}
		f := lint.Finding{}
		if verb := changingVerb.FindStringSubmatch(t.Name()); verb != nil {
			f.Message = fmt.Sprintf("%s has readOnlyHint, though its name says %s: some clients run it without asking", t.title(), strings.ToLower(verb[1]))
		} else if verb := changes.FindString(t.Description()); verb != "" {
			f.Message = fmt.Sprintf("%s has readOnlyHint, though its description begins with %q: some clients run it without asking", t.title(), verb)
		} else {
			return
		}
		p.Report(t.at("/annotations/readOnlyHint", f))
	}),
}

var mcpToolNoAnnotations = &lint.Rule{
	Name: "mcp-tool/no-annotations", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A tool has no annotations.",
		Why:  "Without them it counts as one that destroys and reaches out to the world, and clients ask for every call.",
		Bad:  toolsExample(`{"name": "search_manual", "description": "Searches the manual for a word.", "inputSchema": ` + goodSchema + `}`),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		if t.Is(catalog.Object) && t.Get("annotations") == nil {
			p.Report(t.at("", lint.Finding{Message: t.title() + " has no annotations: clients take it for one that destroys"}))
		}
	}),
}

var mcpToolTaskOnly = &lint.Rule{
	Name: "mcp-tool/task-only", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A tool can be called as a task only.",
		Why:  "execution.taskSupport is \"required\" (MCP 2025-11-25): a plain call fails, and most clients know no other.",
		Bad:  toolsExample(strings.Replace(toolExample("search_manual", goodSchema), `"inputSchema"`, `"execution": {"taskSupport": "required"}, "inputSchema"`, 1)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		if t.TaskSupport() == "required" {
			p.Report(t.at("/execution/taskSupport", lint.Finding{Message: t.title() + " can be called as a task only: most clients cannot call it"}))
		}
	}),
}

// maxResult is the most that anthropic/maxResultSizeChars may be. https://code.claude.com/docs/en/mcp
const maxResult = 500_000

var mcpToolMeta = &lint.Rule{
	Name: "mcp-tool/meta", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A key of _meta that Claude Code knows has a value that it does not take.",
		Why:  "`anthropic/alwaysLoad` and `anthropic/requiresUserInteraction` have to be true or false, `anthropic/maxResultSizeChars` a number up to 500,000: anything else has no effect.",
		Bad:  toolsExample(strings.Replace(toolExample("search_manual", goodSchema), `"inputSchema"`, `"_meta": {"anthropic/alwaysLoad": "true"}, "inputSchema"`, 1)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		meta := t.Get("_meta")
		for _, key := range []string{"anthropic/alwaysLoad", "anthropic/requiresUserInteraction"} {
			if v := meta.Get(key); v != nil && !v.Is(catalog.Bool) {
				p.Report(t.at(catalog.Join("/_meta", key), lint.Finding{Message: fmt.Sprintf("%s: %s is %s, not true or false: it has no effect", t.title(), key, v.Kind)}))
			}
		}
		const size = "anthropic/maxResultSizeChars"
		if v := meta.Get(size); v != nil {
			if n, err := strconv.Atoi(v.Raw()); err != nil || n <= 0 || n > maxResult {
				p.Report(t.at(catalog.Join("/_meta", size), lint.Finding{Message: fmt.Sprintf("%s: %s is no number from 1 to %d: it has no effect", t.title(), size, maxResult)}))
			}
		}
	}),
}

var mcpToolIcons = &lint.Rule{
	Name: "mcp-tool/icons", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "An icon of a tool is at another address than https: or data:.",
		Why:  "Clients must not load icons by other schemes (MCP 2025-11-25), so nobody sees it.",
		Bad:  toolsExample(strings.Replace(toolExample("search_manual", goodSchema), `"inputSchema"`, `"icons": [{"src": "file:///opt/docs/icon.png"}], "inputSchema"`, 1)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for i, icon := range t.Get("icons").List() {
			src := icon.Get("src")
			if !src.Is(catalog.String) || safeIcon.MatchString(src.Text()) {
				continue // mcp-tool/shape tells of what is no icon
			}
			at := catalog.Join("/icons", strconv.Itoa(i), "src")
			p.Report(t.at(at, lint.Finding{Message: fmt.Sprintf("%s: clients do not load the icon %s: its address is neither https: nor data:", t.title(), shortened(src.Text()))}))
		}
	}),
}

var safeIcon = lazyregexp.New(`(?i)^(https|data):`)

// structured is the first revision with outputSchema. https://modelcontextprotocol.io/specification/2025-06-18/changelog
const structured = "2025-06-18"

var mcpToolOutputSchema = &lint.Rule{
	Name: "mcp-tool/output-schema", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A tool has an outputSchema, and its server speaks a version of MCP that knows none.",
		Why:  "outputSchema came with 2025-06-18. Clients that go by the version read past it, and past the structured result.",
		Bad: strings.Replace(toolsExample(strings.Replace(toolExample("search_manual", goodSchema), `"inputSchema"`, `"outputSchema": {"type": "object"}, "inputSchema"`, 1)),
			`{"tools"`, `{"initialize": {"protocolVersion": "2025-03-26", "capabilities": {"tools": {}}}, "tools"`, 1),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		if version := t.offer.Server.ProtocolVersion; t.OutputSchema() != nil && version != "" && version < structured {
			p.Report(t.at("/outputSchema", lint.Finding{Message: fmt.Sprintf("%s: outputSchema is no part of MCP %s, which the server speaks", t.title(), version)}))
		}
	}),
}
