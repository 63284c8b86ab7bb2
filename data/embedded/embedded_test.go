package embedded

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"math"
	"strings"
	"testing"
)

// read returns the names of the tasks, and labels[task][row]: "0", "1" or "".
func read(t *testing.T) (smiles, names []string, labels [][]string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(CSV()))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := records[0][0]; got != "smiles" {
		t.Fatalf("the first column is %q, want smiles", got)
	}
	names, labels = records[0][1:], make([][]string, len(records[0])-1)
	for _, r := range records[1:] {
		smiles = append(smiles, r[0])
		for i, label := range r[1:] {
			labels[i] = append(labels[i], label)
		}
	}
	return smiles, names, labels
}

func count(labels []string, label string) int {
	n := 0
	for _, l := range labels {
		if l == label {
			n++
		}
	}
	return n
}

func TestCounts(t *testing.T) {
	smiles, names, labels := read(t)
	if n := len(smiles); n < 500 || n > 2000 {
		t.Errorf("%d molecules, want 500 to 2000", n)
	}
	if held := len(names) - TrainTasks; held < 4 || held > 10 {
		t.Errorf("%d held-out tasks, want 4 to 10", held)
	}
	seen := make(map[string]bool)
	for row, s := range smiles {
		if s == "" || seen[s] {
			t.Errorf("row %d: SMILES %q is empty or repeated", row+2, s)
		}
		seen[s] = true
	}
	for i, name := range names {
		zero, one := count(labels[i], "0"), count(labels[i], "1")
		if empty := count(labels[i], ""); zero+one+empty != len(smiles) {
			t.Errorf("%s: labels other than 0, 1 and empty", name)
		}
		// 10 and 10 support molecules, and 50 queries of each class.
		if zero != one || one < 60 {
			t.Errorf("%s: %d inactive and %d active, want the same number and at least 60", name, zero, one)
		}
	}
}

func TestPolarity(t *testing.T) {
	_, names, _ := read(t)
	training := make(map[string]bool)
	for _, name := range names[:TrainTasks] {
		training[name] = true
	}
	for name := range training {
		if !training["no_"+name] && !training[strings.TrimPrefix(name, "no_")] {
			t.Errorf("training task %s has no opposite", name)
		}
	}
	held, absent := names[TrainTasks:], 0
	for _, name := range held {
		if strings.HasPrefix(name, "no_") {
			absent++
		}
		if base := strings.TrimPrefix(name, "no_"); training[base] || training["no_"+base] {
			t.Errorf("held-out task %s is also a training task", name)
		}
	}
	if absent != len(held)/2 {
		t.Errorf("%d of %d held-out tasks call absence active, want half", absent, len(held))
	}
}

// The mean label over the training tasks is the simplest score without a
// support set.
func TestMeanTrainingLabelDoesNotPredictHeldOutTasks(t *testing.T) {
	smiles, names, labels := read(t)
	score := make([]float64, len(smiles))
	for row := range score {
		sum, n := 0.0, 0.0
		for _, l := range labels[:TrainTasks] {
			if l[row] != "" {
				sum += float64(l[row][0] - '0')
				n++
			}
		}
		score[row] = sum / max(n, 1)
	}
	mean := 0.0
	for i := range names[TrainTasks:] {
		mean += auc(score, labels[TrainTasks+i]) / float64(len(names)-TrainTasks)
	}
	const limit = 0.03
	if math.Abs(mean-0.5) > limit {
		t.Errorf("mean ROC-AUC %.3f, want 0.5 ± %v", mean, limit)
	}
}

// auc returns the fraction of pairs of an active and an inactive molecule that the
// score ranks correctly; ties count half.
func auc(score []float64, labels []string) float64 {
	wins, pairs := 0.0, 0.0
	for i, a := range labels {
		for j, b := range labels {
			if a != "1" || b != "0" {
				continue
			}
			pairs++
			switch {
			case score[i] > score[j]:
				wins++
			case score[i] == score[j]:
				wins += 0.5
			}
		}
	}
	return wins / pairs
}

func TestCSVIsACopy(t *testing.T) {
	b := CSV()
	b[0] = ^b[0]
	if bytes.Equal(b, CSV()) {
		t.Error("changing what CSV returned changed the data set")
	}
}
