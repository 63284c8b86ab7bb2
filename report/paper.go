package report

import (
	"cmp"

	"pacia/data/fsmol/targets"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// The figures of other methods in the tables that have PACIA's. Table 6 (tab:comp), of
// strategies, has none.

// A network is the encoder behind published figures.
type network struct {
	text    string
	encoder string // model.encoder that is the same; empty: none of ours is
}

// Networks as the paper, or the code that it names, has them. On FS-Mol some methods'
// code has its own by default.
var (
	gin          = network{"GIN", "gin"}
	pna          = network{"PNA", "pna"}
	ginAhead     = network{"pretrained GIN", "gin"}
	pnaAndPrints = network{"PNA beside fingerprints, the default of its code", "pna+fingerprint"}
	convolutions = network{"graph convolutions; figures taken over from Altae-Tran et al. (2017)", ""}
	descriptors  = network{"fingerprints and descriptors without a graph, as in Schimunek et al. (2023)", ""}
	otherGNN     = network{"a GNN of FS-Mol's other than PNA", ""}
	transformer  = network{"a transformer pretrained on ZINC", ""}
)

// pre begins the names of methods with a pretrained encoder.
const pre = "Pre-"

// columns of Tables 1 and 7.
var columns = []struct {
	dataset string
	shots   int
}{{"tox21", 10}, {"tox21", 1}, {"sider", 10}, {"sider", 1}, {"muv", 10}, {"muv", 1}, {"toxcast", 10}, {"toxcast", 1}}

// A tableRow of them has means and deviations over ten seeds; no mean: the paper has none.
type tableRow struct {
	method  string
	network network
	figures [8][2]float64
}

var fromScratch = []tableRow{
	{"GNN-ST", gin, [8][2]float64{{61.23, 0.89}, {55.49, 2.31}, {56.25, 1.50}, {52.98, 2.12}, {54.26, 3.61}, {51.42, 5.11}, {55.66, 1.47}, {51.80, 1.99}}},
	{"MAT", transformer, [8][2]float64{{64.84, 0.93}, {54.90, 1.89}, {57.45, 1.26}, {52.97, 3.00}, {56.19, 2.88}, {52.01, 4.05}, {58.50, 1.62}, {52.41, 2.34}}},
	{"GNN-MT", gin, [8][2]float64{{69.56, 1.10}, {62.08, 1.25}, {60.97, 1.02}, {55.39, 1.83}, {66.24, 2.40}, {60.78, 2.91}, {65.72, 1.19}, {62.38, 1.67}}},
	{"ProtoNet", gin, [8][2]float64{{72.99, 0.56}, {68.22, 0.46}, {61.34, 1.08}, {57.41, 0.76}, {68.92, 1.64}, {64.81, 1.95}, {65.29, 0.82}, {63.73, 1.18}}},
	{"MAML", gin, [8][2]float64{{79.59, 0.33}, {75.63, 0.18}, {70.49, 0.54}, {68.63, 1.51}, {68.38, 1.27}, {65.82, 2.49}, {68.43, 1.85}, {66.75, 1.62}}},
	{"Siamese", convolutions, [8][2]float64{{80.40, 0.29}, {65.00, 11.69}, {71.10, 1.68}, {51.43, 2.83}, {59.96, 3.56}, {50.00, 0.19}}},
	{"EGNN", gin, [8][2]float64{{80.11, 0.31}, {75.71, 0.21}, {71.24, 0.37}, {66.36, 0.29}, {68.84, 1.35}, {62.72, 1.97}, {66.42, 0.77}, {63.98, 1.20}}},
	{"IterRefLSTM", convolutions, [8][2]float64{{81.10, 0.10}, {80.97, 0.06}, {69.63, 0.16}, {71.73, 0.06}, {49.56, 2.32}, {48.54, 1.48}}},
	{"PAR", gin, [8][2]float64{{82.13, 0.26}, {80.02, 0.30}, {75.15, 0.35}, {72.33, 0.47}, {68.08, 2.23}, {65.62, 3.49}, {70.01, 0.85}, {68.22, 1.34}}},
	{"ADKF-IFT", gin, [8][2]float64{{82.43, 0.60}, {77.94, 0.91}, {67.72, 1.21}, {58.69, 1.44}, {98.18, 3.05}, {67.04, 4.86}, {72.07, 0.81}, {67.50, 1.23}}},
}

// Of Table 7 those that a method here with a pretrained encoder amounts to.
var fromPretrained = []tableRow{
	{pre + "GNN", ginAhead, [8][2]float64{{83.02, 0.13}, {82.75, 0.09}, {77.55, 0.14}, {67.34, 0.30}, {67.22, 2.16}, {65.79, 1.68}, {73.03, 0.67}, {71.26, 0.85}}},
	{pre + "PAR", ginAhead, [8][2]float64{{84.95, 0.24}, {83.01, 0.28}, {78.05, 0.15}, {75.29, 0.32}, {69.88, 1.57}, {66.96, 2.63}, {75.48, 0.99}, {73.90, 1.21}}},
	{pre + "ADKF-IFT", ginAhead, [8][2]float64{{86.06, 0.35}, {80.97, 0.48}, {70.95, 0.60}, {62.16, 1.03}, {95.74, 0.37}, {67.25, 3.87}, {76.22, 0.13}, {71.13, 1.15}}},
}

// onFSMol is Table 2: all tasks, kinases, hydrolases, oxidoreductases.
var onFSMol = []struct {
	method  string
	network network
	figures [4][2]float64
}{
	{"GNN-ST", pna, [4][2]float64{{2.9, 0.4}, {2.7, 0.4}, {4.0, 1.8}, {2.0, 1.6}}},
	{"MAT", transformer, [4][2]float64{{5.2, 0.5}, {4.3, 0.5}, {9.5, 1.9}, {6.2, 2.4}}},
	{"GNN-MT", pna, [4][2]float64{{9.3, 0.6}, {9.3, 0.6}, {10.8, 2.5}, {5.3, 1.8}}},
	{"MAML", otherGNN, [4][2]float64{{15.9, 0.9}, {17.7, 0.9}, {10.5, 2.4}, {5.4, 2.8}}},
	{"PAR", pnaAndPrints, [4][2]float64{{16.4, 0.8}, {18.2, 0.9}, {10.9, 2.0}, {3.9, 0.8}}},
	{"ProtoNet", pnaAndPrints, [4][2]float64{{20.7, 0.8}, {21.5, 0.9}, {20.9, 3.0}, {9.5, 2.9}}},
	{"EGNN", pna, [4][2]float64{{21.2, 1.1}, {22.4, 1.0}, {20.5, 2.4}, {9.7, 2.2}}},
	{"Siamese", descriptors, [4][2]float64{{22.3, 1.0}, {24.1, 1.0}, {17.8, 2.6}, {8.2, 2.5}}},
	{"IterRefLSTM", descriptors, [4][2]float64{{23.4, 1.0}, {25.1, 1.0}, {19.9, 2.6}, {9.8, 2.7}}},
	{"ADKF-IFT", pnaAndPrints, [4][2]float64{{23.4, 0.9}, {24.8, 2.0}, {21.7, 1.7}, {10.6, 0.8}}},
}

// A Named is the published figure of a method by its name, of whatever network.
type Named struct {
	Published
	network    network
	categories map[string]*Published // on FS-Mol
}

// named are all of them, including PACIA's.
var named = namedFigures()

func namedFigures() (all []Named) {
	for _, t := range []struct {
		rows   []tableRow
		source Source
	}{{fromScratch, scratch}, {fromPretrained, pretrained}} {
		for _, r := range t.rows {
			for i, c := range columns {
				if v := r.figures[i]; v[0] > 0 {
					all = append(all, Named{Published: Published{c.dataset, c.shots, r.method, v[0], v[1], t.source}, network: r.network})
				}
			}
		}
	}
	for _, r := range onFSMol {
		at := func(i int) Published {
			return Published{fsmol, 16, r.method, r.figures[i][0], r.figures[i][1], benchmark}
		}
		k, h, o := at(1), at(2), at(3)
		all = append(all, Named{at(0), r.network, map[string]*Published{targets.Kinases: &k, targets.Hydrolases: &h, targets.Oxidoreductases: &o}})
	}
	for _, p := range published {
		switch {
		case p.Dataset == fsmol:
			all = append(all, Named{p, pna, publishedCategories})
		case p.Method == pacia:
			all = append(all, Named{Published: p, network: gin})
		case p.Method == prePacia:
			all = append(all, Named{Published: p, network: ginAhead})
		}
	}
	return all
}

// same reports whether a run has the network of the figure, as far as its kind goes.
func (n Named) same(s rundir.Settings) bool {
	return n.network.encoder != "" && n.network.encoder == s.Get(encoderKind) && (n.network == ginAhead) == (s.Get("model.pretrained") != "")
}

const (
	encoderKind = "model.encoder"
	// ownEncoder of a method that the paper has under another name: GNN-ST with it.
	ownEncoder, ownName = "mat", "MAT"
)

// inPaper is the name of the method of these settings in the paper's tables. It is empty
// for an ablation, which may have a figure elsewhere in the paper.
func inPaper(s rundir.Settings) string {
	if s.Get("train.shuffle_labels") == "true" {
		return ""
	}
	spec, err := methods.Find(cmp.Or(s.Get(methodSetting), methods.Default))
	if err != nil {
		return ""
	}
	ahead := s.Get("model.pretrained") != ""
	switch {
	case spec.Name == methods.Default:
		// The encoder may be any.
		rest := whole.Without(encoderKind, "model.readout", "model.jump", "episode.support", "episode.test_support")
		if name := departing(rest, s); name == pacia || name == prePacia {
			return name
		}
		return ""
	case s.Get(encoderKind) == ownEncoder && singleTask(spec.Title):
		return ownName
	case ahead && singleTask(spec.Title):
		return pre + "GNN"
	case ahead:
		return pre + spec.Title
	}
	return spec.Title
}

// singleTask reports whether a method is trained on each task's support set alone.
func singleTask(title string) bool { return title == fromScratch[0].method }

// findNamed returns the figure of the paper under the method's name, for runs with these
// settings and so many test tasks, or nil.
func findNamed(t Trial, tasks int, s rundir.Settings) *Named {
	data, size := publishedName(t.Dataset, s), t.Shots
	if data == fsmol {
		if size = t.Support; tasks != fsmolTasks {
			return nil
		}
	}
	name := inPaper(s)
	for i, n := range named {
		if n.Dataset == data && n.Shots == size && n.Method == name && n.Source.Metric == t.Metric {
			return &named[i]
		}
	}
	return nil
}
