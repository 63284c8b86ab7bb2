package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pacia/internal/atomicfile"
	"pacia/internal/each"
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
	r.fill()
	tex := r.latex()
	r.Files = nil
	for _, f := range slices.Concat(r.numbers(), each.Of(tex, func(o output) file { return file{name: o.name} })) {
		r.Files = append(r.Files, f.name)
	}
	var all []output
	for _, f := range r.figures() {
		for _, format := range figure.Formats {
			all = append(all, output{"figures/" + f.Name + format, f.In(format)})
		}
	}
	for _, f := range r.texts() {
		text, err := f.text()
		if err != nil {
			return err
		}
		all = append(all, output{f.name, text})
	}
	return replace(dir, append(all, tex...))
}

// fill makes the tables of all sections.
func (r *Report) fill() {
	for i := range r.Sections {
		s := &r.Sections[i]
		s.tables = each.Of(tables, func(k kind) Table { return k.in(*s) })
		s.tables[0].Notes = []string{r.FiguresNote(), r.TestNote()}
	}
}

// A file is a file of the report other than a figure.
type file struct {
	name string
	text func() ([]byte, error)
}

// filled returns the file of this name that a function writes.
func filled(name string, write func(io.Writer) error) file {
	return file{name, func() ([]byte, error) {
		var b bytes.Buffer
		err := write(&b)
		return b.Bytes(), err
	}}
}

// numbers returns the files with the numbers.
func (r *Report) numbers() (all []file) {
	for _, kind := range tables {
		all = append(all, file{kind.name + ".csv", func() ([]byte, error) { return r.csv(kind.name) }})
	}
	if r.Study != nil {
		all = append(all, filled(study.File, r.Study.Write))
	}
	return all
}

// texts returns the files with the numbers, and the pages.
func (r *Report) texts() []file {
	return append(r.numbers(), filled("report.md", r.writeMarkdown), filled("report.html", r.writePage))
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

// notPublished is the cell if there is a published figure, but of another model.
const notPublished = "none: not the published model"

// DifferenceText returns the difference as a cell.
func (g Group) DifferenceText() string {
	if d := g.Difference(); !math.IsNaN(d) {
		return fmt.Sprintf("%+.2f", d)
	}
	return none
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
