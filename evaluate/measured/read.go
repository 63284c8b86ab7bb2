package measured

import (
	"context"
	"math"
	"os"
	"strconv"

	"pacia/data"
	"pacia/data/label"
	"pacia/data/molecule"
	"pacia/data/source/fsmol"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/model"
)

// Assays are tasks with values.
type Assays struct {
	Molecules molecule.List
	Tasks     []data.Task
	Known     []float64 // of each task: the share of its molecules that are in training assays
}

// columns are the required columns of the table: the part that an assay belongs to (train, valid or
// test), its name, a molecule, its label, its value as a negative logarithm (such as a pIC50) and as
// measured (such as a percentage), and the relation (<, > or =) of the measured value.
var columns = []string{"fold", "task", "smiles", "active", "log_value", "value", "relation"}

// largest is the maximum size of a table in bytes, unpacked.
const largest = 1 << 30

// row is one measurement.
type row struct {
	smiles     string
	label      uint8
	log, value float64 // NaN: unknown
	side       int8    // of value, as of data.Measured
}

// Open reads the assays of a fold for a model, from a tab-separated table, which may be compressed, or
// from a folder of FS-Mol's task files.
func Open(ctx context.Context, c model.Config, path, fold string) (*Assays, error) {
	rows, names, before, err := read(ctx, path, fold)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &badinput.Error{File: path, What: "no assay belongs to the part " + badinput.Quote(fold), Fix: "write train, valid or test"}
	}
	var smiles []string
	for _, name := range names {
		for _, r := range rows[name] {
			smiles = append(smiles, r.smiles)
		}
	}
	a := new(Assays)
	var index []int32
	a.Molecules, index, _ = evaluate.ParseSMILES(ctx, c, smiles, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at := 0
	for _, name := range names {
		known := each.Count(rows[name], func(r row) bool { return before[r.smiles] })
		a.Tasks = append(a.Tasks, taskOf(name, rows[name], index[at:], hasValue))
		a.Known = append(a.Known, float64(known)/float64(len(rows[name])))
		at += len(rows[name])
	}
	return a, nil
}

func hasValue(v data.Measured) bool { return !math.IsNaN(v.Value) }

// taskOf makes a task of the rows of an assay. index has the number of each row's molecule, −1 if it could
// not be read. taskOf leaves out molecules for whose value keep returns false.
func taskOf(name string, rows []row, index []int32, keep func(data.Measured) bool) data.Task {
	t := data.Task{Name: name}
	for i, v := range scaleOf(rows) {
		if index[i] >= 0 && keep(v) {
			t.Rows, t.Labels, t.Values = append(t.Rows, index[i]), append(t.Labels, rows[i].label), append(t.Values, v)
		}
	}
	return t
}

// OpenTraining reads the training assays of these names, in this order, from a table or folder as [Open]
// does. Molecules have fingerprints only. Unknown values are NaN.
func OpenTraining(ctx context.Context, path string, names []string) (*data.Dataset, error) {
	rows, _, _, err := read(ctx, path, "train")
	if err != nil {
		return nil, err
	}
	var smiles []string
	for _, name := range names {
		if rows[name] == nil {
			return nil, &badinput.Error{File: path,
				What: "no row of the part train is of the assay " + badinput.Quote(name) + ", which the model was trained on",
				Fix:  "add its measurements, or name the table of the training's data set"}
		}
		smiles = append(smiles, each.Of(rows[name], func(r row) string { return r.smiles })...)
	}
	store, index, _ := molecule.FingerprintsOnly().ParseSMILES(ctx, smiles, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, at := &data.Dataset{Name: path, Store: store}, 0
	for _, name := range names {
		d.Tasks = append(d.Tasks, taskOf(name, rows[name], index[at:], func(data.Measured) bool { return true }))
		at += len(rows[name])
	}
	return d, nil
}

// read returns the rows of the assays of a fold by name, their names in the order of the table, and the
// molecules of training assays.
func read(ctx context.Context, path, fold string) (rows map[string][]row, names []string, before map[string]bool, err error) {
	rows, before = map[string][]row{}, map[string]bool{}
	add := func(part, task string, r row) {
		if part == "train" && fold != "train" {
			before[r.smiles] = true
		}
		if part != fold {
			return
		}
		if rows[task] == nil {
			names = append(names, task)
		}
		rows[task] = append(rows[task], r)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		err = fsmol.Measurements(ctx, path, func(part, task string, m *fsmol.Molecule) error {
			add(part, task, row{m.SMILES, m.Label, number(m.LogRegression), number(m.Regression), sideOf(m.Relation)})
			return nil
		})
		return rows, names, before, err
	}
	err = input.Rows(ctx, path, '\t', largest, columns, func(line int, cells []string) error {
		r := row{smiles: cells[2], log: number(cells[4]), value: number(cells[5]), side: sideOf(cells[6])}
		switch cells[3] {
		case "1":
			r.label = 1
		case "0":
		default:
			return &badinput.Error{
				File: path, Row: line, Column: columns[3], What: badinput.Quote(cells[3]) + " is neither 0 nor 1", Fix: "correct it",
			}
		}
		add(cells[0], cells[1], r)
		return nil
	})
	return rows, names, before, err
}

// sideOf returns the side of a bound with the relation sign, 0 for an exact value.
func sideOf(sign string) int8 {
	if sign == "" {
		return 0
	}
	return label.Side(sign[0])
}

func number(cell string) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// scaleOf returns the values of an assay on a scale on which actives are larger. It takes the
// logarithms if their mean is larger for actives, else the values themselves (as of percentages),
// negated if their mean is smaller for actives.
func scaleOf(rows []row) []data.Measured {
	all := make([]data.Measured, len(rows))
	up := func(of func(row) float64) bool {
		var sums, n [2]float64
		for _, r := range rows {
			if v := of(r); !math.IsNaN(v) {
				sums[r.label], n[r.label] = sums[r.label]+v, n[r.label]+1
			}
		}
		return sums[1]/n[1] > sums[0]/n[0]
	}
	log := up(func(r row) float64 { return r.log })
	falls := !log && !up(func(r row) float64 { return r.value })
	for i, r := range rows {
		switch {
		case log:
			all[i] = data.Measured{Value: r.log, Side: -r.side}
		default:
			all[i] = data.Measured{Value: r.value, Side: r.side}
		}
		if falls {
			all[i] = all[i].Opposite()
		}
	}
	return all
}
