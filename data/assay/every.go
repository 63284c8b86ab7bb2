package assay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
)

// every reads all assays of a table: those of each column and, in a long table, those of each value of the columns that name
// assays. Only the order of their measurements counts. Columns named by the user restrict both.
func (r *reading) every() error {
	h := r.header()
	columns, err := r.valueColumns(h)
	if err != nil {
		return err
	}
	k, columns, err := r.keysOf(h, columns)
	if err != nil {
		return err
	}
	e := everyAssay{reading: r, header: h, keys: k, several: len(columns) > 1, names: map[string]int{}}
	for _, at := range columns {
		if err := e.column(at); err != nil {
			return r.ask(err)
		}
	}
	e.agree()
	e.note()
	if len(r.Tasks) == 0 {
		return r.noTasks()
	}
	return nil
}

// ask adds how the history states what a question asks for to its error.
func (r *reading) ask(err error) error {
	f := (*badinput.Error)(nil)
	if !errors.As(err, &f) {
		return err
	}
	asked := *f
	asked.File = r.File
	if f.Row > 0 && f.File == "" {
		asked.Row = r.Lines[f.Row-1]
	}
	option := "--decimal ,"
	if at := strings.Index(f.Fix, "--"); at >= 0 && !strings.Contains(f.Fix, "--decimal") {
		option, _, _ = strings.Cut(f.Fix[at:], ",")
	}
	asked.Fix = f.Fix + `, for past assays as --history "` + r.File + ":; " + option + `"`
	return &asked
}

// everyAssay reads the assays of one column after the other.
type everyAssay struct {
	*reading
	header  *label.Header
	keys    *keys // nil: a wide table
	several bool  // columns of labels or measurements
	names   map[string]int

	assumed   []int    // tasks whose actives are assumed to be on the side of small values, or of large ones
	apart     []string // assays that are divided by their units
	unread    []int    // lines with cells that cannot be read
	firstCell string
}

func (e *everyAssay) column(at int) error {
	whole, rows, unreadable, err := e.whole(at)
	if err != nil || unreadable {
		return err
	}
	if e.keys == nil {
		return e.assay(e.rows.Header[at], whole, rows, nil)
	}
	for id, positions := range e.keys.groups(rows) {
		name := e.keys.names[id]
		if e.several && name != "" {
			name += ": "
		}
		if e.several || name == "" {
			name += e.rows.Header[at]
		}
		if len(positions) > 0 {
			if err := e.assay(name, whole, rows, positions); err != nil {
				return err
			}
		}
	}
	return nil
}

// whole returns a column with its rows. It is unreadable if it has no label and no measurement.
func (e *everyAssay) whole(at int) (c *label.Column, rows []int32, unreadable bool, err error) {
	cells := e.reading.column(at)
	words, labels, values := countCells(cells)
	if words == len(cells) {
		c = &label.Column{Name: e.rows.Header[at], Choices: e.options.Labels.Choices}
		for _, cell := range cells {
			c.Cells, rows = append(c.Cells, cell.Text), append(rows, cell.Row)
		}
		return c, rows, labels == 0, nil
	}
	unit := ""
	if at < len(e.units) {
		unit = e.units[at]
	}
	c, rows, err = e.options.Labels.Whole(e.header, at, e.reading.column, e.rows.Separator(), unit)
	if err == nil {
		err = c.Decide()
	}
	if f := (*badinput.Error)(nil); errors.As(err, &f) {
		if f.Column = e.rows.Header[at]; f.Row > 0 {
			f.Row = int(rows[f.Row-1]) + 1
		}
	}
	return c, rows, values == 0, err
}

// countCells is like label.CountCells. Plus signs of a scale are measurements.
func countCells(cells []label.Cell) (words, labels, values int) {
	words, labels, values = label.CountCells(cells)
	if words < len(cells) && values == 0 {
		values = each.Count(cells, func(cell label.Cell) bool { return label.IsLevel(cell.Text) })
	}
	return words, labels, values
}

// assay reads the cells of a column at some positions, nil for all, as an assay, or as one for each type and unit of
// measurements that cannot be compared.
func (e *everyAssay) assay(name string, whole *label.Column, rows []int32, positions []int) error {
	parts := whole.Parts(positions)
	types, units := map[string]int{}, 0
	for _, p := range parts {
		types[strings.ToLower(p.Type)]++
	}
	for _, p := range parts {
		own := name
		if len(types) > 1 && p.Type != "" {
			own = strings.TrimPrefix(name+" "+p.Type, whole.Name+" ")
		}
		if types[strings.ToLower(p.Type)] > 1 {
			own += " (" + p.UnitName() + ")"
			units++
		}
		if err := e.part(own, p, rows); err != nil {
			return err
		}
	}
	if units > 0 {
		e.apart = append(e.apart, name)
	}
	return nil
}

