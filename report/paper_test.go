package report

import (
	"strings"
	"testing"

	"pacia/metrics"
	"pacia/run/rundir"
)

func settingsOf(text string) (s rundir.Settings) {
	for _, m := range strings.Fields("data.split=auto model.encoder=gin " + text) {
		name, value, _ := strings.Cut(m, "=")
		s = append(s.Without(name), rundir.Setting{Name: name, Value: value})
	}
	return s
}

// TestPublishedByMethod: a method has the figure under its title, for any network. There is none for ablations,
// for methods that the paper does not have, and for other tasks.
func TestPublishedByMethod(t *testing.T) {
	mol := func(dataset string, shots int) Trial {
		return Trial{Dataset: dataset, Shots: shots, Metric: metrics.NameROCAUC}
	}
	fs := Trial{Dataset: "fsmol", Support: 16, Metric: metrics.NameDeltaAUPRC}
	for _, tt := range []struct {
		trial  Trial
		tasks  int
		more   string
		method string
		want   float64
		same   bool
	}{
		{mol("tox21", 10), 3, "model.method=single", "GNN-ST", 61.23, true},
		{mol("muv", 1), 5, "model.method=par", "PAR", 65.62, true},
		{mol("muv", 10), 5, "model.method=adkf model.encoder=pna", "ADKF-IFT", 98.18, false},
		{mol("sider", 10), 6, "model.method=siamese", "Siamese", 71.10, false}, // published with graph convolutions
		{mol("toxcast", 10), 167, "model.method=siamese", "", 0, false},
		{mol("tox21", 1), 3, "model.method=par model.pretrained=a", "Pre-PAR", 83.01, true},
		{mol("tox21", 10), 3, "model.method=single model.pretrained=a", "Pre-GNN", 83.02, true},
		{mol("tox21", 10), 3, "model.method=maml model.pretrained=a", "", 0, false},
		{mol("tox21", 10), 3, "model.method=single model.encoder=mat", "MAT", 64.84, false},
		{mol("tox21", 10), 3, "model.method=forest", "", 0, false},
		{mol("tox21", 10), 3, "model.method=later", "", 0, false},
		{mol("tox21", 10), 3, "model.method=par train.shuffle_labels=true", "", 0, false},
		{mol("tox21", 5), 3, "model.method=par", "", 0, false},
		{mol("tox21", 10), 3, "model.encoder=pna", "PACIA", 84.25, false},
		{mol("tox21", 10), 3, "model.adapt.encoder=none", "", 0, false},
		{fs, 157, "model.method=maml model.encoder=pna", "MAML", 15.9, false},
		{fs, 157, "model.method=egnn model.encoder=pna", "EGNN", 21.2, true},
		{fs, 157, "model.method=proto model.encoder=pna+fingerprint", "ProtoNet", 20.7, true},
		{fs, 157, "model.encoder=fingerprint", "PACIA", 23.6, false},
		{fs, 156, "model.method=egnn", "", 0, false},
	} {
		s := settingsOf(tt.more)
		n := findNamed(tt.trial, tt.tasks, s)
		switch {
		case n == nil && tt.want != 0:
			t.Errorf("%s, %s: none, want %v", tt.trial.Name(), tt.more, tt.want)
		case n != nil && (n.Mean != tt.want || n.Method != tt.method || n.same(s) != tt.same):
			t.Errorf("%s, %s: %s %v of the same network: %v; want %s %v, %v", tt.trial.Name(), tt.more, n.Method, n.Mean, n.same(s), tt.method, tt.want, tt.same)
		}
	}
	// 10 methods × 8 without the four that Table 1 lacks, 3 × 8 of Table 7, 10 of Table 2, PACIA's, and
	// its 5 ablations × 2.
	if len(published) != 10*8-4+3*8+10+2*8+1+5*2 {
		t.Errorf("%d figures", len(published))
	}
	for _, p := range published {
		if p.Source.Name == "" || p.network.text == "" || p.Dataset == fsmol != (len(p.categories) == 3) {
			t.Errorf("published.csv has %+v", p)
		}
	}
}
