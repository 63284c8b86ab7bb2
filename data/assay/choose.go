package assay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// tasks reads the named columns, the likeliest column, or all columns that contain labels.
func (r *reading) tasks() error {
	h := r.header()
	if names := r.options.Labels.Columns; len(names) > 0 {
		for i, name := range names {
			at := table.Column(r.rows.Header, name)
			if at >= 0 && at == r.rows.SMILES {
				return &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine), Column: r.rows.Header[at], What: "holds the molecules",
					Fix: "name a column of labels with --label"}
			}
			if at < 0 {
				f := &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine),
					What: fmt.Sprintf("no column %s for labels among %s", badinput.Quote(name), badinput.List(r.rows.Header))}
				if near := badinput.Nearest(name, r.rows.Header); near != "" {
					f.Fix = "the nearest is " + badinput.Quote(near)
				}
				return r.noColumnOf(h, f)
			}
			if err := r.twice(at, name); err != nil {
				return err
			}
			if err := r.measuredOrLabels(h, at, i); err != nil {
				return err
			}
		}
		return nil
	}
	if r.options.SingleColumn {
		return r.readLikeliest(h)
	}
	return r.all(h)
}

// NoColumn is the error for a table without the named column of labels.
type NoColumn struct {
	Fault    *badinput.Error
	Likely   string // another column that may hold the labels; empty: not known
	Measured bool   // it holds measurements
}

func (e *NoColumn) Error() string { return e.Fault.Error() }

// Unwrap returns e.Fault.
func (e *NoColumn) Unwrap() error { return e.Fault }

// noColumnOf returns the error f with the column that most likely holds the labels.
func (r *reading) noColumnOf(h *label.Header, f *badinput.Error) error {
	e := &NoColumn{Fault: f}
	for at, name := range r.rows.Header {
		cells := r.column(at)
		if at == r.rows.SMILES || table.NameLike(name) || h.Role(at) || len(cells) == 0 {
			continue
		}
		labels := holds(cells, false)
		if measured := !labels && holds(cells, true) && label.MeasurementName(name); labels || measured {
			e.Likely, e.Measured = name, measured
			break
		}
	}
	return e
}

// readLikeliest reads the likeliest column.
func (r *reading) readLikeliest(h *label.Header) error {
	at, err := r.likeliest(h)
	if err != nil {
		return err
	}
	return r.measuredOrLabels(h, at, 0)
}

// measuredOrLabels reads a column as task i. If all its cells are labels, such as 1 and 0, a threshold is not applied
// to them, because 0 would be active below 1.
func (r *reading) measuredOrLabels(h *label.Header, at, i int) error {
	read := r.options.Labels
	defer func() { r.options.Labels = read }()
	cells := r.column(at)
	words, labels, _ := label.CountCells(cells)
	if !read.Numbers && read.Rule(i) != nil && words == len(cells) && labels > 0 {
		r.options.Labels = read.Words()
		if read.Lent {
			return r.task(h, at, i)
		}
		change := "--label"
		if len(read.Columns) > 0 {
			change = "--active-words, --inactive-words"
		}
		r.Notes = append(r.Notes, note.Note{
			Text: "column " + badinput.Quote(r.rows.Header[at]) + " holds labels, to which no threshold applies", Switch: change, Warning: true,
		})
	}
	return r.task(h, at, i)
}

// twice returns an error if another column with other cells has the same name as the column that the user
// named. If no column has exactly the name given, case is ignored.
func (r *reading) twice(at int, name string) error {
	header := r.rows.Header
	for i := at + 1; i < len(header); i++ {
		same := header[i] == header[at] || header[at] != name && strings.EqualFold(header[i], header[at])
		if same && i != r.rows.SMILES && !slices.Equal(r.column(at), r.column(i)) {
			return r.namedTwice(at, i)
		}
	}
	return nil
}

// holds reports whether more than two thirds of the cells are known words, such as labels, or, if rule is set,
// measurements instead.
func holds(cells []label.Cell, rule bool) bool {
	n := 0
	for _, cell := range cells {
		_, word := label.Word(cell.Text)
		if level := label.IsLevel(cell.Text); level || rule && label.IsMeasurement(cell.Text) || !rule && word {
			n++
		}
	}
	return n*3 > len(cells)*2
}

// all reads every column that contains labels or, with a rule, measurements. It leaves out columns of
// compound names, signs, units and types.
func (r *reading) all(h *label.Header) error {
	ignored, err := r.ignored()
	if err == nil {
		err = r.named()
	}
	if err != nil {
		return err
	}
	for at, name := range r.rows.Header {
		if at == r.rows.SMILES || ignored[at] {
			continue
		}
		cells := r.column(at)
		words, labels, values := label.CountCells(cells)
		nameLike := table.NameLike(name)
		switch {
		case r.rows.Form == table.SDFile && name == "name", nameLike && words < len(cells):
			continue
		case r.blankOrNumbers(at), name == "" && !holds(cells, r.options.Labels.Measured()):
			continue // or remarks
		case name == "":
			return r.unnamed(at)
		case h.Role(at) && (words < len(cells) || labels == 0), r.options.Labels.Measured() && (nameLike || words < len(cells) && values == 0):
			continue // signs and units; names, or remarks
		}
		read := r.options.Labels
		if words == len(cells) {
			r.options.Labels = read.Words()
		}
		err := r.task(h, at, 0)
		r.options.Labels = read
		if err != nil {
			var f *badinput.Error
			switch {
			case !errors.As(err, &f):
			case strings.Contains(f.Fix, "--label"):
				f.Fix += ", or leave this one out with --ignore"
			default:
				f.Fix += "; --label chooses the columns that are tasks, --ignore leaves one out"
			}
			return err
		}
	}
	if len(r.Tasks) == 0 {
		return r.noTasks()
	}
	return nil
}

