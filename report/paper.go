package report

import (
	"cmp"

	"pacia/model/methods"
	"pacia/run/rundir"
)

// A network is the encoder behind published figures.
type network struct {
	text    string
	encoder string // the same network as model.encoder; empty if this program does not have it
}

// networks are the networks in the paper, or in the code that it cites. On FS-Mol, the code of some methods has a
// different default.
var networks = map[string]network{
	"gin":             {"GIN", "gin"},
	"pna":             {"PNA", "pna"},
	"pretrained":      {pretrainedGIN, "gin"},
	"pna+fingerprint": {"PNA beside fingerprints, the default of its code", "pna+fingerprint"},
	"convolutions":    {"graph convolutions; figures taken over from Altae-Tran et al. (2017)", ""},
	"descriptors":     {"fingerprints and descriptors without a graph, as in Schimunek et al. (2023)", ""},
	"other":           {"a GNN of FS-Mol's other than PNA", ""},
	"transformer":     {"a transformer pretrained on ZINC", ""},
}

const pretrainedGIN = "pretrained GIN"

// pre is the prefix of methods with a pretrained encoder.
const pre = "Pre-"

// same reports whether a run has the same kind of network as the figure.
func (p Published) same(s rundir.Settings) bool {
	return p.network.encoder != "" && p.network.encoder == s.Get(encoderKind) && (p.network.text == pretrainedGIN) == (s.Get("model.pretrained") != "")
}

const (
	encoderKind = "model.encoder"
	// With the encoder ownEncoder, the paper calls GNN-ST ownName.
	ownEncoder, ownName = "mat", "MAT"
)

// inPaper returns the name of the method of these settings in the paper's tables. It is empty
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
		// Any encoder is admitted.
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
func singleTask(title string) bool { return title == "GNN-ST" }
