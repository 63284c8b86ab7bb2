package fsmol

import (
	"encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// TaskResults has the results of all draws of a task.
type TaskResults struct {
	Task    string
	Results []Result
}

// spread is the mean and the standard deviation (n − 1) of a figure over the
// draws of one support size; the deviation of a single draw is NaN.
type spread struct{ mean, deviation float64 }

func spreadOf(results []Result, figure func(*Result) float64) (s spread) {
	n := float64(len(results))
	for i := range results {
		s.mean += figure(&results[i]) / n
	}
	for i := range results {
		d := figure(&results[i]) - s.mean
		s.deviation += d * d
	}
	s.deviation = math.Sqrt(s.deviation / (n - 1)) // 0/0 of a single draw
	return s
}

// WriteSummary writes the benchmark's table of all tasks. It has the average precision
// over the draws of each support size as MEAN+/-DEVIATION, empty if there was no
// draw. It also has the fractions of actives and their deviations, as means over the
// support sizes. The default of sizes is [SupportSizes].
func WriteSummary(path string, tasks []TaskResults, sizes ...int) error {
	if len(sizes) == 0 {
		sizes = SupportSizes
	}
	header := "TASK_ID,fraction_positive_train,fraction_positive_test,fraction_positive_test_std,fraction_positive_train_std"
	for _, size := range sizes {
		header += "," + strconv.Itoa(size) + "_train"
	}
	sorted := slices.SortedFunc(slices.Values(tasks), func(a, b TaskResults) int { return strings.Compare(a.Task, b.Task) })
	return putRows(filepath.Dir(path), filepath.Base(path), func(w *csv.Writer) error {
		if err := w.Write(strings.Split(header, ",")); err != nil {
			return err
		}
		for i := range sorted {
			if err := w.Write(sorted[i].summary(sizes)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *TaskResults) summary(sizes []int) []string {
	var shares [4][]float64 // of actives in train and test, deviations in test and train; by support size
	var cells []string
	for _, size := range sizes {
		of := slices.DeleteFunc(slices.Clone(t.Results), func(r Result) bool { return r.Requested != size })
		if len(of) == 0 {
			cells = append(cells, "")
			continue
		}
		train := spreadOf(of, func(r *Result) float64 { return r.TrainActive })
		test := spreadOf(of, func(r *Result) float64 { return r.TestActive })
		for i, v := range []float64{train.mean, test.mean, test.deviation, train.deviation} {
			if v == v { // the deviation of a single draw is NaN, and left out
				shares[i] = append(shares[i], v)
			}
		}
		precision := spreadOf(of, func(r *Result) float64 { return r.AveragePrecision })
		cells = append(cells, decimal(thousandths(precision.mean))+"+/-"+decimal(thousandths(precision.deviation)))
	}
	row := []string{t.Task}
	for _, values := range shares {
		cell := ""
		if len(values) > 0 {
			sum := 0.0
			for _, v := range values {
				sum += v
			}
			cell = decimal(sum / float64(len(values)))
		}
		row = append(row, cell)
	}
	return append(row, cells...)
}

// thousandths rounds to three decimal places as numpy does.
func thousandths(v float64) float64 { return math.RoundToEven(v*1000) / 1000 }
