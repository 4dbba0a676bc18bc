//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
)

// Capture prints what a client sent beside what was predicted, as text, json or markdown, without credentials. Its errors
// are those of w.
func Capture(w io.Writer, c *capture.Capture, format string, o SimulateOptions) error {
	c = c.Redacted()
	switch format {
	case "json":
		return writeJSON(w, captureToJSON(c, o.Base))
	case "markdown":
		_, err := io.WriteString(w, captureMarkdown(c, o.Base))
		return err
	}
	_, err := io.WriteString(w, captureText(c, o))
	return err
}

// verdictSigns mark each line of a comparison.
var verdictSigns = map[capture.Verdict]string{
	capture.Same: "=", capture.Differs: "~", capture.Missing: "-", capture.Unexpected: "+", capture.Own: " ",
}

var verdictWords = map[capture.Verdict]string{
	capture.Same: "as predicted", capture.Differs: "differs", capture.Missing: "predicted, not sent", capture.Unexpected: "sent, predicted not to be",
	capture.Own: "the client's own",
}

func captureText(c *capture.Capture, o SimulateOptions) string {
	t := &simulationWriter{painter: painter{o.Color}}
	t.line("%s", captureTitle(c))
	t.parts(c.Prompt)
	t.capturedSkills(c, o.Base)
	t.capturedTools(c)
	t.playedSteps(c)
	for i, n := range captureNotes(c) {
		if i == 0 {
			t.line("")
		}
		for j, line := range strings.Split(n, "\n") {
			if j == 0 {
				line = t.paint(cyan, "note:") + " " + clean(line)
			} else {
				line = clean(line)
			}
			t.line("%s", line)
		}
	}
	t.line("\n%s", t.paint(verdictColor(c.Agrees()), captureSummary(c)))
	return t.String()
}

func verdictColor(agrees bool) string {
	if agrees {
		return green
	}
	return red
}

// captureTitle names the client, its version and how it was listened to.
func captureTitle(c *capture.Capture) string {
	installed := c.Installed
	if installed == "" {
		installed = "(version unknown)"
	}
	return fmt.Sprintf("%s %s, as it speaks to its model (%s, %s); predicted for %s (%s)",
		c.Profile.Label, clean(installed), c.Protocol, Plural(c.Requests, "request"), c.Profile.Version, c.Profile.Evidence.Level)
}

func (t *simulationWriter) sign(v capture.Verdict) string {
	color := red
	switch v {
	case capture.Same:
		color = green
	case capture.Own:
		color = cyan
	}
	return t.paint(color, verdictSigns[v])
}

// capturedSkills shows entry by entry whether it was predicted so, and both texts where it was not.
func (t *simulationWriter) capturedSkills(c *capture.Capture, base string) {
	if len(c.Skills) == 0 {
		return
	}
	t.line("\n%s", t.paint(bold, "Skills"))
	for _, k := range c.Skills {
		t.line("%s %s  %s", t.sign(k.Verdict), clean(k.Name), skillNote(k, base))
		if k.Verdict == capture.Differs {
			t.lines("    - ", k.Predicted)
		}
		if k.Verdict == capture.Differs || k.Verdict == capture.Unexpected {
			t.lines("    + ", k.Sent)
		}
	}
}

func skillNote(k capture.Skill, base string) string {
	note := verdictWords[k.Verdict]
	if k.Reason != "" {
		note += ": " + clean(k.Reason)
	}
	if k.File != "" {
		note += " (" + clean(shownFile(base, k.File)) + ")"
	}
	return note
}

func (t *simulationWriter) lines(prefix, text string) {
	for line := range strings.Lines(text) {
		t.line("%s%s", prefix, clean(strings.TrimRight(line, "\r\n")))
	}
}

func (t *simulationWriter) capturedTools(c *capture.Capture) {
	if len(c.Tools) == 0 {
		return
	}
	t.line("\n%s", t.paint(bold, "Tools"))
	for _, k := range c.Tools {
		t.line("%s %s  %s", t.sign(k.Verdict), clean(k.Name), clean(toolNote(k)))
		if k.Verdict == capture.Differs {
			t.toolDifference(k)
		}
	}
}

func toolNote(k capture.Tool) string {
	note := verdictWords[k.Verdict]
	if len(k.Differs) > 0 {
		note += " in its " + strings.Join(k.Differs, " and ")
	}
	if k.Server != "" {
		note += " (" + k.Server + "/" + k.Predicted.Tool + ")"
	}
	return note
}

func (t *simulationWriter) toolDifference(k capture.Tool) {
	for _, what := range k.Differs {
		if what == "description" {
			t.lines("    - ", k.Predicted.Description)
			t.lines("    + ", k.Sent.Description)
			continue
		}
		t.lines("    - ", string(k.Predicted.InputSchema))
		t.lines("    + ", string(k.Sent.InputSchema))
	}
}

// playedSteps shows what became of a script.
func (t *simulationWriter) playedSteps(c *capture.Capture) {
	for i, p := range c.Steps {
		if i == 0 {
			t.line("\n%s", t.paint(bold, "Script"))
		}
		sign := t.sign(capture.Same)
		if p.Failed {
			sign = t.sign(capture.Differs)
		}
		t.line("%s %d. %s", sign, i+1, clean(stepLine(p)))
		t.lines("    ", p.Result)
	}
}

func stepLine(p capture.Played) string {
	line := "say " + p.Say
	if p.Call != "" {
		line = "call " + p.Call
		if !p.Offered && !p.Failed {
			line += " (the client offers no tool of that name)"
		}
	}
	if p.Failed {
		line += ": " + p.Reason
	}
	return line
}

// captureNotes are the notes, and the hosts that the client wanted to reach.
func captureNotes(c *capture.Capture) []string {
	notes := c.Notes[:len(c.Notes):len(c.Notes)]
	if len(c.Refused) > 0 {
		notes = append(notes, "The client wanted to reach "+strings.Join(c.Refused, ", ")+", and was not let.")
	}
	return notes
}

// captureSummary says in one sentence whether the prediction held.
func captureSummary(c *capture.Capture) string {
	counts := map[capture.Verdict]int{}
	for _, k := range c.Skills {
		counts[k.Verdict]++
	}
	for _, k := range c.Tools {
		counts[k.Verdict]++
	}
	failed := 0
	for _, p := range c.Steps {
		if p.Failed {
			failed++
		}
	}
	parts := []string{fmt.Sprintf("%d as predicted", counts[capture.Same])}
	for _, v := range []capture.Verdict{capture.Differs, capture.Missing, capture.Unexpected} {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, verdictWords[v]))
		}
	}
	if c.Reordered {
		parts = append(parts, "in another order")
	}
	if failed > 0 {
		parts = append(parts, Plural(failed, "step")+" of the script failed")
	}
	word := "The prediction holds"
	if !c.Agrees() {
		word = "The prediction does not hold"
		if counts[capture.Differs]+counts[capture.Missing]+counts[capture.Unexpected] == 0 && !c.Reordered {
			word = "The script was not played to its end"
		}
	}
	return word + ": " + strings.Join(parts, ", ") + "."
}
