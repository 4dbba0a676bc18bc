package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit prints findings as test results, the form that most CI systems read: a suite for each file, a test
// for each finding. Errors and warnings fail, the others only have an output; a file without a finding is a
// test that passes.
func JUnit(w io.Writer, r *workspace.Result, _ Options) error {
	out := junitSuites{Name: "skilllint"}
	at := map[string]int{}
	suite := func(file string) *junitSuite {
		if _, known := at[file]; !known {
			at[file] = len(out.Suites)
			out.Suites = append(out.Suites, junitSuite{Name: clean(file)})
		}
		return &out.Suites[at[file]]
	}
	for _, f := range r.Findings {
		suite(f.File).add(toJUnit(r, f))
	}
	for _, file := range checked(r) {
		if _, found := at[file]; !found {
			suite(file).add(junitCase{Name: "no findings", Class: clean(file)})
		}
	}
	for _, s := range out.Suites {
		out.Tests += s.Tests
		out.Failures += s.Failures
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// checked returns the shown paths of the skills and MCP configurations.
func checked(r *workspace.Result) []string {
	var out []string
	for _, s := range r.Skills {
		out = append(out, s.Doc.Path)
	}
	for _, c := range r.Configs {
		out = append(out, c.Doc.Path)
	}
	return out
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
}

func toJUnit(r *workspace.Result, f lint.Finding) junitCase {
	place := clean(f.File) + lineOf(r.Doc(f.File), f.Span)
	c := junitCase{Name: f.Rule.Name + " at " + place, Class: clean(f.File)}
	text := fmt.Sprintf("%s: %s: %s", place, f.Severity, clean(f.Message))
	if f.Help != "" {
		text += "\n" + clean(f.Help)
	}
	if f.Severity < lint.Warning {
		c.Output = text
		return c
	}
	c.Failure = &junitFailure{f.Severity.String(), clean(f.Message), text}
	return c
}
