package source

import (
	"pacia/data"
	"pacia/data/split"
)

// Summary describes a data set for people.
type Summary struct {
	Name      string
	Molecules int
	Atoms     Spread // atoms of a molecule
	Bonds     Spread // bonds of a molecule, each counted once
	Tasks     []TaskSummary
	Skipped   []data.Skipped
	Stored    data.Stored
	Split     *data.Split // nil if no split is known for the data set
}

// Spread is the mean and the largest of a count.
type Spread struct {
	Mean float64
	Max  int
}

// TaskSummary counts the labels of a task.
type TaskSummary struct {
	Name                      string
	Active, Inactive, Missing int
	Part                      string // "train", "valid", "test" or empty
}

// Inspect summarises d. spec is as for [split.Parse]. If it is "auto" and no split is
// known, Split is nil.
func Inspect(d *data.Dataset, spec string) (Summary, error) {
	n := d.Store.Len()
	s := Summary{Name: d.Name, Molecules: n, Skipped: d.Skipped, Stored: d.Stored}
	s.Atoms = spread(n, d.Store.Atoms)
	s.Bonds = spread(n, d.Store.Bonds)
	for i := range d.Tasks {
		t := &d.Tasks[i]
		s.Tasks = append(s.Tasks, TaskSummary{
			Name: t.Name, Active: len(t.Class(1)), Inactive: len(t.Class(0)), Missing: n - len(t.Rows),
		})
	}
	parts, err := split.Parse(spec, d)
	if err != nil {
		if spec == "auto" {
			return s, nil
		}
		return s, err
	}
	s.Split = &parts
	s.mark(parts.Train, "train")
	s.mark(parts.Valid, "valid")
	s.mark(parts.Test, "test")
	return s, nil
}

func (s *Summary) mark(tasks []int, part string) {
	for _, t := range tasks {
		s.Tasks[t].Part = part
	}
}

func spread(n int, count func(i int) int) Spread {
	var s Spread
	sum := 0
	for i := range n {
		c := count(i)
		sum += c
		s.Max = max(s.Max, c)
	}
	if n > 0 {
		s.Mean = float64(sum) / float64(n)
	}
	return s
}
