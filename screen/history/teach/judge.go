package teach

import (
	"context"
	"fmt"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/model/shared/taught"
	"pacia/ops"
)

// A judgement hides three molecules of ten, by their hashes, and up to mostHidden assays, at most a third of all. A hidden assay has at
// least enough hidden molecules, and ofEach of each class among them. It needs at least fewest of them.
const (
	mostHidden = 40
	fewest     = 6
	enough     = 40
	ofEach     = 6
	support    = 16
	draws      = 3
)

// Judgement is how well hidden molecules are ranked in hidden assays, from support sets of hidden molecules.
type Judgement struct {
	Assays    int     `json:"assays"`    // hidden ones; 0: there are too few to judge
	Molecules int     `json:"molecules"` // hidden ones
	Without   Figures `json:"without"`   // what was taught
	With      Figures `json:"with"`
	Gain      Figures `json:"gain"`
	Error     Figures `json:"error"` // standard error of the gain over assays
	Helps     bool    `json:"helps"`
}

// Figures are means over assays.
type Figures struct {
	ROCAUC     float64 `json:"roc_auc"`
	DeltaAUPRC float64 `json:"delta_auprc"`
}

func figuresOf(v metrics.Values) Figures {
	return Figures{v[metrics.Index(metrics.NameROCAUC)], v[metrics.Index(metrics.NameDeltaAUPRC)]}
}

// Lines returns the judgement as text.
func (j Judgement) Lines() []string {
	if j.Assays == 0 {
		return []string{fmt.Sprintf("too few assays have %d molecules and %d of each class, to judge what they teach: nothing is kept of it",
			enough*10/3, ofEach*10/3)}
	}
	lines := []string{
		fmt.Sprintf("judged on %s that were hidden, in %s that were hidden", ui.Count(j.Molecules, "molecule"), ui.Count(j.Assays, "assay")),
		fmt.Sprintf("ROC-AUC %.3f without what the others teach, %.3f with it: %+.3f ± %.3f",
			j.Without.ROCAUC, j.With.ROCAUC, j.Gain.ROCAUC, j.Error.ROCAUC),
		fmt.Sprintf("ΔAUPRC %.3f and %.3f: %+.3f ± %.3f", j.Without.DeltaAUPRC, j.With.DeltaAUPRC, j.Gain.DeltaAUPRC, j.Error.DeltaAUPRC),
	}
	if j.Helps {
		return append(lines, "it helps, and counts for molecules that no past assay measured")
	}
	return append(lines, "it does not help by two standard errors: nothing is kept of it")
}

// hidden reports whether a judgement hides a molecule.
func hidden(key uint64) bool { return ops.MixBits(key)%10 < 3 }

// test is an assay that is hidden: its molecules are a task of a data set.
type test struct {
	data   int
	task   data.Task
	assays []int // in the memory
}

func (t *teacher) judge(ctx context.Context) (j Judgement, err error) {
	tests := t.tests()
	if len(tests) < fewest {
		return j, nil
	}
	numbers, kept := each.Order[int32](len(t.Memory.Assays)), []past.Assay(nil)
	for _, test := range tests {
		for _, assay := range test.assays {
			numbers[assay] = -1
		}
	}
	for a, number := range numbers {
		if number >= 0 {
			kept = append(kept, t.Memory.Assays[a])
		}
	}
	network, err := taught.Teach(ctx, t.examples(hidden, numbers), t.checkpoint("judged"))
	if err != nil {
		return j, err
	}
	// Hidden molecules have no labels in the assays that are not hidden, so that their memory needs none.
	memory := &past.Memory{Assays: kept, Stored: past.Stored{Taught: network.Bytes()}}
	h := model.History{}
	h.Parts, h.Assays = past.PartsOf([]*past.Memory{memory}, nil)
	without, err := t.rank(ctx, t.Model, tests)
	if err != nil {
		return j, err
	}
	with, err := t.rank(ctx, t.Model.Recall(h), tests)
	if err != nil {
		return j, err
	}
	j.compare(without, with)
	j.Molecules = each.Count(t.Memory.Keys(), hidden)
	return j, nil
}

// compare sets the figures of the judgement to those of the assays.
func (j *Judgement) compare(without, with []metrics.Figures) {
	gains := make([]metrics.Figures, len(with))
	for i := range gains {
		gains[i] = metrics.Figures{Values: with[i].Plus(-1, without[i].Values)}
	}
	j.Assays, j.Without, j.With = len(with), figuresOf(metrics.Mean(without)), figuresOf(metrics.Mean(with))
	j.Gain, j.Error = figuresOf(metrics.Mean(gains)), figuresOf(metrics.StandardError(gains))
	j.Helps = j.Gain.ROCAUC >= 2*j.Error.ROCAUC && j.Gain.ROCAUC > 0 && j.Gain.DeltaAUPRC > 0
}

// tests returns the assays that are hidden, evenly spread over those that could be.
func (t *teacher) tests() (tests []test) {
	of := map[[2]string][]int{} // assays of a file and name in the memory
	for a, assay := range t.Memory.Assays {
		id := [2]string{assay.File, assay.Name}
		of[id] = append(of[id], a)
	}
	for i, d := range t.data {
		for _, task := range d.Tasks {
			rest := data.Task{Name: task.Name}
			var counts [2]int
			for k, row := range task.Rows {
				key := t.keys[i][row]
				if at := t.rows[key]; hidden(key) && at == (place{i, int(row)}) {
					rest.Rows, rest.Labels = append(rest.Rows, row), append(rest.Labels, task.Labels[k])
					counts[task.Labels[k]]++
				}
			}
			assays := of[[2]string{t.files[i], task.Name}]
			if len(rest.Rows) >= enough && min(counts[0], counts[1]) >= ofEach && len(assays) > 0 {
				tests = append(tests, test{i, rest, assays})
			}
		}
	}
	n := min(mostHidden, len(t.Memory.Assays)/3, len(tests))
	return each.Of(each.Order[int](n), func(k int) test { return tests[k*len(tests)/n] })
}

// rank returns the figures of the tests, in their order.
func (t *teacher) rank(ctx context.Context, m *model.Model, tests []test) (all []metrics.Figures, err error) {
	for i, d := range t.data {
		view := *d
		view.Tasks = nil
		for _, test := range tests {
			if test.data == i {
				view.Tasks = append(view.Tasks, test.task)
			}
		}
		if len(view.Tasks) == 0 {
			continue
		}
		o := evaluate.Options{Rule: data.Draw{Support: support}, Draws: draws}
		figures, _, err := evaluate.Tasks(ctx, evaluate.AdapterOf(m), &view, each.Order[int](len(view.Tasks)), o)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}
