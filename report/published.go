package report

import (
	"strings"

	"pacia/report/rundir"
)

// Published is one figure of the paper (Wu, Yao and Wang, IJCAI-24): mean and
// standard deviation over ten seeds of the best value ever seen on the test
// tasks, in per cent.
type Published struct {
	Dataset   string // tox21, sider, muv, toxcast
	Shots     int
	Method    string
	Mean      float64
	Deviation float64
	Source    string // the table, and its label in the paper's source
}

// Methods of the paper that a run's settings can amount to.
const (
	pacia    = "PACIA"
	prePacia = "Pre-PACIA" // from a pretrained encoder
)

const (
	scratch    = "Table 1 (tab:results)"
	pretrained = "Table 7 (tab:results-pre)"
)

// published are the test ROC-AUCs on MoleculeNet.
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
}

// method returns what the paper calls a model with these settings, or nothing:
// an ablation must not stand beside the figure of the whole.
func method(s rundir.Settings) string {
	switch {
	case s.Get("model.adapt.encoder") != "N" || s.Get("model.adapt.predictor") != "D" ||
		s.Get("model.encoder") != "gin" || s.Get("train.shuffle_labels") == "true":
		return ""
	case s.Get("model.pretrained") != "":
		return prePacia
	}
	return pacia
}

// findPublished returns the figure of the paper for runs with these settings, or
// nil. A data set goes by its split, whatever its file is called.
func findPublished(dataset string, shots int, s rundir.Settings) *Published {
	name := s.Get("data.split")
	if name == "auto" {
		name = dataset
	}
	for i, p := range published {
		if p.Dataset == strings.ToLower(name) && p.Shots == shots && p.Method == method(s) {
			return &published[i]
		}
	}
	return nil
}
