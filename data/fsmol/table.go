package fsmol

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pacia/data/csvfile"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// table is a CSV in the layout of MoleculeNet: a column of SMILES, and one of
// labels for each task.
type table struct {
	path   string
	part   int // of Folds; −1 where the file does not say
	smiles []string
	lines  []int // of the file that the molecule begins on, counted from 1
	tasks  []tableTask
}

// tableTask is what was measured of a task.
type tableTask struct {
	name   string
	rows   []int32 // of the table
	labels []uint8
}

// readTable reads a table. column is the name of the SMILES column; in a table
// of one assay the other column may have any name, and the task has the file's
// where that is "label".
func readTable(ctx context.Context, path, column string, part int) (*table, error) {
	r, err := csvfile.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, at := &table{path: path, part: part}, -1
	var columns []int
	for i, name := range r.Header {
		name = strings.TrimSpace(name)
		if name == column {
			at = i
			continue
		}
		if name == "label" {
			name = tableName(path)
		}
		t.tasks, columns = append(t.tasks, tableTask{name: name}), append(columns, i)
	}
	if at < 0 {
		return nil, &badinput.Error{File: path, Row: 1, What: fmt.Sprintf("no column %q", column), Fix: "name the column of the molecules by --smiles"}
	}
	if len(columns) == 0 {
		return nil, &badinput.Error{File: path, Row: 1, What: fmt.Sprintf("no column beside %q", column), Fix: "add a column of labels for each task"}
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for i, c := range columns {
			label, measured := uint8(0), true
			switch strings.TrimSpace(cells[c]) {
			case "":
				measured = false
			case "0", "0.0":
			case "1", "1.0":
				label = 1
			default:
				return nil, &badinput.Error{File: path, Row: r.Line(c), Column: r.Header[c],
					What: fmt.Sprintf("label %s is not 0, 1 or empty", badinput.Quote(cells[c])), Fix: "write 0, 1 or leave the cell empty"}
			}
			if measured {
				t.tasks[i].rows = append(t.tasks[i].rows, int32(len(t.smiles)))
				t.tasks[i].labels = append(t.tasks[i].labels, label)
			}
		}
		t.smiles = append(t.smiles, strings.Clone(strings.TrimSpace(cells[at])))
		t.lines = append(t.lines, r.Line(0))
	}
	if len(t.smiles) == 0 {
		return nil, &badinput.Error{File: path, What: "no molecules below the header", Fix: "write one molecule a row"}
	}
	return t, nil
}

// tableName returns the name of a CSV file without folder and extensions.
func tableName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".csv")
}

// writeSkipped lists molecules that were left out, where there are any.
func writeSkipped(path string, skipped []Skipped) error {
	if len(skipped) == 0 {
		return nil
	}
	return writeRows(path, func(w *csv.Writer) error {
		if err := w.Write([]string{"file", "row", "smiles", "reason"}); err != nil {
			return err
		}
		for _, s := range skipped {
			if err := w.Write([]string{s.File, strconv.Itoa(s.Row), s.SMILES, s.Reason}); err != nil {
				return err
			}
		}
		return nil
	})
}

// tableRow is a molecule and its cells, one a task, "" where not measured.
type tableRow struct {
	smiles string
	cells  []string
}

// writeTable writes a table.
func writeTable(path string, tasks []string, rows []tableRow) error {
	return writeRows(path, func(w *csv.Writer) error {
		if err := w.Write(append([]string{"smiles"}, tasks...)); err != nil {
			return err
		}
		for _, row := range rows {
			if err := w.Write(append([]string{row.smiles}, row.cells...)); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeRows writes a CSV, compressed where the name ends in .gz.
func writeRows(path string, fill func(*csv.Writer) error) error {
	return atomicfile.Write(path, func(f *os.File) error {
		out, end := io.Writer(f), func() error { return nil }
		if strings.HasSuffix(path, ".gz") {
			z := gzip.NewWriter(f)
			out, end = z, z.Close
		}
		w := csv.NewWriter(out)
		if err := fill(w); err != nil {
			return err
		}
		w.Flush()
		return errors.Join(w.Error(), end())
	})
}
