package main

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Sizes of a terminal's picture, in pixels but for the columns.
const (
	pictureColumns = 108
	cellWidth      = 8.4
	lineHeight     = 20
	pictureMargin  = 16
)

// terminalPicture draws what a terminal shows of the program's work on the demo.
func terminalPicture(t *testing.T) string {
	t.Helper()
	dir, text := copyOfExamples(t), ""
	for _, command := range []string{
		"lint testdata/demo/.agents/skills/deploy-staging",
		"clients --client codex,copilot-cli,gemini-cli,vscode testdata/demo/.agents/skills",
	} {
		text += "\x1b[36m$\x1b[0m \x1b[1mskilllint " + command + "\x1b[0m\n" +
			prints(t, dir, append(strings.Fields(command), "--color", "always")...) + "\n"
	}
	return picture(strings.TrimRight(text, "\n"))
}

// ink is the colour for each code of a colour that the program uses, and the style of bold text.
var ink = map[string]string{
	"1": "font-weight:bold", "2": "opacity:.6", "1;31": "font-weight:bold;fill:#ff7b72", "31": "fill:#ff7b72", "32": "fill:#7ee787",
	"33": "fill:#e3b341", "1;33": "font-weight:bold;fill:#e3b341", "1;34": "font-weight:bold;fill:#79c0ff", "36": "fill:#56d4dd",
}

var colorCode = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// picture draws text with the codes of colours as SVG. Longer lines go on in the next one, as in a terminal.
func picture(text string) string {
	var rows strings.Builder
	y, style := pictureMargin+14, ""
	for line := range strings.SplitSeq(text, "\n") {
		column := 0
		fmt.Fprintf(&rows, `<text y="%d">`, y)
		for line != "" {
			if code := colorCode.FindStringSubmatchIndex(line); code != nil && code[0] == 0 {
				style = ink[line[code[2]:code[3]]]
				line = line[code[1]:]
				continue
			}
			if column == pictureColumns {
				y, column = y+lineHeight, 0
				fmt.Fprintf(&rows, "</text>\n<text y=\"%d\">", y)
			}
			run := upTo(line, pictureColumns-column)
			shown := strings.ReplaceAll(html.EscapeString(run), " ", "\u00a0") // blanks at a beginning would be dropped
			fmt.Fprintf(&rows, `<tspan x="%.1f" style="%s">%s</tspan>`, pictureMargin+cellWidth*float64(column), style, shown)
			column += utf8.RuneCountInString(run)
			line = line[len(run):]
		}
		rows.WriteString("</text>\n")
		y += lineHeight
	}
	width, height := pictureMargin*2+int(math.Ceil(cellWidth*pictureColumns)), y
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
<title>A terminal with what skilllint prints</title>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
<g fill="#e6edf3" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">
%s</g>
</svg>
`, width, height, width, height, rows.String())
}

// upTo returns the beginning of a line before the next code of a colour, of at most some characters.
func upTo(line string, most int) string {
	if code := colorCode.FindStringIndex(line); code != nil {
		line = line[:code[0]]
	}
	for i := range line {
		if most == 0 {
			return line[:i]
		}
		most--
	}
	return line
}
