package report

import (
	"cmp"
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
			of := model.spread
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
				all = append(all, paired{i: i, j: i + 1 + j, a: a.Label, b: b.Label,
					tasks: len(d), difference: sum / float64(len(d)), p: p, model: model})
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

// compared returns the table of pairs.
func (s Section) compared() Table {
	t := Table{Title: "Configurations compared task by task, test " + s.MetricName()}
	model := filed("selection")
	common := chosen(s.Groups)
	models := "Of " + common.name + "."
	if common.selection == "" {
		model.title = "of"
		models = "Both models of a pair were chosen in the same way, which the last column names. Pairs that share no way are left out."
	}
	t.Notes = []string{models, pairedNote}
	t.columns = []column{in("configuration", "configuration"), in("less", "less"), in("tasks", "tasks"), in("mean difference (%)", "mean_difference"),
		in("p", "p"), in("p by Holm", "p_holm"), model}
	for _, c := range s.pairs() {
		difference := cell{text: percent(c.difference), fields: percents(c.difference)}
		t.add(word(c.a), word(c.b), count(c.tasks), difference, word(probability(c.p)), word(probability(c.holm)),
			cell{text: c.model.name, fields: []string{c.model.selection}})
	}
	return t
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 2, 64) }
