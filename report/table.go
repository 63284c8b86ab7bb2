package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/each"
	"pacia/internal/ordered"
)

// A Table is a table of a section in all its forms. Documents (Markdown, HTML and TeX) have the columns with a title, CSV
// those with names, and JSON those with a member.
type Table struct {
	Name    string // of its files
	Title   string
	columns []column
	rows    []row      // of documents and JSON
	lines   [][]string // of CSV
	Notes   []string   // complete sentences
	Points  []string   // sentences that follow the notes as a list

	by    string   // the name in CSV of the column with the names of figures
	after []string // the names in CSV of what follows the cells of a figure
}

// A column is what a table has of each of its rows.
type column struct {
	title string
	names []string
	// In CSV, each figure of a row that is not missing has a line, with this name.
	figure string
	member string
}

// in returns a column of documents and CSV.
func in(title string, names ...string) column { return column{title: title, names: names} }

// filed returns a column of CSV.
func filed(names ...string) column { return column{names: names} }

// shown returns a column of documents.
func shown(title string) column { return column{title: title} }

// tables are the tables of a section, in the order of documents.
var tables = []kind{
	{"results", Section.results}, {"tasks", Section.perTask}, {"runs", Section.runs}, {"costs", Section.costs},
	{"published", Section.published}, {"adaptivity", Section.adaptivity}, {"categories", Section.categories},
	{"pairs", Section.compared}, {"enrichment", Section.earlyEnrichment},
}

// A kind is a table of a section, with the name of its files.
type kind struct {
	name  string
	table func(Section) Table
}

// in returns the table of a section.
func (k kind) in(s Section) Table {
	t := k.table(s)
	t.Name = k.name
	return t
}

// Main returns the table of all groups.
func (s Section) Main() Table { return s.tables[0] }

// Supplement returns the tables below that of the groups.
func (s Section) Supplement() []Table {
	return each.If(s.tables[1:], func(t Table) bool { return len(t.rows) > 0 })
}

// A cell is a value in each form.
type cell struct {
	text   string   // in documents
	fields []string // in CSV: one for each name of its column; of a figure, nil if it is missing
	json   any
}

type row []cell

// word returns the cell of a text.
func word(text string) cell { return cell{text, []string{text}, text} }

// count returns the cell of a number of things.
func count(n int) cell { return cell{strconv.Itoa(n), []string{strconv.Itoa(n)}, n} }

// fields returns a cell of CSV.
func fields(texts ...string) cell { return cell{fields: texts} }

// spreadCell returns the cell of a figure, which has the fields spreadNames.
func spreadCell(s *Spread) cell {
	if s == nil {
		return cell{text: none}
	}
	return cell{s.String(), s.fields(), s}
}

// figures returns the cells of selections.
func (s Selected) figures() (all row) {
	for _, selection := range selections {
		all = append(all, spreadCell(selection.spread(s)))
	}
	return all
}

// line adds a row to CSV.
func (t *Table) line(cells ...cell) {
	var before []string
	var figures [][]string
	for i, c := range t.columns {
		switch fields := cells[i].fields; {
		case c.figure == "":
			before = append(before, fields[:len(c.names)]...)
		case fields != nil:
			figures = append(figures, append([]string{c.figure}, fields...))
		}
	}
	if t.by == "" {
		figures = [][]string{nil}
	}
	for _, f := range figures {
		line := slices.Concat(before, f)
		t.lines = append(t.lines, append(line, make([]string, len(t.header())-len(line))...))
	}
}

// add adds a row to all forms.
func (t *Table) add(cells ...cell) {
	t.rows = append(t.rows, cells)
	t.line(cells...)
}

// header returns the names of the columns of CSV.
func (t Table) header() (all []string) {
	for _, c := range t.columns {
		all = append(all, c.names...)
	}
	if t.by != "" {
		all = slices.Concat(all, []string{t.by}, spreadNames, t.after)
	}
	return all
}

// Head returns the titles of the columns of documents.
func (t Table) Head() []string {
	return each.Of(each.If(t.columns, func(c column) bool { return c.title != "" }), func(c column) string { return c.title })
}

// Rows returns the rows of documents, with a cell for each title.
func (t Table) Rows() [][]string {
	return each.Of(t.rows, func(cells row) (texts []string) {
		for i, c := range t.columns {
			if c.title != "" {
				texts = append(texts, cells[i].text)
			}
		}
		return texts
	})
}

// MarshalJSON returns a list with an object for each row.
func (t Table) MarshalJSON() ([]byte, error) {
	return json.Marshal(each.Of(t.rows, func(cells row) (all ordered.Object) {
		for i, c := range t.columns {
			if c.member != "" {
				all = append(all, ordered.Member{Name: c.member, Value: cells[i].json})
			}
		}
		return all
	}))
}

// csv returns the table of all sections that has this name. Every line begins with the data set and the shots, and ends
// with the size of support sets and the metric.
func (r *Report) csv(name string) ([]byte, error) {
	var rows [][]string
	for i, s := range r.Sections {
		t := s.tables[slices.IndexFunc(s.tables, func(t Table) bool { return t.Name == name })]
		if i == 0 {
			rows = [][]string{slices.Concat([]string{"dataset", "shots"}, t.header(), []string{"support", "metric"})}
		}
		for _, line := range t.lines {
			rows = append(rows, slices.Concat([]string{s.Dataset, size(s.Shots)}, line, []string{size(s.Support), s.Metric}))
		}
	}
	return inCSV(rows)
}

// inCSV writes rows as CSV. Names of tasks come from data sets and may look like formulas: an apostrophe before them
// keeps spreadsheets from evaluating them.
func inCSV(rows [][]string) ([]byte, error) {
	for _, row := range rows {
		for i, text := range row {
			if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
				continue
			}
			if _, err := strconv.ParseFloat(text, 64); err != nil {
				row[i] = "'" + text
			}
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(rows)
	return b.Bytes(), err
}
