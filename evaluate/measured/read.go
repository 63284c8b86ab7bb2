package measured

import (
	"context"
	"math"
	"strconv"

	"pacia/data"
	"pacia/data/label"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/input"
	"pacia/model"
)

// Assays are tasks with values.
type Assays struct {
	Molecules data.Molecules
	Tasks     []data.Task
	Known     []float64 // of each task, the share of its molecules that training assays have
}

// columns are those that the table has to have: the part that an assay belongs to (train, valid or
// test), its name, a molecule, its label, its value as a negative logarithm (a pIC50) and as it was
// measured (a percentage), and <, > or = before that.
var columns = []string{"fold", "task", "smiles", "active", "log_value", "value", "relation"}

// largest is the most bytes that a table may have, unpacked.
const largest = 1 << 30

// row is one measurement.
type row struct {
	smiles     string
	label      uint8
	log, value float64 // NaN: there is none
	side       int8    // of value, as of data.Measured
}

// Open reads the assays of a fold for a model from a table with tabs, perhaps packed.
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
		t, known := data.Task{Name: name}, 0
		values := scaleOf(rows[name])
		for i, r := range rows[name] {
			if before[r.smiles] {
				known++
			}
			if molecule := index[at+i]; molecule >= 0 && !math.IsNaN(values[i].Value) {
				t.Rows, t.Labels, t.Values = append(t.Rows, molecule), append(t.Labels, r.label), append(t.Values, values[i])
			}
		}
		at += len(rows[name])
		a.Tasks, a.Known = append(a.Tasks, t), append(a.Known, float64(known)/float64(len(rows[name])))
	}
	return a, nil
}

// read returns the rows of the assays of a fold, their names in the order of the table, and which
// molecules training assays have.
func read(ctx context.Context, path, fold string) (rows map[string][]row, names []string, before map[string]bool, err error) {
	rows, before = map[string][]row{}, map[string]bool{}
	err = input.Rows(ctx, path, '\t', largest, columns, func(line int, cells []string) error {
		if cells[0] == "train" && fold != "train" {
			before[cells[2]] = true
		}
		if cells[0] != fold {
			return nil
		}
		r := row{smiles: cells[2], log: number(cells[4]), value: number(cells[5])}
		switch cells[3] {
		case "1":
			r.label = 1
		case "0":
		default:
			return &badinput.Error{
				File: path, Row: line, Column: columns[3], What: badinput.Quote(cells[3]) + " is neither 0 nor 1", Fix: "correct it",
			}
		}
		if sign := cells[6]; sign != "" {
			r.side = label.Side(sign[0])
		}
		if rows[cells[1]] == nil {
			names = append(names, cells[1])
		}
		rows[cells[1]] = append(rows[cells[1]], r)
		return nil
	})
	return rows, names, before, err
}

func number(cell string) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// scaleOf puts the values of an assay on a scale on which actives are larger: that of the
// logarithms or, where inactives have the larger ones, as of percentages, that of the values
// themselves.
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
