package turn

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// viewTool is AgentScope's own tool for reading files, of 1.x.
// https://github.com/agentscope-ai/agentscope src/agentscope/tool/_text_file
const viewTool = "view_text_file"

// view plays the tool for a file of a listed skill. It is false for what is no such call, or has a result of its own.
func (agentScope1) view(p *player, c *pending) (Output, bool) {
	args := arguments(c.Arguments)
	file := args.Get("file_path").Text()
	if c.Tool != viewTool || c.tool != nil || p.own(viewTool) != nil || c.Result != nil || c.Failure != "" || !p.inSkill(file) {
		return Output{}, false
	}
	for _, m := range args.Members {
		if m.Key != "file_path" && m.Key != "ranges" {
			return listed(Failed, viewTool+"() got an unexpected keyword argument "+python.Repr(python.Node(m.Key))), true
		}
	}
	text, exact := p.readText(file)
	if exact && text != nil {
		return listed(Success, numberedLines(file, *text, args.Get("ranges"))), true
	}
	switch info, err := p.base.FS.Stat(filepath.FromSlash(file)); {
	case errors.Is(err, fs.ErrNotExist):
		return listed(Success, "Error: The file "+file+" does not exist."), true
	case err == nil && info.IsDir():
		return listed(Success, "Error: The path "+file+" is not a file."), true
	}
	return unknownOutput(Failed, "[not read]"), true
}

// inSkill reports whether a path leads into the folder of a listed skill.
func (p *player) inSkill(file string) bool {
	for _, k := range p.t.Simulation.Skills {
		if k.Listed && path.Clean(file) == file && strings.HasPrefix(file, k.Location+"/") {
			return true
		}
	}
	return false
}

// mostViewed is how long a file is that is shown.
const mostViewed = 1 << 20

// readText reads a file that is what its path says, and text; links may lead anywhere.
func (p *player) readText(file string) (text *string, exact bool) {
	name := filepath.FromSlash(file)
	real, err := p.base.FS.RealPath(name)
	if err != nil || !p.sameFolder(real) {
		return nil, false
	}
	data, err := p.base.FS.ReadFile(name)
	if err != nil || len(data) > mostViewed || !utf8.Valid(data) {
		return nil, false
	}
	return new(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))), true
}

// sameFolder reports whether a real path is in the folder of a listed skill.
func (p *player) sameFolder(real string) bool {
	for _, k := range p.t.Simulation.Skills {
		folder, err := p.base.FS.RealPath(filepath.FromSlash(k.Location))
		if err == nil && k.Listed && strings.HasPrefix(real, folder+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// numberedLines is what the model reads of a file: its lines with their numbers, all or those of a range.
func numberedLines(file, text string, ranges *catalog.Node) string {
	lines := slices.Collect(strings.Lines(text))
	if ranges == nil || ranges.Is(catalog.Null) {
		return fmt.Sprintf("The content of %s:\n```\n%s```", file, numbered(lines, 1))
	}
	shown := numbered(lines, 1)
	if !ranges.Is(catalog.Array) || len(ranges.Items) > 0 {
		start, end, ok := twoNumbers(ranges)
		switch {
		case !ok:
			return "InvalidArgumentError: Invalid range format. Expected a list of two integers, but got " + python.Repr(ranges) + "."
		case start > end:
			return "InvalidArgumentError: The start line is greater than the end line in the given range " + python.Repr(ranges) + "."
		case start > len(lines):
			return fmt.Sprintf("InvalidArgumentError: The range '%s' is out of bounds for the file '%s', which has only %d lines.", python.Repr(ranges), file, len(lines))
		}
		shown = numbered(sliced(lines, start-1, end), start)
	}
	return fmt.Sprintf("The content of %s in %s lines:\n```\n%s```", file, python.Repr(ranges), shown)
}

func twoNumbers(n *catalog.Node) (start, end int, ok bool) {
	if len(n.List()) != 2 {
		return 0, 0, false
	}
	start, err := strconv.Atoi(n.Items[0].Raw())
	end, err2 := strconv.Atoi(n.Items[1].Raw())
	return start, end, err == nil && err2 == nil
}

// sliced is lines[start:end] of Python.
func sliced(lines []string, start, end int) []string {
	at := func(i int) int {
		if i < 0 {
			i += len(lines)
		}
		return min(max(i, 0), len(lines))
	}
	return lines[at(start):max(at(start), at(end))]
}

func numbered(lines []string, first int) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(strconv.Itoa(first+i) + ": " + line)
	}
	return b.String()
}
