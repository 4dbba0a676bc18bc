package report

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// The parts of SARIF 2.1.0 that are used here.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string          `json:"id"`
	Short         sarifMessage    `json:"shortDescription"`
	Full          sarifMessage    `json:"fullDescription"`
	Help          sarifMessage    `json:"help"`
	Configuration sarifConfig     `json:"defaultConfiguration"`
	Properties    sarifProperties `json:"properties"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifProperties struct {
	Tags    []string `json:"tags,omitempty"`
	Help    string   `json:"help,omitempty"`
	Clients []string `json:"clients,omitempty"`
	Server  string   `json:"server,omitempty"`
	Tool    string   `json:"tool,omitempty"`
	Pointer string   `json:"pointer,omitempty"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
	Properties   *sarifProperties  `json:"properties,omitempty"`
}

type sarifLocation struct {
	ID       *int          `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
	ByteOffset  int `json:"byteOffset"`
	ByteLength  int `json:"byteLength"`
}

type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion   `json:"deletedRegion"`
	Inserted *sarifMessage `json:"insertedContent,omitempty"`
}

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	projectURI  = "https://github.com/skill-ls/skill-ls"
	// fingerprintKey names how the fingerprint is made; a change of that must change the name.
	fingerprintKey = "skilllint/v1"
)

// SARIF has no level below note.
var sarifLevel = map[lint.Severity]string{
	lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Hint: "note", lint.Off: "none",
}

// SARIF prints findings in the Static Analysis Results Interchange Format, with the pages of the rules that
// fired.
func SARIF(w io.Writer, r *workspace.Result, o Options) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "skilllint", Version: o.Version, URI: projectURI, Rules: []sarifRule{}}
	index := map[*lint.Rule]int{}
	prints := fingerprints(r)
	for i, f := range r.Findings {
		at, known := index[f.Rule]
		if !known {
			at = len(run.Tool.Driver.Rules)
			index[f.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, toSARIFRule(f.Rule))
		}
		result := toSARIF(r, f)
		result.RuleIndex = at
		result.Fingerprints = map[string]string{fingerprintKey: prints[i]}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func toSARIFRule(r *lint.Rule) sarifRule {
	return sarifRule{
		ID: r.Name, Short: sarifMessage{Text: r.Page.What}, Full: sarifMessage{Text: r.Page.What + " " + r.Page.Why},
		Help:          sarifMessage{plainPage(r), Page(r)},
		Configuration: sarifConfig{sarifLevel[r.Severity]},
		Properties:    sarifProperties{Tags: tags(r)},
	}
}

// tags returns the group of a rule and what it is called elsewhere, in the forms that code scanning services read.
// https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
func tags(r *lint.Rule) []string {
	out := []string{r.Group()}
	if r.Risk == nil {
		return out
	}
	if r.Group() != lint.SecurityGroup {
		out = append(out, lint.SecurityGroup)
	}
	for _, id := range r.Risk.CWE {
		out = append(out, fmt.Sprintf("external/cwe/cwe-%03d", id))
	}
	for _, id := range r.Risk.OWASP {
		out = append(out, "external/owasp/"+strings.ToLower(id))
	}
	return out
}

func toSARIF(r *workspace.Result, f lint.Finding) sarifResult {
	out := sarifResult{
		RuleID: f.Rule.Name, Level: sarifLevel[f.Severity], Message: sarifMessage{Text: f.Message},
		Locations: []sarifLocation{{Physical: sarifPlace(r, f.File, f.Span)}},
	}
	if f.Help != "" || f.Clients != nil || f.Server != "" {
		out.Properties = &sarifProperties{Help: f.Help, Clients: f.Clients, Server: f.Server, Tool: f.Tool, Pointer: f.Pointer}
	}
	for i, rel := range f.Related {
		out.Related = append(out.Related, sarifLocation{&i, sarifPlace(r, rel.File, rel.Span), &sarifMessage{Text: rel.Message}})
	}
	for _, fix := range f.Fixes {
		if len(fix.Edits) > 0 && len(fix.Renames)+len(fix.Creates) == 0 { // SARIF knows no other changes
			out.Fixes = append(out.Fixes, toSARIFFix(r, fix))
		}
	}
	return out
}

func sarifPlace(r *workspace.Result, file string, at text.Span) sarifPhysical {
	place := sarifPhysical{Artifact: sarifArtifact{fileURI(file)}}
	if doc := r.Doc(file); doc != nil {
		region := toRegion(locate(doc, at))
		place.Region = &region
	}
	return place
}

// fileURI returns a shown path as a relative reference. https://www.rfc-editor.org/rfc/rfc3986#section-4.2
func fileURI(file string) string { return (&url.URL{Path: file}).String() }

func toRegion(at textRange) sarifRegion {
	return sarifRegion{
		at.Start.Line, at.Start.Column, at.End.Line, at.End.Column,
		at.Start.Offset, at.End.Offset - at.Start.Offset,
	}
}

func toSARIFFix(r *workspace.Result, fix lint.Fix) sarifFix {
	title := fix.Title
	if !fix.Safe {
		title += " (look at the result: it may not be what was meant)"
	}
	out := sarifFix{Description: sarifMessage{Text: title}}
	at := map[string]int{}
	for _, e := range fix.Edits {
		i, known := at[e.File]
		if !known {
			i = len(out.Changes)
			at[e.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: sarifArtifact{fileURI(e.File)}})
		}
		change := sarifReplacement{Deleted: toRegion(locate(r.Doc(e.File), e.Span))}
		if e.New != "" {
			change.Inserted = &sarifMessage{Text: e.New}
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, change)
	}
	return out
}
