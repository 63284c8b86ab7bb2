package main

import (
	"bytes"
	"math"
	"os"
	"sync"
	"testing"

	"pacia/data/embedded"
	"pacia/data/rdkit"
)

// made is the set, where RDKit is the one that it was made with.
func made(t *testing.T) ([]molecule, []column) {
	t.Helper()
	if v := rdkit.Version(); v != rdkitVersion {
		t.Skipf("RDKit is %s, the embedded set was made with %s: canonical SMILES may differ", v, rdkitVersion)
	}
	s := once()
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.list, s.cols
}

// once draws the set at the first call; no test may change it.
var once = sync.OnceValue(func() (s struct {
	list []molecule
	cols []column
	err  error
}) {
	s.list, s.cols, s.err = build()
	return s
})

func TestCommittedFilesAreWhatTheGeneratorMakes(t *testing.T) {
	list, cols := made(t)
	csv, err := table(list, cols)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(csv, embedded.CSV()) {
		t.Error("embedded.csv.gz differs from what the generator makes; run go run ./data/embedded/gen")
	}
	tasks, err := os.ReadFile("../TASKS.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tasks, describeTasks(list, cols)) {
		t.Error("TASKS.md differs from what the generator writes; run go run ./data/embedded/gen")
	}
	if n := 2 * len(trainingFeatures); n != embedded.TrainTasks {
		t.Errorf("%d training tasks are made, embedded.TrainTasks is %d", n, embedded.TrainTasks)
	}
}

func TestSMILESAreCanonicalAndUnique(t *testing.T) {
	list, _ := made(t)
	seen := make(map[string]int)
	for i, m := range list {
		again, err := rdkit.Canonical(t.Context(), m.smiles)
		if err != nil {
			t.Errorf("molecule %d, %s: %v", i, m.smiles, err)
		} else if again != m.smiles {
			t.Errorf("molecule %d, %s: RDKit reads and writes it as %s", i, m.smiles, again)
		}
		if first, twice := seen[m.smiles]; twice {
			t.Errorf("molecules %d and %d are both %s", first, i, m.smiles)
		}
		seen[m.smiles] = i
	}
}

// No held-out feature may follow from one training feature: over all
// molecules, not only those that a task measures.
func TestHeldOutFeaturesAreUnlikeTrainingFeatures(t *testing.T) {
	const limit = 0.5
	list, _ := made(t)
	for i, f := range testFeatures {
		for j, g := range trainingFeatures {
			if phi := correlation(list, len(trainingFeatures)+i, j); math.Abs(phi) >= limit {
				t.Errorf("held-out %s and training %s correlate: phi %.2f, limit %v", f.name, g.name, phi, limit)
			}
		}
		for j, g := range testFeatures[:i] {
			const near = 0.6
			if phi := correlation(list, len(trainingFeatures)+i, len(trainingFeatures)+j); math.Abs(phi) >= near {
				t.Errorf("held-out %s and %s are nearly one task: phi %.2f, limit %v", f.name, g.name, phi, near)
			}
		}
	}
}

// correlation is phi of two features.
func correlation(list []molecule, a, b int) float64 {
	n, na, nb, nab := float64(len(list)), 0.0, 0.0, 0.0
	for _, m := range list {
		x, y := float64(class(m.has[a])), float64(class(m.has[b]))
		na, nb, nab = na+x, nb+y, nab+x*y
	}
	return (n*nab - na*nb) / math.Sqrt(na*(n-na)*nb*(n-nb))
}

// A score that does not look at the support set must not rank the molecules of
// the held-out tasks.
func TestStaticScoresDoNotPredictHeldOutTasks(t *testing.T) {
	const limit = 0.03
	list, cols := made(t)
	held := cols[embedded.TrainTasks:]
	for _, d := range globals {
		mean := 0.0
		for _, c := range held {
			mean += c.auc(func(row int) float64 { return list[row].values[d] }) / float64(len(held))
		}
		t.Logf("%v: mean ROC-AUC %.3f", d, mean)
		if math.Abs(mean-0.5) > limit {
			t.Errorf("%v alone has mean ROC-AUC %.3f on the held-out tasks, want 0.5 ± %v", d, mean, limit)
		}
	}
}

func TestAUC(t *testing.T) {
	scores := []float64{1, 2, 2, 3, 9}
	c := column{labels: []int8{0, 0, 1, 1, -1}}
	// Pairs (1,2) (1,3) (2,3) are in order, (2,2) is a tie: 3.5 of 4.
	if got := c.auc(func(i int) float64 { return scores[i] }); got != 3.5/4 {
		t.Errorf("AUC %v, want %v", got, 3.5/4)
	}
}
