package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

const (
	mostColumns = 20 // clients side by side; more lines to follow are hard to
	signWidth   = 2  // of one client's column, with the blank behind it
	leastLabel  = 12
	indent      = 2 // of a skill below its folder
)

// clientsTable prints skills by clients. The clients' names stand one a line above the table, each over a line that
// leads down to its column, so that they are read without turning the head.
type clientsTable struct {
	painter
	*workspace.Roster
	o     ClientsOptions
	label int // columns for the names of skills
}

func clientsText(w io.Writer, r *workspace.Roster, o ClientsOptions) error {
	t := &clientsTable{painter{o.Color}, r, o, 0}
	t.label = t.labelWidth()
	var b strings.Builder
	for at := 0; at < len(r.Clients) && len(r.Skills) > 0; {
		n := t.columnsFrom(at)
		if at > 0 {
			b.WriteByte('\n')
		}
		t.head(&b, r.Clients[at:at+n])
		last := at+n == len(r.Clients)
		for _, x := range shelves(r.Skills) {
			t.shelf(&b, x, r.Clients[at:at+n], last)
		}
		at += n
	}
	if !o.Quiet {
		t.foot(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// labelWidth is that of the longest name, within half of the width.
func (t *clientsTable) labelWidth() int {
	n := leastLabel
	for _, x := range shelves(t.Skills) {
		for _, s := range x.skills {
			n = max(n, indent+columns(x.label(s)))
		}
	}
	return min(n, t.o.Width/2)
}

// columnsFrom returns how many clients, from one on, fit side by side. What is left is spread evenly over the
// blocks that are needed.
func (t *clientsTable) columnsFrom(at int) int {
	left := len(t.Clients) - at
	most := 1
	for n := 1; n <= min(left, mostColumns); n++ {
		if t.label+1+(n-1)*signWidth+columns(header(t.Clients[at+n-1])) > t.o.Width {
			break
		}
		most = n
	}
	blocks := (left + most - 1) / most
	return (left + blocks - 1) / blocks
}

func (t *clientsTable) head(b *strings.Builder, clients []*profile.Profile) {
	line := "│ "
	if t.o.ASCII {
		line = "| "
	}
	for i, p := range clients {
		fmt.Fprintf(b, "%*s%s%s\n", t.label+1, "", strings.Repeat(line, i), header(p))
	}
}

// shelf prints the skills of a folder. What is lost is told once, below the last clients.
func (t *clientsTable) shelf(b *strings.Builder, x shelf, clients []*profile.Profile, last bool) {
	b.WriteString(t.paint(bold, clean(x.dir)))
	if absent := x.absent(t.Roster); last && len(absent) > 0 {
		b.WriteString(t.fold(" not read by "+strings.Join(absent, ", "), columns(clean(x.dir)), indent))
	}
	b.WriteByte('\n')
	for _, s := range x.skills {
		label := short(x.label(s), t.label-indent)
		fmt.Fprintf(b, "%*s%s%*s", indent, "", label, t.label-indent-columns(label)+1, "")
		var row []string
		for _, p := range clients {
			cell := t.Cell(p, s)
			if unread(&cell) { // no fault: not as loud as a loss
				row = append(row, t.paint(faint, dropped.text(t.o.ASCII)))
				continue
			}
			row = append(row, t.sign(markOf(cell.Outcome)))
		}
		b.WriteString(strings.Join(row, " ") + "\n")
		if last {
			t.reasons(b, s)
		}
	}
}

func (t *clientsTable) reasons(b *strings.Builder, s *skills.Skill) {
	for _, x := range readings(t.Roster, s) {
		if x.notHis {
			continue
		}
		text := strings.Join(x.who, ", ") + ": " + x.why
		if x.rule != "" {
			text += " [" + x.rule + "]"
		}
		const at = indent + 2
		fmt.Fprintf(b, "%*s%s %s\n", at, "", t.sign(x.mark), t.fold(clean(text), at+signWidth, at+signWidth))
	}
}

func (t *clientsTable) sign(m mark) string { return t.paint(marks[m].color, m.text(t.o.ASCII)) }

// fold breaks a text that starts in a column between words; further lines are indented.
func (t *clientsTable) fold(text string, column, indent int) string {
	var b strings.Builder
	for i, word := range strings.Split(text, " ") {
		n := columns(word)
		switch {
		case i == 0:
		case column+1+n > t.o.Width && column > indent:
			fmt.Fprintf(&b, "\n%*s", indent, "")
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

func (t *clientsTable) foot(b *strings.Builder) {
	var legend []string
	for m := range marks {
		legend = append(legend, t.sign(mark(m))+" "+marks[m].words)
	}
	if len(t.Skills) > 0 {
		b.WriteString("\n" + strings.Join(legend, "  ") + "\n")
	}
	b.WriteString(t.fold(tally(t.Roster), 0, 0) + "\n")
}

// short cuts the middle out of a text that takes more columns than there are.
func short(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	runes := []rune(s)
	for keep := len(runes) - 1; keep > 0; keep-- {
		front := (keep + 1) / 2
		cut := string(runes[:front]) + "…" + string(runes[len(runes)-keep+front:])
		if columns(cut) <= most {
			return cut
		}
	}
	return "…"
}

// traceText tells of each client what it makes of a skill, stage by stage.
func traceText(r *workspace.Roster, s *skills.Skill, o ClientsOptions) string {
	t := &clientsTable{painter{o.Color}, r, o, 0}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.paint(bold, clean(s.Doc.Path)))
	for _, p := range r.Clients {
		cell := r.Cell(p, s)
		fmt.Fprintf(&b, "\n%s %s (%s)\n", t.sign(markOf(cell.Outcome)), t.paint(bold, header(p)), p.Evidence.Level)
		for _, step := range r.Trace(p, s) {
			text := step.Text
			if step.Lost && cell.Rule != nil {
				text += " [" + cell.Rule.Name + "]"
			}
			const stage = 10 // columns of the longest stage
			line := fmt.Sprintf("    %-*s  ", stage, step.Stage)
			if step.Lost {
				line = fmt.Sprintf("  %s %-*s  ", t.sign(markOf(cell.Outcome)), stage, step.Stage)
			}
			b.WriteString(line + t.fold(clean(text), stage+6, stage+6) + "\n")
		}
	}
	return b.String()
}
