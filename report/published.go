package report

import (
	"slices"
	"strings"

	"pacia/data/fsmol/targets"
	"pacia/metrics"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// Published is one figure of the paper (Wu, Yao and Wang, IJCAI-24), in per cent:
// mean and standard deviation, over ten seeds on MoleculeNet.
type Published struct {
	Dataset   string // tox21, sider, muv, toxcast, fsmol
	Shots     int    // of each class; on fsmol N of both together
	Method    string
	Mean      float64
	Deviation float64
	Source    Source
}

// A Source is a table of the paper, with the metric of its figures and the selection
// of their model.
type Source struct {
	Name      string // with its label in the paper's source
	Metric    string // as in train.metric
	Selection string // of the model, as results.csv has it
}

// String returns the name of the table.
func (s Source) String() string { return s.Name }

// Methods of the paper that a run's settings can amount to.
const (
	pacia    = "PACIA"
	prePacia = "Pre-PACIA" // from a pretrained encoder
)

// The tables on MoleculeNet have the best value ever seen on the test tasks. That
// on FS-Mol has the model that validation tasks chose.
var (
	scratch    = Source{"Table 1 (tab:results)", metrics.NameROCAUC, bestOnTest}
	pretrained = Source{"Table 7 (tab:results-pre)", metrics.NameROCAUC, bestOnTest}
	labels     = Source{"Table 8 (tab:abl-hyper1)", metrics.NameROCAUC, bestOnTest}
	prototypes = Source{"Table 9 (tab:abl-hyper2)", metrics.NameROCAUC, bestOnTest}
	layers     = Source{"Table 10 (tab:abl-hyper3)", metrics.NameROCAUC, bestOnTest}
	benchmark  = Source{"Table 2 (tab:fsmol)", metrics.NameDeltaAUPRC, onValidation}
)

// ablations of PACIA that have published figures, by the one setting in which
// each departs from it.
var ablations = map[string]string{
	"model.hyper.labels=false":    "w/o Label",
	"model.hyper.prototypes=mean": "Mean-Pooling",
	"model.hyper.layers=1":        "1 layer",
	"model.hyper.layers=2":        "2 layer",
	"model.hyper.layers=4":        "4 layer",
}

// published are the figures of the test tasks.
var published = []Published{
	{"tox21", 10, pacia, 84.25, 0.31, scratch},
	{"tox21", 1, pacia, 82.77, 0.15, scratch},
	{"sider", 10, pacia, 82.40, 0.26, scratch},
	{"sider", 1, pacia, 77.72, 0.34, scratch},
	{"muv", 10, pacia, 72.58, 2.23, scratch},
	{"muv", 1, pacia, 68.80, 4.01, scratch},
	{"toxcast", 10, pacia, 72.38, 0.96, scratch},
	{"toxcast", 1, pacia, 69.89, 1.17, scratch},

	{"tox21", 10, prePacia, 86.40, 0.27, pretrained},
	{"tox21", 1, prePacia, 84.35, 0.14, pretrained},
	{"sider", 10, prePacia, 83.97, 0.22, pretrained},
	{"sider", 1, prePacia, 80.70, 0.28, pretrained},
	{"muv", 10, prePacia, 73.43, 1.96, pretrained},
	{"muv", 1, prePacia, 69.26, 2.35, pretrained},
	{"toxcast", 10, prePacia, 76.22, 0.73, pretrained},
	{"toxcast", 1, prePacia, 75.09, 0.95, pretrained},

	{"sider", 10, "w/o Label", 76.91, 0.17, labels},
	{"sider", 1, "w/o Label", 74.10, 0.41, labels},
	{"sider", 10, "Mean-Pooling", 79.67, 0.23, prototypes},
	{"sider", 1, "Mean-Pooling", 75.08, 0.29, prototypes},
	{"sider", 10, "1 layer", 79.98, 0.35, layers},
	{"sider", 1, "1 layer", 75.02, 0.40, layers},
	{"sider", 10, "2 layer", 81.85, 0.33, layers},
	{"sider", 1, "2 layer", 76.56, 0.36, layers},
	{"sider", 10, "4 layer", 82.43, 0.28, layers},
	{"sider", 1, "4 layer", 77.59, 0.31, layers},

	{fsmol, 16, pacia, 23.6, 0.8, benchmark},
}

// publishedCategories are the figures of FS-Mol's table by category of targets.
var publishedCategories = map[string]*Published{
	targets.Kinases:         {fsmol, 16, pacia, 25.1, 1.6, benchmark},
	targets.Hydrolases:      {fsmol, 16, pacia, 21.9, 2.9, benchmark},
	targets.Oxidoreductases: {fsmol, 16, pacia, 10.6, 1.0, benchmark},
}

// FS-Mol. The paper's table counts all its test tasks.
const (
	fsmol      = "fsmol"
	fsmolTasks = 157
)

// whole holds PACIA's own values of the settings that make an ablation of it. A run of
// an earlier version that lacks a setting had this value.
var whole = rundir.Settings{
	{Name: "model.method", Value: methods.Default}, {Name: "model.encoder", Value: "gin"},
	{Name: "model.readout", Value: "mean"}, {Name: "model.jump", Value: "last"},
	{Name: "model.adapt.encoder", Value: "N"}, {Name: "model.adapt.predictor", Value: "D"},
	{Name: "model.hyper.labels", Value: "true"}, {Name: "model.hyper.prototypes", Value: "concat"},
	{Name: "model.hyper.layers", Value: "3"}, {Name: "train.shuffle_labels", Value: "false"},
	{Name: "episode.support", Value: "0"}, {Name: "episode.test_support", Value: "0"},
}

// wholeBenchmark holds PACIA's own values on FS-Mol.
var wholeBenchmark = append(whole.Without("model.encoder", "model.readout", "model.jump", "episode.support", "episode.test_support"),
	rundir.Setting{Name: "model.encoder", Value: "pna"})

// method returns the paper's name for a model with these settings, or nothing: an
// ablation must not stand beside the figure of the whole.
func method(s rundir.Settings) string { return departing(whole, s) }

func departing(whole, s rundir.Settings) string {
	var departures []string
	for _, w := range whole {
		if got := s.Get(w.Name); got != "" && got != w.Value {
			departures = append(departures, w.Name+"="+got)
		}
	}
	pre := s.Get("model.pretrained") != ""
	switch {
	case len(departures) == 0 && pre:
		return prePacia
	case len(departures) == 0:
		return pacia
	case len(departures) == 1 && !pre:
		return ablations[departures[0]]
	}
	return ""
}

func methodOn(dataset string, s rundir.Settings) string {
	if publishedName(dataset, s) == fsmol {
		return departing(wholeBenchmark, s)
	}
	return method(s)
}

// findPublished returns the figure of the paper for runs with these settings and so
// many test tasks, or nil.
func findPublished(t Trial, tasks int, s rundir.Settings) *Published {
	name, size := publishedName(t.Dataset, s), t.Shots
	if name == fsmol {
		if size = t.Support; tasks != fsmolTasks {
			return nil
		}
	}
	for i, p := range published {
		if p.Dataset == name && p.Shots == size && p.Method == methodOn(t.Dataset, s) && p.Source.Metric == t.Metric {
			return &published[i]
		}
	}
	return nil
}

// anyPublished reports whether the paper has a figure of these tasks, of whatever model.
func anyPublished(t Trial, tasks int, s rundir.Settings) bool {
	name, size := publishedName(t.Dataset, s), t.Shots
	if name == fsmol {
		size = t.Support
	}
	return slices.ContainsFunc(published, func(p Published) bool {
		return p.Dataset == name && p.Shots == size && p.Source.Metric == t.Metric && (name != fsmol || tasks == fsmolTasks)
	})
}

// publishedTrial is that of a run, by the name that the paper's data set has: FS-Mol's
// tasks tell themselves, whatever the user's folder is called.
func publishedTrial(s rundir.Summary) Trial {
	t := trialOf(s)
	if len(s.PerTask) > 0 && !slices.ContainsFunc(taskNames(s), func(name string) bool { _, ok := targets.Of(name); return !ok }) {
		t.Dataset = fsmol
	}
	return t
}

// publishedName is the name of a data set in the paper's tables. It depends on the
// split, not on the name of the file.
func publishedName(dataset string, s rundir.Settings) string {
	name := s.Get("data.split")
	if name == "auto" {
		name = dataset
	}
	name = strings.ToLower(name)
	if strings.Contains(name, fsmol) || strings.Contains(name, "fs-mol") {
		return fsmol
	}
	return name
}
