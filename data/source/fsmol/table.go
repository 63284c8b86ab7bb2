package fsmol

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pacia/data/assay"
	"pacia/internal/atomicfile"
)

// A sourceTable is a file of labelled molecules, in which each column other than that of the SMILES is a
// task.
type sourceTable struct {
	*assay.Assay
	part int // of Folds, by the file's folder; −1: not in such a folder
}

// readTable reads a table. The task of a column "label" has the name of the file.
func readTable(ctx context.Context, path string, o assay.Options, part int) (*sourceTable, error) {
	o.Called = tableName(path)
	a, err := assay.Open(ctx, path, nil, o)
	if err != nil {
		return nil, err
	}
	return &sourceTable{a, part}, nil
}

// tableName returns the name of a CSV file without folder and extensions.
func tableName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".csv")
}

// writeSkipped writes the list of molecules that were left out, if there are any.
func writeSkipped(path string, skipped []Skipped) error {
	if len(skipped) == 0 {
		return nil
	}
	return WriteRows(path, func(w *csv.Writer) error {
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

// tableRow is a molecule with a cell for each task; "" if it was not measured.
type tableRow struct {
	smiles string
	cells  []string
}

func writeTable(path string, tasks []string, rows []tableRow) error {
	return WriteRows(path, func(w *csv.Writer) error {
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

// WriteRows writes a CSV completely or not at all, gzip-compressed if the name ends in .gz.
func WriteRows(path string, fill func(*csv.Writer) error) error {
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
