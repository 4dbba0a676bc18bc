package skills

import "strings"

// Tables (https://github.github.com/gfm/#tables-extension-) matter here for one thing: a code span or
// a link does not reach from one cell into another.

// findTable looks whether the line just added to the paragraph is a delimiter row and makes a table
// with the line before. As in GitHub's, the first such row decides.
func (s *scanner) findTable() {
	row := len(s.lines) - 1
	columns := delimiterColumns(s.flatLine(row))
	if columns < 0 {
		return
	}
	s.para.delimiter = row
	if columns == countCells(s.flatLine(row-1)) {
		s.para.columns = columns
	}
}

// flatLine returns a line of the flat text without its line break.
func (s *scanner) flatLine(line int) string {
	end := len(s.flat)
	if line+1 < len(s.lines) {
		end = s.lines[line+1].flat
	}
	return s.flatText()[s.lines[line].flat : end-1]
}

// isTable reports whether the open paragraph, of which the definitions have been taken, holds a table.
func (s *scanner) isTable() bool {
	return s.para.columns > 0 && s.lines[s.para.delimiter-1].flat >= s.para.from
}

// addTable leaves the text before the table and then each cell to the search for inline elements.
func (s *scanner) addTable() {
	header := s.para.delimiter - 1
	s.addInline(s.para.from, s.lines[header].flat, s.para.line)
	s.addRow(header)
	for row := header + 2; row < len(s.lines); row++ {
		s.addRow(row)
	}
}

// addRow leaves the cells of a row to the search for inline elements, but for those beyond the last
// column, which are dropped.
func (s *scanner) addRow(row int) {
	line, base := s.flatLine(row), s.lines[row].flat
	at, end := rowBounds(line)
	for n := 0; n < s.para.columns && at < end; n++ {
		stop := cellEnd(line, at, end)
		for at < stop && isBlank(line[at]) {
			at++
		}
		s.addInline(base+at, base+stop, row)
		at = stop + 1
	}
}

// rowBounds returns the part of a row between the pipes at its ends, which are optional.
func rowBounds(line string) (start, end int) {
	end = trimBlanks(line, 0, len(line))
	if line[0] == '|' {
		start = 1
	}
	if line[end-1] == '|' {
		end--
	}
	return start, end
}

// cellEnd returns where the cell of line[:end] ends that starts at at: a pipe ends it, unless it is
// escaped, even within a code span.
func cellEnd(line string, at, end int) int {
	for i := at; i < end; i++ {
		if line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			return i
		}
	}
	return end
}

// countCells returns the number of cells in a row.
func countCells(line string) int {
	n := 0
	at, end := rowBounds(line)
	for at < end {
		at = cellEnd(line, at, end) + 1
		n++
	}
	return n
}

// delimiterColumns returns the number of columns of a delimiter row, -1 if line is none.
func delimiterColumns(line string) int {
	if strings.Trim(line, " \t|:-") != "" {
		return -1
	}
	n := 0
	at, end := rowBounds(line)
	for at < end {
		stop := cellEnd(line, at, end)
		if !isDelimiter(line[at:stop]) {
			return -1
		}
		at = stop + 1
		n++
	}
	return n
}

// isDelimiter reports whether a cell of a delimiter row is hyphens with a colon at either end or none.
func isDelimiter(cell string) bool {
	cell = strings.Trim(cell, " \t")
	cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
	return cell != "" && strings.Trim(cell, "-") == ""
}
