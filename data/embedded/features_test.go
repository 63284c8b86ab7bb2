package embedded

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// A row is a line of the table of TASKS.md.
type row struct {
	title, split string
	smarts       []string // alternatives; empty if a count defines the feature
	share        float64  // of the molecules with the feature
	measured     int
}

var quoted = regexp.MustCompile("`([^`]+)`")

func rows(t *testing.T) (all []row) {
	t.Helper()
	text, err := os.ReadFile("TASKS.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 6 || cells[1] != "train" && cells[1] != "test" {
			continue
		}
		r := row{title: strings.TrimPrefix(cells[0], "| "), split: cells[1]}
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			r.smarts = append(r.smarts, m[1])
		}
		r.share, _ = strconv.ParseFloat(cells[4], 64)
		r.measured, _ = strconv.Atoi(strings.TrimSuffix(cells[5], " |\n"))
		all = append(all, r)
	}
	return all
}

// TestTasksAreAsDescribed: a molecule is active if it has the feature of TASKS.md, in a task named no_… if it
// does not. The numbers of molecules with the feature, and with labels, are those of the table. No
// held-out feature correlates with a training feature (|φ| < 0.5).
func TestTasksAreAsDescribed(t *testing.T) {
	smiles, names, labels := read(t)
	all, trained := rows(t), [][]bool{}
	if got := len(all); got != len(names) {
		t.Fatalf("TASKS.md has %d tasks, the table %d", got, len(names))
	}
	for i, r := range all {
		if r.title != names[i] || (r.split == "train") != (i < TrainTasks) {
			t.Errorf("task %d of TASKS.md is %s, for %s; the table's is %s", i, r.title, r.split, names[i])
			continue
		}
		if got := len(smiles) - count(labels[i], ""); got != r.measured {
			t.Errorf("%s: %d molecules are measured, TASKS.md has %d", r.title, got, r.measured)
		}
		if testing.Short() && i%7 > 0 || strings.HasPrefix(r.title, "no_") && i < TrainTasks {
			continue // the previous task has the same feature
		}
		having, has := 0, make([]bool, len(smiles))
		for k, s := range smiles {
			if has[k] = r.has(t, s); has[k] {
				having++
			}
			want := map[bool]string{false: "0", true: "1"}[has[k] != strings.HasPrefix(r.title, "no_")]
			if got := labels[i][k]; got != "" && got != want {
				t.Fatalf("%s: the label of %s is %s, want %s", r.title, s, got, want)
			}
			if opposite := i + 1; i < TrainTasks && labels[opposite][k] == want {
				t.Fatalf("%s: the label of %s is %s, as in %s", names[opposite], s, want, r.title)
			}
		}
		if share := float64(having) / float64(len(smiles)); math.Abs(share-r.share) > 0.005 {
			t.Errorf("%s: a share of %.3f has the feature, TASKS.md has %.2f", r.title, share, r.share)
		}
		if i < TrainTasks {
			trained = append(trained, has)
			continue
		}
		for k, other := range trained {
			if phi := correlation(has, other); math.Abs(phi) >= 0.5 {
				t.Errorf("%s and training feature %d correlate, φ = %.2f", r.title, k, phi)
			}
		}
	}
}

// correlation returns φ of two features.
func correlation(a, b []bool) float64 {
	var n [2][2]float64
	for k := range a {
		n[bit(a[k])][bit(b[k])]++
	}
	none, one, other, both := n[0][0], n[1][0], n[0][1], n[1][1]
	return (both*none - one*other) / math.Sqrt((both+one)*(none+other)*(both+other)*(none+one))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r row) has(t *testing.T, smiles string) bool {
	t.Helper()
	switch r.title {
	case "aromatic_rings":
		return described(t, smiles, "NumAromaticRings")[0] >= 2
	case "stereocentre":
		return strings.Contains(smiles, "@")
	}
	return slices.ContainsFunc(r.smarts, func(smarts string) bool {
		_, unmet, err := rdkit.Structure{Match: []string{smarts}}.Of(t.Context(), smiles)
		if err != nil {
			t.Fatal(smiles, smarts, err)
		}
		return len(unmet) == 0
	})
}

// descriptors caches the results of described by SMILES.
var descriptors = map[string][]float64{}

func described(t *testing.T, smiles string, names ...string) (values []float64) {
	t.Helper()
	all, err := rdkit.DescriptorNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := descriptors[smiles]
	if found == nil {
		if found, err = rdkit.Descriptors(t.Context(), nil, smiles); err != nil {
			t.Fatal(smiles, err)
		}
		descriptors[smiles] = found
	}
	for _, name := range names {
		values = append(values, found[slices.Index(all, name)])
	}
	return values
}

// TestSimpleScoresDoNotPredictHeldOutTasks: on average, size, logP and polar surface rank the molecules of the
// held-out tasks no better than chance.
func TestSimpleScoresDoNotPredictHeldOutTasks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	smiles, _, labels := read(t)
	names, held := []string{"HeavyAtomCount", "MolLogP", "TPSA"}, labels[TrainTasks:]
	scores := make([][]float64, len(names))
	for _, s := range smiles {
		for i, v := range described(t, s, names...) {
			scores[i] = append(scores[i], v)
		}
	}
	for i, name := range names {
		mean := 0.0
		for _, l := range held {
			mean += auc(scores[i], l) / float64(len(held))
		}
		if math.Abs(mean-0.5) > 0.03 {
			t.Errorf("%s alone has a mean ROC-AUC of %.3f on the held-out tasks, want 0.5 ± 0.03", name, mean)
		}
	}
}
