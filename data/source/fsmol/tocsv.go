package fsmol

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// ToCSV is the inverse of [FromCSV]. If to ends in .csv or .csv.gz, it writes one table with
// a column for each task; the file must be empty or not exist. Otherwise it makes a folder with a table for each task in train, valid
// and test; the folder must be empty or not exist. Only a folder keeps the parts, and the order of
// each task's molecules, on which draws depend. list is the path of a JSON list
// of the tasks; empty: the folder's own list, or all of its files.
func ToCSV(from, to, list string) (Converted, error) {
	folds, err := findFolds(from)
	if list != "" {
		folds, err = readFolds(list)
	}
	if err != nil {
		return Converted{}, err
	}
	if strings.HasSuffix(to, ".csv") || strings.HasSuffix(to, ".csv.gz") {
		if info, err := os.Stat(to); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return Converted{}, &badinput.Error{File: to, What: "is there already", Fix: "remove it, or name another file"}
		}
		return wideTable(from, to, folds)
	}
	var done Converted
	err = newFolder(to, func(dir string) error {
		return eachTask(from, folds, func(part int, name string, molecules []Molecule) error {
			folder := filepath.Join(dir, folders[part])
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			rows := each.Of(molecules, func(v Molecule) tableRow { return tableRow{v.SMILES, []string{v.cell()}} })
			done.Tasks, done.Molecules = done.Tasks+1, done.Molecules+len(rows)
			return writeTable(filepath.Join(folder, fileName(name)+".csv"), []string{name}, rows)
		})
	})
	return done, err
}

func (m *Molecule) cell() string { return strconv.Itoa(int(m.Label)) }

func eachTask(dir string, folds Folds, f func(part int, name string, molecules []Molecule) error) error {
	for part, names := range folds.parts() {
		for _, name := range *names {
			molecules, err := readTask(context.Background(), filepath.Join(dir, folders[part], strings.TrimSuffix(name, suffix)+suffix)) // a signal ends the program
			if err != nil {
				return err
			}
			if err := f(part, columnName(name, molecules), molecules); err != nil {
				return err
			}
		}
	}
	return nil
}

// columnName returns the name of a task: the name of the assay if the file is named after
// it, perhaps with some characters replaced, or else the name of the file.
func columnName(file string, molecules []Molecule) string {
	file = strings.TrimSuffix(file, suffix)
	if assay := molecules[0].Assay; fileName(assay) == file {
		return assay
	}
	return file
}

// maxCells is the maximum number of cells of a wide table, most of them empty: 2 GB in memory.
const maxCells = 50_000_000

// wideTable writes one table. A molecule has as many rows as the largest number of its measurements
// in one task.
func wideTable(from, to string, folds Folds) (Converted, error) {
	type key struct {
		smiles string
		time   int
	}
	var done Converted
	var rows []tableRow
	var tasks []string
	at := make(map[key]int)
	seen := make(map[string]bool)
	err := eachTask(from, folds, func(_ int, name string, molecules []Molecule) error {
		if seen[name] || name == "smiles" {
			return &badinput.Error{File: from, Column: name, What: "would be the name of two columns", Fix: "rename the task's file, or write a folder"}
		}
		seen[name] = true
		times := make(map[string]int)
		for i := range molecules {
			m := &molecules[i]
			k := key{m.SMILES, times[m.SMILES]}
			times[m.SMILES]++
			row, ok := at[k]
			if !ok {
				row = len(rows)
				at[k], rows = row, append(rows, tableRow{smiles: m.SMILES})
			}
			// Missing cells are added when a row is written to, and at the end.
			rows[row].cells = append(padded(rows[row].cells, len(tasks)), m.cell())
		}
		tasks = append(tasks, name)
		if len(rows)*len(tasks) > maxCells {
			return &badinput.Error{File: from, What: fmt.Sprintf("more than %d cells in one table", maxCells), Fix: "write a folder: a name that does not end in .csv"}
		}
		done.Tasks, done.Molecules = done.Tasks+1, done.Molecules+len(molecules)
		return nil
	})
	if err != nil {
		return done, err
	}
	for i := range rows {
		rows[i].cells = padded(rows[i].cells, len(tasks))
	}
	if err := writeTable(to, tasks, rows); err != nil {
		return done, fmt.Errorf("%s: %w", to, err)
	}
	return done, nil
}

// padded returns cells with empty ones appended, up to n.
func padded(cells []string, n int) []string {
	for len(cells) < n {
		cells = append(cells, "")
	}
	return cells
}
