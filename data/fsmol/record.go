package fsmol

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// A Record is what a method reached with support sets of one size.
type Record struct {
	Method  string
	Support int                // molecules of both classes together
	Delta   map[string]float64 // ΔAUPRC by task, the mean over its draws
}

// resultsSuffix ends the names of the files of WriteResults.
const resultsSuffix = "_eval_results.csv"

// largestRecord is the most bytes that a file of a record may have, unpacked.
const largestRecord = 64 << 20

// ReadRecords reads results of other models, in the order of their methods and sizes: a table
// with the columns method, support, assay and delta_auprc, perhaps packed by gzip, or a folder
// of files of [WriteResults], whose method is the folder's name.
func ReadRecords(ctx context.Context, path string) ([]Record, error) {
	r := records{}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		err := r.read(ctx, path, []string{"method", "support", "assay", "delta_auprc"}, func(cells []string) []string { return cells })
		return r.sorted(path, err)
	}
	files, err := filepath.Glob(filepath.Join(path, "*"+resultsSuffix))
	if err != nil {
		return nil, err
	}
	method := filepath.Base(filepath.Clean(path))
	for _, file := range files {
		task := strings.TrimSuffix(filepath.Base(file), resultsSuffix)
		err := r.read(ctx, file, []string{"num_train_requested", "delta_auprc"}, func(cells []string) []string {
			return []string{method, cells[0], task, cells[1]}
		})
		if err != nil {
			return nil, err
		}
	}
	return r.sorted(path, nil)
}

// records are the figures of each method, size and task, a draw each.
type records map[recordKey]map[string][]float64

type recordKey struct {
	method  string
	support int
}

// read adds the rows of a file: of says the method, size, task and ΔAUPRC of the cells of these columns.
func (r records) read(ctx context.Context, path string, columns []string, of func([]string) []string) error {
	f, err := input.Open(ctx, path, input.Stream, largestRecord)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := f.Plain()
	if err != nil {
		return err
	}
	table := csv.NewReader(plain)
	header, err := table.Read()
	if err != nil {
		return input.Unreadable(path, err)
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		if places[i] = slices.Index(header, name); places[i] < 0 {
			return &badinput.Error{File: path, Row: 1, What: "there is no column " + name, Fix: "write the columns " + strings.Join(columns, ", ")}
		}
	}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return input.Unreadable(path, err)
		}
		cells := make([]string, len(columns))
		for i, at := range places {
			cells[i] = row[at]
		}
		if err := r.add(of(cells)); err != nil {
			line, _ := table.FieldPos(0)
			return &badinput.Error{File: path, Row: line, What: "support or delta_auprc is not a number", Fix: "correct the row", Err: err}
		}
	}
}

func (r records) add(cells []string) error {
	support, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	delta, err := strconv.ParseFloat(cells[3], 64)
	if err != nil {
		return err
	}
	key := recordKey{cells[0], support}
	if r[key] == nil {
		r[key] = map[string][]float64{}
	}
	r[key][cells[2]] = append(r[key][cells[2]], delta)
	return nil
}

// sorted returns the means over the draws, unless reading path failed.
func (r records) sorted(path string, err error) ([]Record, error) {
	if err == nil && len(r) == 0 {
		err = &badinput.Error{File: path, What: "there are no results", Fix: "write a table of results, or the folder of another --results"}
	}
	if err != nil {
		return nil, err
	}
	var all []Record
	for key, tasks := range r {
		record := Record{Method: key.method, Support: key.support, Delta: map[string]float64{}}
		for task, draws := range tasks {
			for _, d := range draws {
				record.Delta[task] += d / float64(len(draws))
			}
		}
		all = append(all, record)
	}
	slices.SortFunc(all, func(a, b Record) int {
		if c := strings.Compare(a.Method, b.Method); c != 0 {
			return c
		}
		return a.Support - b.Support
	})
	return all, nil
}
