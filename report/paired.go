package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"pacia/internal/each"
	"pacia/metrics"
)

// fewestPaired is the smallest number of common tasks for which two configurations are compared.
const fewestPaired = 6

// pairedNote explains the table, after a sentence on the models.
const pairedNote = "Wilcoxon's signed-rank test over the test tasks, of means over seeds; p by Holm is corrected for all pairs of this table. " +
	"The test treats tasks as independent, although tasks may be similar."

// paired is a comparison of two configurations on the same test tasks.
type paired struct {
	i, j       int    // of the section's groups
	a, b       string // their labels
	tasks      int
	difference float64 // mean of a minus b
	p, holm    float64
	model      choice // of both
}

// pairs compares all groups of a section with each other, in ascending order of p. Both models of a pair were
// chosen in the same way: in the one that all groups share or, without one, in one that the pair shares.
func (s Section) pairs() (all []paired) {
	if len(s.Groups) < 2 {
		return nil
	}
	common := chosen(s.Groups)
	for i, a := range s.Groups {
		for j, b := range s.Groups[i+1:] {
			model := common
			if model.selection == "" {
				if model = chosen([]Group{a, b}); model.selection == "" {
					continue
				}
			}
			of := model.of
			var d []float64
			sum := 0.0
			for _, t := range a.Tasks {
				k := slices.IndexFunc(b.Tasks, func(u Task) bool { return u.Name == t.Name })
				if k < 0 {
					continue
				}
				if v := of(t.Selected).Mean - of(b.Tasks[k].Selected).Mean; !math.IsNaN(v) {
					d, sum = append(d, v), sum+v
				}
			}
			if p := metrics.SignedRank(d); len(d) >= fewestPaired && !math.IsNaN(p) {
				all = append(all, paired{
					i: i, j: i + 1 + j, a: a.Label, b: b.Label, tasks: len(d), difference: sum / float64(len(d)), p: p, model: model,
				})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b paired) int { return cmp.Compare(a.p, b.p) })
	p := each.Of(all, func(v paired) float64 { return v.p })
	for i, holm := range metrics.Holm(p) {
		all[i].holm = holm
	}
	return all
}

func (s Section) compared() Table {
	t := Table{Name: "pairs", Title: "Configurations compared task by task, test " + s.MetricName(),
		Head: []string{"configuration", "less", "tasks", "mean difference (%)", "p", "p by Holm"}}
	common := chosen(s.Groups)
	models := "Of " + common.name + "."
	if common.selection == "" {
		t.Head = append(t.Head, "of")
		models = "Both models of a pair were chosen in the same way, which the last column names. Pairs that share no way are left out."
	}
	t.Notes = []string{models, pairedNote}
	for _, c := range s.pairs() {
		row := []string{c.a, c.b, strconv.Itoa(c.tasks), strconv.FormatFloat(100*c.difference, 'f', 2, 64), probability(c.p), probability(c.holm)}
		if common.selection == "" {
			row = append(row, c.model.name)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 2, 64) }

// writePairs writes a line for each pair, the difference in per cent.
func (r *Report) writePairs(w io.Writer) error {
	return r.writeSections(w, []string{"less", "tasks", "mean_difference", "p", "p_holm", "selection"}, func(s Section, row rower) {
		for _, c := range s.pairs() {
			row(c.a, c.b, strconv.Itoa(c.tasks), decimal(100*c.difference), probability(c.p), probability(c.holm), c.model.selection)
		}
	})
}
