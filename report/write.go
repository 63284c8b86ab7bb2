package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pacia/internal/atomicfile"
	"pacia/metrics"
	"pacia/report/figure"
	"pacia/report/study"
)

// A Figure is a picture with its texts.
type Figure struct {
	Name    string // of its files, without extension
	Title   string
	Caption string // how to read it
	figure.Picture
}

// Write writes the report to dir, and removes files of an earlier report that this
// one does not have.
func (r *Report) Write(dir string) error {
	for i := range r.Sections {
		r.Sections[i].Supplement = r.Sections[i].supplement()
	}
	tables := r.latex()
	r.Files = nil
	for _, t := range r.tables() {
		r.Files = append(r.Files, t.name)
	}
	for _, t := range tables {
		r.Files = append(r.Files, t.name)
	}
	var all []output
	for _, f := range r.figures() {
		for _, format := range figure.Formats {
			all = append(all, output{"figures/" + f.Name + format, f.In(format)})
		}
	}
	for _, f := range r.texts() {
		var text bytes.Buffer
		if err := f.fill(&text); err != nil {
			return err
		}
		all = append(all, output{f.name, text.Bytes()})
	}
	return replace(dir, append(all, tables...))
}

// A file is a file of the report other than a figure.
type file struct {
	name string
	fill func(io.Writer) error
}

func (r *Report) tables() []file {
	all := []file{
		{"results.csv", r.writeResults}, {"tasks.csv", r.writeTasks}, {"runs.csv", r.writeRuns}, {"costs.csv", r.writeCosts},
		{"adaptivity.csv", r.writeAdaptivity}, {"categories.csv", r.writeCategories}, {"enrichment.csv", r.writeEnrichment},
		{"pairs.csv", r.writePairs}, {"published.csv", r.writePublished},
	}
	if r.Study != nil {
		all = append(all, file{study.File, r.Study.Write})
	}
	return all
}

// texts returns the tables as CSV, and the pages.
func (r *Report) texts() []file {
	return append(r.tables(), file{"report.md", r.writeMarkdown}, file{"report.html", r.writePage})
}

// figures returns the figures of all sections and those over sections.
func (r *Report) figures() []Figure {
	var all []Figure
	for _, s := range r.Sections {
		all = append(all, s.Figures...)
	}
	return append(all, r.Across...)
}

func writeFile(path string, text []byte) error {
	return atomicfile.WriteBytes(path, text)
}

// Notes on the columns.
const (
	figuresNote = "ROC-AUC (%) on the test tasks: mean ± standard deviation over seeds [95 % interval of the mean over tasks, by bootstrap of the tasks; of a handful of tasks it is too narrow]."
	testNote    = "“Best on test” is the best of all evaluations, selected on the test tasks themselves, as published figures are. " +
		"The difference is between these two. The other columns are not selected on test tasks."

	// With ΔAUPRC: its published figures are not selected on the test tasks.
	deltaNote = "ΔAUPRC (%) if a heading names it, otherwise " + figuresNote + " ΔAUPRC is the average precision minus the share of actives among the queries: 0 is chance."
	bothNote  = "“Best on test” is the best of all evaluations, selected on the test tasks themselves, as published ROC-AUCs are: " +
		"their difference is between these two. The published ΔAUPRC is of the model chosen on validation tasks, and its difference is to that column. " +
		"The columns other than best on test are not selected on test tasks."
)

// FiguresNote returns the explanation of the figures in tables.
func (r *Report) FiguresNote() string {
	if r.HasDelta() {
		return deltaNote
	}
	return figuresNote
}

// TestNote returns a note on the figures that are selected on the test tasks.
func (r *Report) TestNote() string {
	if r.HasDelta() {
		return bothNote
	}
	return testNote
}

// HasDelta reports whether there is a section of ΔAUPRC.
func (r *Report) HasDelta() bool {
	return slices.ContainsFunc(r.Sections, func(s Section) bool { return s.Metric == metrics.NameDeltaAUPRC })
}

// Rows returns the rows of the table, without its header.
func (s Section) Rows() [][]string {
	var rows [][]string
	for i, g := range s.Groups {
		name := g.Label
		if s.Numbers {
			name = fmt.Sprintf("%d: %s", i+1, g.Label)
		}
		row := []string{name, fmt.Sprint(len(g.Runs)), g.Last.String(), g.Validation.String(), g.Test.String(), s.publishedText(g), none}
		if p := g.Published; p != nil {
			row[5] = fmt.Sprintf("%s %.2f ± %.2f, %s", p.Method, p.Mean, p.Deviation, p.Source)
			row[6] = g.DifferenceText()
		}
		rows = append(rows, row)
	}
	return rows
}

// notPublished is the cell if there is a published figure, but of another model.
const notPublished = "none: not the published model"

// DifferenceText returns the difference as a cell.
func (g Group) DifferenceText() string {
	if d := g.Difference(); !math.IsNaN(d) {
		return fmt.Sprintf("%+.2f", d)
	}
	return none
}

// Head returns the header of the table.
func (Section) Head() []string {
	return []string{"configuration", "seeds", "last model", "chosen on validation", "best on test (selected on the test tasks)", "published", "difference"}
}

// CommonText lists the settings that differ from the preset in all groups.
func (s Section) CommonText() string { return settingsText(s.Common) }

// AcrossName returns the heading of the figures over sections.
func (r *Report) AcrossName() string {
	if slices.ContainsFunc(r.Sections, func(s Section) bool { return s.Support > 0 }) {
		return "Over sizes of support sets"
	}
	return "Over numbers of shots"
}

// inMarkdown escapes text so that it is not interpreted as HTML.
func inMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "\n", " ", "\r", " ").Replace(text)
}

// inMarkdownCode formats a command as code, so that its signs are not interpreted as Markdown.
func inMarkdownCode(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
