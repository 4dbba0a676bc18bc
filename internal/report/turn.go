//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
)

// Turn prints a turn that was played, as text, json, markdown or prompt: the messages of the last request, one a line.
// Credentials are hidden in each of them. Its errors are those of w.
func Turn(w io.Writer, t *turn.Transcript, format string, o SimulateOptions) error {
	t = t.Redacted()
	switch format {
	case "json":
		out := simulationToJSON(t.Simulation, o)
		out.Notes = notNil(t.Notes)
		out.Turn = turnToJSON(t)
		return writeJSON(w, out)
	case "prompt":
		for _, m := range t.Wire {
			if _, err := fmt.Fprintf(w, "%s\n", m); err != nil {
				return err
			}
		}
		return nil
	case "markdown":
		_, err := io.WriteString(w, turnMarkdown(t))
		return err
	}
	_, err := io.WriteString(w, turnText(t, o))
	return err
}

func turnText(t *turn.Transcript, o SimulateOptions) string {
	s := t.Simulation
	w := &simulationWriter{painter: painter{o.Color}}
	w.line("%s %s (%s); %s: %s, %s", s.Profile.Label, s.Profile.Version, s.Profile.Evidence.Level, clean(t.Script), Plural(t.Requests, "request"), endWords(t))
	w.parts(s.Prompt)
	for _, e := range t.Entries {
		w.line("\n%s%s", w.paint(bold, clean(entryTitle(t, e))), inexact(e))
		w.indented(entryText(e))
	}
	w.judgements(t)
	for i, n := range t.Notes {
		if i == 0 {
			w.line("")
		}
		w.line("%s %s", w.paint(cyan, "note:"), clean(n))
	}
	return w.String()
}

// endWords tells how the last reply ended.
func endWords(t *turn.Transcript) string {
	switch t.End {
	case turn.NotEnded:
		return "the reply goes on"
	case turn.Completed:
		return "the reply is complete"
	case turn.MaxIters:
		return "the rounds of calls are used up"
	case turn.Waiting:
		return "the reply waits for permission"
	case turn.Crashed:
		return "the reply has crashed"
	}
	return "the reply ends"
}

func inexact(e turn.Entry) string {
	if e.Exact {
		return ""
	}
	return " (not exact)"
}

// entryTitle says who speaks, or what is called.
func entryTitle(t *turn.Transcript, e turn.Entry) string {
	tool := e.Tool
	if e.Server != "" {
		tool += " (" + e.Server + "/" + e.Original + ")"
	}
	switch e.Kind {
	case turn.Said:
		return t.Agent
	case turn.Called:
		return t.Agent + " calls " + tool
	case turn.Returned:
		state := ""
		if e.State != "" {
			state = ": " + e.State
		}
		return "result of " + tool + state
	case turn.Hint:
		return "added by the client"
	case turn.Notice:
		return "told to the user"
	}
	return string(e.Kind)
}

// entryText is what an entry says, with a word for what is no text.
func entryText(e turn.Entry) string {
	if e.Kind == turn.Called {
		return e.Arguments
	}
	if e.Output == nil {
		return e.Text
	}
	out := e.Text
	for _, b := range e.Output.Blocks {
		if b.Type != "text" {
			out += fmt.Sprintf("\n[%s %s, %d characters of base64]", b.Type, b.MIME, len(b.Data))
		}
	}
	return strings.TrimPrefix(out, "\n")
}

// judgements shows what failed and what is lost.
func (t *simulationWriter) judgements(tr *turn.Transcript) {
	for _, f := range tr.Failures {
		t.line("\n%s: %s %s", clean(placed(tr, f.Place)), t.paint(red, "failed:"), clean(f.Message))
		for line := range strings.Lines(difference(f)) {
			line = strings.TrimRight(line, "\r\n")
			t.line("  %s", t.paint(diffColor(line), clean(line)))
		}
		if f.Help != "" {
			t.line("  help: %s", clean(f.Help))
		}
	}
	for _, f := range tr.Findings {
		level := t.paint(severityColor[f.Severity], fmt.Sprintf("%s[%s]:", f.Severity, turn.LostOutput))
		t.line("\n%s: %s %s%s", clean(placed(tr, f.Place)), level, clean(about(f)), expectedWord(f))
	}
}

func expectedWord(f turn.Finding) string {
	if f.Expected {
		return " (expected)"
	}
	return ""
}

func about(f turn.Finding) string {
	if f.Tool == "" {
		return f.Message
	}
	if f.Server == "" {
		return f.Tool + ": " + f.Message
	}
	return f.Server + "/" + f.Tool + ": " + f.Message
}

func placed(t *turn.Transcript, p turn.Place) string {
	if p.Line == 0 {
		return t.Script
	}
	return fmt.Sprintf("%s:%d:%d", t.Script, p.Line, p.Column)
}

func diffColor(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return faint
}

// difference shows what is wanted and what there is: both when they are short, else their unified diff.
func difference(f turn.Failure) string {
	if f.Want == "" && f.Got == "" {
		return ""
	}
	if !strings.Contains(f.Want+f.Got, "\n") {
		return "- " + f.Want + "\n+ " + f.Got + "\n"
	}
	return udiff.Unified("expected", "is", ended(f.Want), ended(f.Got))
}

// ended gives a text the line break that a diff wants at its end.
func ended(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func turnMarkdown(t *turn.Transcript) string {
	s := t.Simulation
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n%s: %s, %s.\n", s.Profile.Label, s.Profile.Version, inCell(t.Script), Plural(t.Requests, "request"), endWords(t))
	partsMarkdown(&b, s.Prompt)
	for _, e := range t.Entries {
		fmt.Fprintf(&b, "\n### %s%s\n\n%s", inCell(entryTitle(t, e)), inexact(e), codeBlock("text", entryText(e)))
	}
	judgementsMarkdown(&b, t)
	for i, n := range t.Notes {
		if i == 0 {
			b.WriteString("\n## Notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", inCell(n))
	}
	return b.String()
}

func judgementsMarkdown(b *strings.Builder, t *turn.Transcript) {
	for i, f := range t.Failures {
		if i == 0 {
			b.WriteString("\n## Failed\n\n")
		}
		fmt.Fprintf(b, "- %s: %s\n", inCell(placed(t, f.Place)), inCell(f.Message))
		if d := difference(f); d != "" {
			block := strings.TrimSuffix(codeBlock("diff", d), "\n")
			fmt.Fprintf(b, "\n  %s\n", strings.ReplaceAll(block, "\n", "\n  "))
		}
	}
	for i, f := range t.Findings {
		if i == 0 {
			b.WriteString("\n## Lost\n\n")
		}
		fmt.Fprintf(b, "- %s: %s: %s%s\n", inCell(placed(t, f.Place)), f.Severity, inCell(about(f)), expectedWord(f))
	}
}