// named returns an error if two columns have the same name, since tasks have the names of their columns.
func (r *reading) named() error {
	seen := map[string]int{}
	for i, name := range r.rows.Header {
		if first, twice := seen[name]; twice && name != "" {
			return r.namedTwice(first, i)
		}
		seen[name] = i
	}
	return nil
}

func (r *reading) namedTwice(first, second int) error {
	return &badinput.Error{
		File: r.File, Row: max(1, r.rows.HeaderLine), Column: r.rows.Header[first],
		What: fmt.Sprintf("named twice, columns %d and %d", first+1, second+1), Fix: "rename one of the two",
	}
}

func (r *reading) noTasks() error {
	f := &badinput.Error{
		File: r.File, Row: max(1, r.rows.HeaderLine), What: "no column of labels beside " + badinput.Quote(r.Column), Fix: "add a column of labels",
	}
	if !r.options.SingleColumn {
		f.Fix += " for each task"
	}
	return &NoLabels{f}
}

// NoLabels is the error for a table with molecules but without labels, such as a library.
type NoLabels struct{ Fault *badinput.Error }

func (e *NoLabels) Error() string { return e.Fault.Error() }

// Unwrap returns e.Fault.
func (e *NoLabels) Unwrap() error { return e.Fault }

// labelNames are usual names of a column of labels.
var labelNames = []string{"label", "labels", "active", "activity", "class", "y", "hit", "outcome", "pubchem_activity_outcome"}

// labelNamed reports whether a column has a usual name of a column of labels.
func labelNamed(header []string) bool {
	return slices.ContainsFunc(header, func(name string) bool { return slices.Contains(labelNames, strings.ToLower(strings.TrimSpace(name))) })
}

// likeliest chooses one column of labels: the one with a usual name, the only one besides the molecules
// and compound names, or the only one that contains labels or measurements.
func (r *reading) likeliest(h *label.Header) (int, error) {
	rule := r.options.Labels.Measured()
	var named, others, plain, holding []int
	for i, name := range r.rows.Header {
		if i == r.rows.SMILES || r.blankOrNumbers(i) {
			continue
		}
		others = append(others, i)
		if rule && label.MeasurementName(name) || !rule && slices.Contains(labelNames, strings.ToLower(strings.TrimSpace(name))) {
			named = append(named, i)
		}
		if table.NameLike(name) || h.Role(i) {
			continue
		}
		plain = append(plain, i)
		if holds(r.column(i), rule) {
			holding = append(holding, i)
		}
	}
	if rule && len(named) > 1 { // keep those with values to which the threshold can apply
		named = slices.DeleteFunc(named, func(i int) bool {
			return !slices.Contains(holding, i) || !r.options.Labels.Fits(r.rows.Header[i])
		})
	}
	if rule && len(named) > 1 { // a dose or a time is rather a condition, and a name such as IC50 comes before one such as result
		condition := func(i int) bool {
			kind := kindOf(r.rows.Header[i])
			return kind == OfConcentrations || kind == OfTimes
		}
		vague := func(i int) bool { return !label.NamesMeasure(r.rows.Header[i]) }
		for _, less := range []func(int) bool{condition, vague} {
			if of := slices.DeleteFunc(slices.Clone(named), less); len(of) > 0 {
				named = of
			}
		}
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1: // ambiguous
	case len(others) == 1:
		return others[0], nil
	case len(plain) == 1, len(holding) == 1:
		at := append(holding[:min(1, len(holding))], plain...)[0]
		r.Notes = append(r.Notes, note.Note{Text: "labels from column " + badinput.Quote(r.rows.Header[at]), Switch: "--label"})
		return at, nil
	}
	return 0, r.unclear(named, holding)
}

// unclear returns the error if the column of labels is ambiguous; it lists the candidates.
func (r *reading) unclear(named, holding []int) error {
	if len(r.rows.Header) == 1 {
		return r.noTasks()
	}
	likely := named
	if len(likely) == 0 {
		likely = holding
	}
	fix := "name it with --label"
	if len(likely) > 0 {
		names := each.Of(likely[:min(3, len(likely))], func(i int) string { return badinput.Quote(r.rows.Header[i]) })
		fix += ", perhaps " + strings.Join(names, " or ")
	}
	return &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine), What: "which column holds the labels is not clear from " + badinput.List(r.rows.Header), Fix: fix}
}
