package fsmol

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteResults(t *testing.T) {
	dir := t.TempDir()
	results := []Result{
		// Average precision (1/1 + 2/3)/2, ROC-AUC 3/4.
		Score(16, 7, []uint8{1, 0, 0, 0}, []uint8{1, 0, 1, 0}, []float32{0.9, 0.6, 0.5, 0.1}),
		Score(32, 8, []uint8{1, 0}, []uint8{1, 1}, []float64{0.2, 0.1}),
	}
	if err := WriteResults(dir, "CHEMBL1", results); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "CHEMBL1_eval_results.csv"))
	want := `num_train_requested,num_train,fraction_positive_train,num_test,fraction_positive_test,seed,valid_score,average_precision_score,roc_auc,acc,balanced_acc,precision,recall,f1_score,delta_auprc
16,4,0.25,4,0.5,7,,0.8333333333333333,0.75,0.75,0.75,0.6666666666666666,1.0,0.8,0.33333333333333326
32,2,0.5,2,1.0,8,,1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0
`
	if err != nil || string(got) != want {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, got, want)
	}
}

func TestCheckResults(t *testing.T) {
	if err := CheckResults([]string{"a/b", "a b", "ab"}); err != nil {
		t.Error(err)
	}
	const want = `column a_b: its results would be the file a_b_eval_results.csv, as those of "a/b"; rename one of the two`
	if err := CheckResults([]string{"a/b", "c", "a_b"}); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestWriteSummary(t *testing.T) {
	draw := func(size int, ap, train, test float64) Result {
		return Result{Requested: size, AveragePrecision: ap, TrainActive: train, TestActive: test}
	}
	path := filepath.Join(t.TempDir(), "summary.csv")
	err := WriteSummary(path, []TaskResults{
		{"CHEMBL2", []Result{draw(16, 0.5174, 0.5, 0.25), draw(16, 0.5966, 0.5, 0.25), draw(64, 0.7, 0.25, 0.75)}},
		{"CHEMBL1", nil},
		{"CHEMBL10", []Result{draw(256, 0.5, 0.5, 0.5), draw(256, 0.5, 0.25, 0.5)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	// Means and deviations of two draws: 0.557 and 0.0792/√2 = 0.056.
	want := `TASK_ID,fraction_positive_train,fraction_positive_test,fraction_positive_test_std,fraction_positive_train_std,16_train,32_train,64_train,128_train,256_train
CHEMBL1,,,,,,,,,
CHEMBL10,0.375,0.5,0.0,0.1767766952966369,,,,,0.5+/-0.0
CHEMBL2,0.375,0.5,0.0,0.0,0.557+/-0.056,,0.7+/-nan,,
`
	if err != nil || string(got) != want {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, got, want)
	}
}

func TestDecimal(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0", 1: "1.0", 0.1: "0.1", -2.5: "-2.5", 1e-5: "0.00001"} {
		if got := decimal(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	if got := decimal(math.NaN()); !strings.EqualFold(got, "nan") {
		t.Errorf("NaN is written %s", got)
	}
}