// part adds the task of one assay. A part with too many cells that cannot be read is none.
func (e *everyAssay) part(name string, p *label.Part, rows []int32) error {
	words := each.Count(p.Cells, func(cell string) bool { _, ok := label.Word(cell); return ok })
	var of *label.Reading
	t := Task{Name: e.unique(name)}
	var err error
	if words == len(p.Cells) {
		of, err = p.Read()
		if f := (*badinput.Error)(nil); errors.As(err, &f) && strings.Contains(f.Fix, "--active-words") && f.Row == 0 {
			f.Column = p.Name
			return f // 1 may be inactive
		}
	} else {
		var assumed bool
		if of, t.Rule, assumed, err = p.Ordered(name); err == nil && assumed {
			e.assumed = append(e.assumed, len(e.Tasks))
		}
	}
	if err != nil {
		return nil //nolint:nilerr // remarks
	}
	for k, v := range of.Verdicts {
		row, value := rows[p.At[k]], math.NaN()
		if of.Values != nil {
			value = of.Values[k]
		}
		switch {
		case !math.IsNaN(value) || v <= label.Active:
			t.Rows, t.Labels = append(t.Rows, row), append(t.Labels, uint8(v)&1)
			if t.Rule != nil {
				t.Values, t.Sides = append(t.Values, value), append(t.Sides, of.Sides[k])
			}
		case v == label.Unread:
			if len(e.unread) == 0 {
				e.firstCell = p.Cells[k]
			}
			e.unread = append(e.unread, e.Lines[row])
		}
	}
	e.Tasks = append(e.Tasks, t)
	return nil
}

// agree takes small values as active also of assumed assays with few values, if the values of most others are so, and as large.
func (e *everyAssay) agree() {
	var most []float64
	for _, i := range e.assumed {
		if t := e.Tasks[i]; t.Rule.Scale().Falls() {
			_, _, high := Median(t.Values)
			most = append(most, high)
		}
	}
	if 2*len(most) <= len(e.assumed) {
		return
	}
	usual, _, _ := Median(most)
	for _, i := range e.assumed {
		t := &e.Tasks[i]
		if _, low, high := Median(t.Values); !t.Rule.Scale().Falls() && low > 0 && 10*high >= usual {
			t.Rule = t.Rule.Reversed()
		}
	}
}

// unique returns a name that no other assay of the file has.
func (e *everyAssay) unique(name string) string {
	if e.names[name]++; e.names[name] > 1 {
		return e.unique(fmt.Sprintf("%s (%d)", name, e.names[name]))
	}
	return name
}

// note notes what was assumed, in a line for all assays.
func (e *everyAssay) note() {
	add := func(text, change string, rows []int) {
		e.Notes = append(e.Notes, note.Note{Text: text, Switch: change, Rows: rows})
	}
	if e.keys != nil && len(e.keys.columns) > 0 {
		text := "a row is a measurement; assays by column "
		add(text+badinput.List(each.At(e.rows.Header, e.keys.columns)), `--history "`+e.File+`:COLUMN"`, nil)
	}
	for _, text := range []string{"small", "large"} {
		var names []string
		for _, i := range e.assumed {
			if t := e.Tasks[i]; t.Rule.Scale().Falls() == (text == "small") {
				names = append(names, t.Name)
			}
		}
		if len(names) > 0 {
			add(fmt.Sprintf("%s values of %s count as active, as neither names nor units state the side: %s", text, ui.Count(len(names), "assay"),
				FirstNames(names)), `--history "`+e.File+`:; --value-unit UNIT"`, nil)
		}
	}
	if names := e.apart; len(names) > 0 {
		add("divided by units that cannot be compared: "+ui.Count(len(names), "assay")+": "+FirstNames(names), "--value-unit", nil)
	}
	if len(e.unread) > 0 {
		slices.Sort(e.unread)
		add(ui.Count(len(e.unread), "cell")+" cannot be read, such as "+badinput.Quote(e.firstCell), "", slices.Compact(e.unread))
	}
}

// FirstNames lists up to three names, and says that there are more.
func FirstNames(names []string) string {
	const shown = 3
	text := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		text += " …"
	}
	return text
}
