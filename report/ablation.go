package report

import (
	"fmt"
	"math"
	"slices"

	"pacia/model/methods"
	"pacia/report/figure"
)

const methodSetting = "model.method"

// strategies are the paper's ways to leave adaptation out. A strategy that tunes is a
// network without hypernetworks; all its parameters are trained on the support set.
var strategies = []strategy{
	{name: "fine-tuning", tunes: true},
	{name: "no adaptation", encoder: "none", predictor: "none"},
	{name: "w/o T: none to the task", encoder: "none", predictor: "D"},
	{name: "w/o Q: none to the query", encoder: "N", predictor: "none"},
	{name: "PACIA", encoder: "N", predictor: "D"},
}

type strategy struct {
	name               string
	tunes              bool
	encoder, predictor string
}

// ablations draws the strategies as bars, and all
// combinations of adaptations of encoder and predictor as a matrix. It reports whether
// it drew either.
func (d *drawer) ablations() bool {
	var bars []bar
	for _, a := range alikeExcept(d.section.Groups, encoderSetting, predictorSetting, methodSetting) {
		var found []bar
		for _, s := range strategies {
			at := slices.IndexFunc(a.groups, s.is)
			if at >= 0 {
				found = append(found, bar{s.name, a.groups[at]})
			}
		}
		if len(found) > len(bars) {
			bars = found
		}
	}
	if len(bars) > 1 {
		d.bars("strategies", "Adaptation strategies", "Runs differ only in what is adapted.", bars)
	}
	grids := 0
	for _, a := range alikeExcept(d.section.Groups, encoderSetting, predictorSetting) {
		if d.grid(a.groups, grids) {
			grids++
		}
	}
	return len(bars) > 1 || grids > 0
}

func (s strategy) is(g Group) bool {
	of := g.settings()
	if traits := methods.Traits(of.Get(methodSetting)); s.tunes || !traits.Stages {
		return s.tunes && traits.Tunes && !traits.NeedsSteps
	}
	return of.Get(encoderSetting) == s.encoder && of.Get(predictorSetting) == s.predictor
}

// adaptations are the adaptations in the order of the figure.
var adaptations = []string{"none", "N", "D", "ND"}

// grid draws encoder × predictor as a matrix, if each has at least two adaptations and at least
// half of the cells have runs. It reports whether it drew the matrix.
func (d *drawer) grid(groups []Group, number int) bool {
	rows, columns := values(groups, encoderSetting), values(groups, predictorSetting)
	if len(rows) < 2 || len(columns) < 2 || 2*len(groups) < len(rows)*len(columns) || len(groups) < 4 {
		return false
	}
	model := chosen(groups)
	h := figure.Heat{Title: "test " + d.measure.Name + " (%)"}
	for _, c := range columns {
		h.Columns = append(h.Columns, "predictor "+c)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		h.Rows = append(h.Rows, "encoder "+r)
		var cells []float64
		var texts []string
		for _, c := range columns {
			at := slices.IndexFunc(groups, func(g Group) bool {
				return g.settings().Get(encoderSetting) == r && g.settings().Get(predictorSetting) == c
			})
			if at < 0 {
				cells, texts = append(cells, math.NaN()), append(texts, "")
				continue
			}
			v := model.spread(groups[at].Selected)
			if math.IsNaN(v.Mean) {
				cells, texts = append(cells, math.NaN()), append(texts, "")
				continue
			}
			low, high = min(low, 100*v.Mean), max(high, 100*v.Mean)
			cells, texts = append(cells, 100*v.Mean), append(texts, percentText(v))
		}
		h.Values, h.Text = append(h.Values, cells), append(h.Text, texts)
	}
	// Noise must not look like structure: the colours span ten points or more.
	if missing := 10 - (high - low); missing > 0 {
		low, high = low-missing/2, high+missing/2
	}
	p, err := figure.Heats([]figure.Heat{h}, figure.Scale{Name: d.measure.Name + " (%)", Low: math.Floor(low), High: math.Ceil(high)})
	suffix := ""
	if number > 0 {
		suffix = fmt.Sprintf("-%d", number+1)
	}
	d.add("modulations"+suffix, "What is adapted in encoder and predictor", "N: node embeddings, D: depth, ND: both. Mean over the test tasks of "+model.name+": mean ± standard deviation over seeds.", p, err)
	return true
}

func values(groups []Group, name string) (found []string) {
	for _, v := range adaptations {
		if slices.ContainsFunc(groups, func(g Group) bool { return g.settings().Get(name) == v }) {
			found = append(found, v)
		}
	}
	return found
}
