package measured

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/forest"
	"pacia/model/gp"
	"pacia/model/similarity"
)

// table writes two assays. In the first, longer alcohols are more potent and amines are inactive. In
// the second, percentages rise with activity, so that negative logarithms fall.
func table(t *testing.T) string {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("fold\ttask\tsmiles\tactive\tlog_value\tvalue\trelation\tassay_type\ntrain\tother\tCO\t1\t5\t10000\t=\tB\n")
	for n := 1; n <= 24; n++ {
		chain := strings.Repeat("C", n)
		fmt.Fprintf(&rows, "test\tpotent\t%sO\t1\t%v\t%v\t=\tB\n", chain, 6+0.05*float64(n), math.Pow(10, 3-0.05*float64(n)))
		fmt.Fprintf(&rows, "test\tpotent\t%sN\t0\t5\t10000\t>\tB\n", chain)
		fmt.Fprintf(&rows, "test\tpercent\t%sO\t1\t%v\t%d\t=\tF\n", chain, 9-math.Log10(float64(50+n)), 50+n)
		fmt.Fprintf(&rows, "test\tpercent\t%sN\t0\t%v\t%d\t=\tF\n", chain, 9-math.Log10(float64(n)), n)
	}
	path := filepath.Join(t.TempDir(), "values.tsv")
	if err := os.WriteFile(path, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBaselines: a forest and the nearest neighbours learn values, rank by them and predict them.
func TestBaselines(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, spec := range []model.Spec{forest.Spec, similarity.Spec} {
		m := modeltest.New(t, spec, modeltest.Small(t, spec, model.Paper), model.Options{})
		a, err := Open(context.Background(), m.Config(), table(t), "test")
		if err != nil {
			t.Fatal(err)
		}
		var all []Result
		o := Options{Sizes: []int{24}, Draws: 4}
		if err := Test(context.Background(), m, a, o, func(r Result) error { all = append(all, r); return nil }); err != nil {
			t.Fatal(err)
		}
		s := Summarise(all, 24)[0]
		if s.Tasks != 2 || s.DeltaAUPRC < 0.3 || s.Spearman < 0.5 || s.R2 < 0.2 || s.Within < 0.5 {
			t.Errorf("%s: %+v", spec.Name, s)
		}
	}
}

// TestAssays: values are on a scale on which actives are larger, bounds have the matching direction,
// and molecules of training assays are known. A Gaussian process on values ranks, predicts and finds
// actives.
func TestAssays(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, gp.Spec, modeltest.Small(t, gp.Spec, model.Paper), model.Options{})
	a, err := Open(context.Background(), m.Config(), table(t), "test")
	if err != nil {
		t.Fatal(err)
	}
	if v := a.Tasks[0].Values[1]; len(a.Tasks) != 2 || v.Value != 5 || v.Side != -1 {
		t.Errorf("%d assays, the first inactive molecule is %+v: want two, and below 5", len(a.Tasks), v)
	}
	if v := a.Tasks[1].Values[0]; v.Value != 51 || a.Known[0] != 1.0/48 {
		t.Errorf("the first percentage is %+v, %v known: want 51, and one of 48", v, a.Known[0])
	}
	var all []Result
	o := Options{Sizes: []int{16}, Draws: 2}
	if err := Test(context.Background(), m, a, o, func(r Result) error { all = append(all, r); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, s := range Summarise(all, 16) {
		if s.Tasks != 2 || s.Draws != 4 || s.DeltaAUPRC < 0.4 || s.Spearman < 0.5 || s.Within < 0.5 || !math.IsNaN(float64(s.Hits50)) {
			t.Errorf("%+v", s)
		}
	}
	if text, err := json.Marshal(all); err != nil || !strings.Contains(string(text), `"hits_50_within":null`) {
		t.Errorf("%s, %v: an unknown figure must be null", text, err)
	}
	campaign := Campaign{Draws: 1, Start: 8, Rounds: 3, Batch: 4}
	err = campaign.Run(context.Background(), m, a, func(f Found) error {
		if f.Hits[2] < 10 || math.Abs(f.Chance[2]-6) > 1e-9 {
			t.Errorf("%+v: want 10 hits of 12 or more, 6 by chance", f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// An assay with so few actives that no start set has one is left out.
	rare := a.Tasks[0]
	rare.Name, rare.Labels = "rare", make([]uint8, len(rare.Rows))
	rare.Labels[0], rare.Labels[1] = 1, 1
	with := &Assays{Molecules: a.Molecules, Tasks: append(a.Tasks, rare), Known: append(a.Known, 0)}
	var names []string
	err = campaign.Run(context.Background(), m, with, func(f Found) error { names = append(names, f.Task); return nil })
	if err != nil || !slices.Equal(names, []string{"potent", "percent"}) {
		t.Errorf("results of %v (%v), want those of potent and percent", names, err)
	}
	if _, err := Open(context.Background(), m.Config(), table(t), "valid"); err == nil {
		t.Error("a part without assays is read")
	}
}

// TestOpenTraining: values come from a folder of task files or from a table. The error names a missing assay.
func TestOpenTraining(t *testing.T) {
	dir := t.TempDir()
	file, err := os.ReadFile("../../data/source/fsmol/testdata/original.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "train"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "train", "CHEMBL1006005.jsonl.gz"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := OpenTraining(context.Background(), dir, []string{"CHEMBL1006005"})
	if err != nil {
		t.Fatal(err)
	}
	// No molecule of the file is active, so that the sign of a value is arbitrary.
	if v := d.Tasks[0].Values; len(v) != len(d.Tasks[0].Labels) || math.Abs(v[0].Value) != 56 {
		t.Errorf("the values are %v", v)
	}
	if d, err := OpenTraining(context.Background(), table(t), []string{"other"}); err != nil || len(d.Tasks) != 1 || len(d.Tasks[0].Values) != 1 {
		t.Errorf("the table's training assay is %+v, %v", d, err)
	}
	_, err = OpenTraining(context.Background(), dir, []string{"CHEMBL1006005", "CHEMBL2"})
	modeltest.Fails(t, err, `no row of the part train is of the assay "CHEMBL2"`)
}
