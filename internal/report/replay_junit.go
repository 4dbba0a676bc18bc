//go:build !js

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
	"github.com/skill-ls/skill-ls/internal/lint"
)

// replayJUnit prints a suite for each recording with a test for each call that there is something to say about, and one
// for all others. Errors and warnings fail.
func replayJUnit(w io.Writer, r *replay.Report) error {
	out := junitSuites{Name: "skilllint replay"}
	at := map[string]*junitSuite{}
	for _, rec := range r.Recordings {
		s := &junitSuite{Name: clean(rec.File)}
		at[rec.File] = s
		if rec.Fault != "" {
			s.add(junitCase{Name: "read", Class: s.Name, Failure: &junitFailure{"unreadable", clean(rec.Fault), clean(rec.Fault)}})
		}
		for _, n := range rec.Notes {
			s.add(noteCase(s.Name, n.Line, n.Message, n.Broken))
		}
	}
	told := map[string]int{}
	for _, c := range r.Calls {
		told[c.File]++
		at[c.File].add(callCase(c))
	}
	for _, rec := range r.Recordings {
		s := at[rec.File]
		if quiet := rec.Summary.Calls - told[rec.File] - r.More; quiet > 0 && rec.Fault == "" {
			s.add(junitCase{Name: Plural(quiet, "call") + " without findings", Class: s.Name})
		}
		out.Suites = append(out.Suites, *s)
		out.Tests += s.Tests
		out.Failures += s.Failures
	}
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

func noteCase(file string, line int, message string, broken bool) junitCase {
	c := junitCase{Name: fmt.Sprintf("line %d", line), Class: file}
	if broken {
		c.Failure = &junitFailure{"broken", clean(message), clean(message)}
	} else {
		c.Output = clean(message)
	}
	return c
}

func callCase(c *replay.Call) junitCase {
	out := junitCase{Name: fmt.Sprintf("%s at line %d", clean(c.Name), c.Line), Class: clean(c.File)}
	var lines []string
	var worst *replay.Finding
	for i := range c.Findings {
		f := &c.Findings[i]
		lines = append(lines, fmt.Sprintf("%s[%s]: %s", f.Severity, f.Kind, clean(f.Message)))
		if f.Severity >= lint.Warning && (worst == nil || f.Severity > worst.Severity) {
			worst = f
		}
	}
	if l := c.Live; l != nil {
		lines = append(lines, strings.TrimSpace("called again: "+string(l.Status)+" "+clean(l.Reason)))
		for _, e := range l.Edits {
			var b strings.Builder
			editText(&b, painter{}, string(e.Op), e.Pointer, e.Was, e.Now)
			lines = append(lines, strings.TrimSuffix(b.String(), "\n"))
		}
	}
	text := strings.Join(lines, "\n")
	if worst != nil {
		out.Failure = &junitFailure{string(worst.Kind), clean(worst.Message), text}
		return out
	}
	out.Output = text
	return out
}
