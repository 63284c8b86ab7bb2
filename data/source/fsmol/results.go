package fsmol

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"pacia/internal/badinput"
	"pacia/metrics"
)

// Draws is the benchmark's number of draws for each support size. Draw k has the seed
// base + k.
const Draws = 10

// SupportSizes are the sizes of the support sets, both classes together.
var SupportSizes = []int{16, 32, 64, 128, 256}

// Result has the figures of one draw of a task.
type Result struct {
	Requested int // requested size of the support set
	Seed      uint32

	Train, Test             int     // numbers of support molecules and of queries
	TrainActive, TestActive float64 // fractions of actives among them

	AveragePrecision float64
	ROCAUC           float64 // 0 if the queries have one class, as in the benchmark
	metrics.Classes
}

// DeltaAUPRC returns the difference between the average precision and that of random
// scores.
func (r *Result) DeltaAUPRC() float64 { return r.AveragePrecision - r.TestActive }

// Score compares the scores of a draw's queries, probabilities of being active,
// with their labels.
func Score[S metrics.Score](requested int, seed uint32, support, query []uint8, scores []S) Result {
	r := Result{
		Requested: requested, Seed: seed, Train: len(support), Test: len(query),
		TrainActive: metrics.ActiveShare(support), TestActive: metrics.ActiveShare(query),
		AveragePrecision: metrics.AveragePrecision(query, scores), Classes: metrics.Classify(query, scores),
	}
	if r.TestActive > 0 && r.TestActive < 1 {
		r.ROCAUC = metrics.ROCAUC(query, scores)
	}
	return r
}

// resultColumns are the benchmark's columns. valid_score is empty, since no part of
// the support set is used for validation.
const resultColumns = "num_train_requested,num_train,fraction_positive_train,num_test,fraction_positive_test,seed,valid_score," +
	"average_precision_score,roc_auc,acc,balanced_acc,precision,recall,f1_score,delta_auprc"

// CheckResults returns an error if WriteResults would write the results of two tasks into one file.
func CheckResults(tasks []string) error {
	first := make(map[string]string)
	for _, task := range tasks {
		name := fileName(task)
		if other, ok := first[name]; ok {
			what := fmt.Sprintf("its results would be the file %s%s, as those of %s", name, resultsSuffix, badinput.Quote(other))
			return &badinput.Error{Column: task, What: what, Fix: "rename one of the two"}
		}
		first[name] = task
	}
	return nil
}

// WriteResults writes TASK_eval_results.csv into a folder, with a row for each draw, and into the manifest.
func WriteResults(dir, task string, results []Result) error {
	return putRows(dir, fileName(task)+resultsSuffix, func(w *csv.Writer) error {
		if err := w.Write(strings.Split(resultColumns, ",")); err != nil {
			return err
		}
		for i := range results {
			if err := w.Write(results[i].cells()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *Result) cells() []string {
	return []string{
		strconv.Itoa(r.Requested), strconv.Itoa(r.Train), decimal(r.TrainActive), strconv.Itoa(r.Test), decimal(r.TestActive),
		strconv.FormatUint(uint64(r.Seed), 10), "", decimal(r.AveragePrecision), decimal(r.ROCAUC), decimal(r.Accuracy),
		decimal(r.BalancedAccuracy), decimal(r.Precision), decimal(r.Recall), decimal(r.F1), decimal(r.DeltaAUPRC()),
	}
}

// decimal writes a number as Python does: with all its digits, and with ".0" if it is
// whole.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if v != v {
		return "nan"
	}
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
