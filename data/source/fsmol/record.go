package fsmol

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// A Record has the results of a method with support sets of one size.
type Record struct {
	Method  string
	Support int                // molecules of both classes together
	Delta   map[string]float64 // ΔAUPRC by task, the mean over its draws; use Of
}

// DeltaAUPRC returns the ΔAUPRC of a task. A folder of results knows a task by the name of its file, in which some
// characters are replaced.
func (r *Record) DeltaAUPRC(task string) (delta float64, known bool) {
	if delta, known = r.Delta[task]; !known {
		delta, known = r.Delta[fileName(task)]
	}
	return delta, known
}

// resultsSuffix ends the names of files that WriteResults writes.
const resultsSuffix = "_eval_results.csv"

// largestRecord is the maximum size of a file of results in bytes, unpacked.
const largestRecord = 64 << 20

// ReadRecords reads results of other models, and sorts them by method and size. path is a table
// with the columns method, support, assay and delta_auprc, gzip-compressed or not, or a folder
// of files from [WriteResults]. For a folder, the method is its name.
func ReadRecords(ctx context.Context, path string) ([]Record, error) {
	r := records{}
	files, columns := []string{path}, []string{"method", "support", "assay", "delta_auprc"}
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	if folder {
		if files, err = withSuffix(path, resultsSuffix); err != nil {
			return nil, err
		}
		columns = []string{"num_train_requested", "delta_auprc"}
		m, err := readManifest(path)
		if err == nil {
			err = m.check(path)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		err := input.Rows(ctx, file, ',', largestRecord, columns, func(line int, cells []string) error {
			if folder {
				task := strings.TrimSuffix(filepath.Base(file), resultsSuffix)
				cells = []string{filepath.Base(filepath.Clean(path)), cells[0], task, cells[1]}
			}
			if err := r.add(cells); err != nil {
				return &badinput.Error{File: file, Row: line, What: "support or delta_auprc is not a number", Fix: "correct the row", Err: err}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(r) == 0 {
		return nil, &badinput.Error{File: path, What: "there are no results", Fix: "write a table of results, or the folder of another --results"}
	}
	return r.means(), nil
}

// records has the figures of all draws, by method, size and task.
type records map[recordKey]map[string][]float64

type recordKey struct {
	method  string
	support int
}

// add adds a row with the cells method, support, assay and delta_auprc.
func (r records) add(cells []string) error {
	support, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	delta, err := strconv.ParseFloat(cells[3], 64)
	if err != nil {
		return err
	}
	if math.IsNaN(delta) || math.IsInf(delta, 0) {
		return fmt.Errorf("it is %s", cells[3]) // ParseFloat also reads these words
	}
	key := recordKey{cells[0], support}
	if r[key] == nil {
		r[key] = map[string][]float64{}
	}
	r[key][cells[2]] = append(r[key][cells[2]], delta)
	return nil
}

// means returns the means over the draws.
func (r records) means() (all []Record) {
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
		return cmp.Or(strings.Compare(a.Method, b.Method), cmp.Compare(a.Support, b.Support))
	})
	return all
}
