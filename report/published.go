package report

import (
	_ "embed" // the paper's figures
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"pacia/data/source/fsmol/targets"
	"pacia/metrics"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// Published is one figure of the paper (Wu, Wang and Yao, IJCAI-24), in per cent:
// mean and standard deviation, on MoleculeNet over ten seeds.
type Published struct {
	Dataset   string // tox21, sider, muv, toxcast, fsmol
	Shots     int    // support molecules of each class; on fsmol, N of both classes together
	Method    string // PACIA, one of its ablations, or another method
	Mean      float64
	Deviation float64
	Source    Source

	network    network
	categories map[string]*Published // on FS-Mol, by category of targets
}

// published are the paper's figures for test tasks. Table 6 (tab:comp), of strategies, has
// none. Of Table 7 there are those of Pre-GNN, Pre-PAR, Pre-ADKF-IFT and Pre-PACIA.
var published = readPublished()

//go:embed published.csv
var publishedText string

// readPublished reads published.csv. The categories of a figure follow it in the file.
func readPublished() (all []Published) {
	rows, err := csv.NewReader(strings.NewReader(publishedText)).ReadAll()
	if err != nil {
		panic("report: published.csv: " + err.Error()) // impossible: the file is embedded
	}
	for _, r := range rows[1:] {
		number := func(text string) float64 {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic("report: published.csv: " + err.Error())
			}
			return v
		}
		p := Published{Dataset: r[1], Shots: int(number(r[2])), Method: r[3], Mean: number(r[6]), Deviation: number(r[7]),
			Source: sources[r[0]], network: networks[r[4]]}
		if category := r[5]; category != "" {
			all[len(all)-1].categories[category] = &p
			continue
		}
		p.categories = map[string]*Published{}
		all = append(all, p)
	}
	return all
}

// A Source is a table of the paper, with the metric of its figures and the selection
// of their model.
type Source struct {
	Name      string // with its label in the LaTeX source of the paper
	Metric    string // as in train.metric
	Selection string // way to choose the model, as in results.csv
}

// String returns the name of the table.
func (s Source) String() string { return s.Name }

// Names of the method in the paper.
const (
	pacia    = "PACIA"
	prePacia = "Pre-PACIA" // with a pretrained encoder
)

// sources are the tables of the paper. Those on MoleculeNet have the best value of all evaluations on the test
// tasks. The one on FS-Mol has the model chosen on validation tasks.
var sources = map[string]Source{
	"1":  {"Table 1 (tab:results)", metrics.NameROCAUC, bestOnTest},
	"2":  {"Table 2 (tab:fsmol)", metrics.NameDeltaAUPRC, onValidation},
	"7":  {"Table 7 (tab:results-pre)", metrics.NameROCAUC, bestOnTest},
	"8":  {"Table 8 (tab:abl-hyper1)", metrics.NameROCAUC, bestOnTest},
	"9":  {"Table 9 (tab:abl-hyper2)", metrics.NameROCAUC, bestOnTest},
	"10": {"Table 10 (tab:abl-hyper3)", metrics.NameROCAUC, bestOnTest},
}

// ablations are the ablations of PACIA that have published figures, by the only setting in which
// each differs from it.
var ablations = map[string]string{
	"model.hyper.labels=false":    "w/o Label",
	"model.hyper.prototypes=mean": "Mean-Pooling",
	"model.hyper.layers=1":        "1 layer",
	"model.hyper.layers=2":        "2 layer",
	"model.hyper.layers=4":        "4 layer",
}

// FS-Mol's name in published.csv, and the number of its test tasks. The paper's table includes all of them.
const (
	fsmol      = "fsmol"
	fsmolTasks = 157
)

// whole holds PACIA's values of the settings that define its ablations. A run of
// an earlier version that lacks a setting had this value.
var whole = rundir.Settings{
	{Name: "model.method", Value: methods.Default}, {Name: "model.encoder", Value: "gin"},
	{Name: "model.readout", Value: "mean"}, {Name: "model.jump", Value: "last"},
	{Name: "model.adapt.encoder", Value: "N"}, {Name: "model.adapt.predictor", Value: "D"},
	{Name: "model.hyper.labels", Value: "true"}, {Name: "model.hyper.prototypes", Value: "concat"},
	{Name: "model.hyper.layers", Value: "3"}, {Name: "train.shuffle_labels", Value: "false"},
	{Name: "episode.support", Value: "0"}, {Name: "episode.test_support", Value: "0"},
}

// wholeBenchmark holds PACIA's values on FS-Mol.
var wholeBenchmark = append(whole.Without("model.encoder", "model.readout", "model.jump", "episode.support", "episode.test_support"),
	rundir.Setting{Name: "model.encoder", Value: "pna"})

// method returns the paper's name for a model with these settings; empty if it has none. An
// ablation never gets the name of the complete method.
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

// findPublished returns the figure of the paper for runs with these settings and this number of
// test tasks, or nil.
func findPublished(t Trial, tasks int, s rundir.Settings) *Published {
	return find(t, tasks, s, func(method string) bool { return method == methodOn(t.Dataset, s) })
}

// findNamed returns the figure of the paper under the method's name, for any network.
func findNamed(t Trial, tasks int, s rundir.Settings) *Published {
	return find(t, tasks, s, func(method string) bool { return method == inPaper(s) })
}

// anyPublished reports whether the paper has a figure for these tasks, of any model.
func anyPublished(t Trial, tasks int, s rundir.Settings) bool {
	return find(t, tasks, s, func(string) bool { return true }) != nil
}

func find(t Trial, tasks int, s rundir.Settings, of func(method string) bool) *Published {
	name, size := publishedName(t.Dataset, s), t.Shots
	if name == fsmol {
		if size = t.Support; tasks != fsmolTasks {
			return nil
		}
	}
	at := slices.IndexFunc(published, func(p Published) bool {
		return p.Dataset == name && p.Shots == size && p.Source.Metric == t.Metric && of(p.Method)
	})
	if at < 0 {
		return nil
	}
	return &published[at]
}

// publishedTrial returns the trial of a run with the paper's name of the data set. FS-Mol is recognised by the
// names of its tasks, for any name of the user's folder.
func publishedTrial(s rundir.Summary) Trial {
	t := trialOf(s)
	if len(s.PerTask) > 0 && !slices.ContainsFunc(taskNames(s), func(name string) bool { _, ok := targets.Find(name); return !ok }) {
		t.Dataset = fsmol
	}
	return t
}

// publishedName returns the name of a data set in the paper's tables. It depends on the
// split or, if that is auto, on the name of the file.
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
