package pintuning

import (
	"math"
	"regexp"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
)

// fixture holds results of the published code (repository CRIPAC-DIG/Pin-Tuning of the authors,
// models/model.py) in float64, without dropout, for one task with two auxiliary ones. Each query is
// alone in a pass, and its labels are edges to their own properties. The support has no queries beside
// it. A difference was added to a pretrained table. Parts of the up projector have their inputs' names.
type fixture struct {
	modeltest.Published
	SupportAuxiliary [][2]*float64 `json:"support_auxiliary"`
	QueryAuxiliary   [][2]*float64 `json:"query_auxiliary"`
	Runs             map[string]struct {
		Loss      float64
		Gradients map[string]modeltest.Nested
		Queries   []float64 `json:"query_logits"`
		Adapted   []float64 `json:"adapted_query_logits"` // after a step down the gradients
	}
}

func renamed(pattern, ours string) modeltest.Renamed {
	return modeltest.Renamed{Pattern: regexp.MustCompile("^" + pattern), Ours: ours}
}

var names = []modeltest.Renamed{
	renamed(`mol_encoder_frozen\.gnn\.x_embedding1\.weight$`, "encoder.atom"),
	renamed(`mol_encoder_frozen\.gnn\.x_embedding2\.weight$`, "encoder.chirality"),
	renamed(`mol_encoder_frozen\.gnn\.gnns\.(\d+)\.mlp\.0\.`, "encoder.$1.mlp.0."),
	renamed(`mol_encoder_frozen\.gnn\.gnns\.(\d+)\.mlp\.2\.`, "encoder.$1.mlp.1."),
	renamed(`mol_encoder_frozen\.gnn\.gnns\.(\d+)\.edge_embedding1\.weight$`, "encoder.$1.bond"),
	renamed(`mol_encoder_frozen\.gnn\.gnns\.(\d+)\.edge_embedding2\.weight$`, "encoder.$1.direction"),
	renamed(`mol_encoder_frozen\.gnn\.batch_norms\.(\d+)\.(?:running_)?`, "encoder.$1.norm."),
	renamed(`mol_encoder\.gnn\.x_embedding1\.weight\.difference$`, "adapter.table.atom"),
	renamed(`mol_encoder\.gnn\.x_embedding2\.weight\.difference$`, "adapter.table.chirality"),
	renamed(`mol_encoder\.gnn\.gnns\.(\d+)\.edge_embedding1\.weight\.difference$`, "adapter.table.$1.bond"),
	renamed(`mol_encoder\.gnn\.gnns\.(\d+)\.edge_embedding2\.weight\.difference$`, "adapter.table.$1.direction"),
	renamed(`mol_encoder\.gnn\.batch_norms\.(\d+)\.running_`, "adapter.$1.norm."),
	renamed(`mol_encoder\.gnn\.layer_norms\.(\d+)\.`, "adapter.$1.layer."),
	renamed(`mol_encoder\.gnn\.down_projector_atom\.weight$`, "adapter.0.down"),
	renamed(`mol_encoder\.gnn\.down_projector_atom\.bias$`, "adapter.0.bias"),
	renamed(`mol_encoder\.gnn\.down_projector_task_context\.weight$`, "adapter.target.down"),
	renamed(`mol_encoder\.gnn\.down_projector_task_context\.bias$`, "adapter.target.bias"),
	renamed(`mol_encoder\.gnn\.down_projector_mol_context\.weight$`, "adapter.molecule.down"),
	renamed(`mol_encoder\.gnn\.down_projector_mol_context\.bias$`, "adapter.molecule.bias"),
	renamed(`mol_encoder\.gnn\.up_projector\.atom$`, "adapter.0.up"),
	renamed(`mol_encoder\.gnn\.up_projector\.task_context$`, "adapter.target.up"),
	renamed(`mol_encoder\.gnn\.up_projector\.mol_context$`, "adapter.molecule.up"),
	renamed(`mol_encoder\.gnn\.up_projector\.bias$`, "adapter.0.offset"),
	renamed(`mol_encoder\.gnn\.following_down_projectors\.0\.weight$`, "adapter.1.down"),
	renamed(`mol_encoder\.gnn\.following_down_projectors\.0\.bias$`, "adapter.1.bias"),
	renamed(`mol_encoder\.gnn\.following_up_projectors\.0\.weight$`, "adapter.1.up"),
	renamed(`mol_encoder\.gnn\.following_up_projectors\.0\.bias$`, "adapter.1.offset"),
	renamed(`relation_net\.edge_layer(\d+)\.sim_network\.conv_out\.`, "graph.$1.similarity.2."),
	renamed(`relation_net\.edge_layer(\d+)\.sim_network\.conv(\d+)\.`, "graph.$1.similarity.$2."),
	renamed(`relation_net\.edge_layer(\d+)\.sim_network\.norm(\d+)\.(?:running_)?`, "graph.$1.similarity.$2.norm."),
	renamed(`relation_net\.node_layer(\d+)\.root_linear\.`, "graph.$1.root."),
	renamed(`relation_net\.node_layer(\d+)\.neigh_linear\.`, "graph.$1.near."),
	renamed(`relation_net\.node_layer(\d+)\.edge_emb\.weight$`, "graph.$1.types"),
	renamed(`relation_net\.node_layer(\d+)\.batch_norm\.(?:running_)?`, "graph.$1.norm."),
	renamed(`relation_net\.task_emb\.training$`, "properties"),
	renamed(`relation_net\.task_emb\.test$`, "target"),
	renamed(`classifier\.1\.(?:running_)?`, "classifier.0.norm."),
	renamed(`classifier\.3\.`, "classifier.1."),
	renamed(`classifier\.0\.`, "classifier.0."),
}

// settings are the fixture's, with running averages (norm=running) or a support set's own statistics.
func (f *fixture) settings(t *testing.T, norm string) model.Config {
	t.Helper()
	c := f.Encoder(t, small(t, func(s *Settings) {
		s.Adapter.Width = int(f.Number(t, "adapter_hidden_dim"))
		s.Properties.Similarity = int(f.Number(t, "rel_edge_hidden_dim"))
		s.Properties.InputDropout, s.Properties.Dropout = 0, 0
	}))
	c.Norm, c.Pretrained = norm, "any name, to freeze the encoder"
	return c
}

// dataset returns a data set with two training tasks, and molecules with different fingerprints.
func (f *fixture) dataset(t *testing.T) (*data.Dataset, data.Episode) {
	t.Helper()
	store, e := f.Episode(t)
	d := &data.Dataset{Name: "published", Store: store, Tasks: make([]data.Task, 2)}
	for row, labels := range slices.Concat(f.SupportAuxiliary, f.QueryAuxiliary) {
		store.Fingerprints().Add([]uint16{uint16(row)}, []uint16{1})
		for i, y := range labels {
			if y != nil {
				d.Tasks[i].Rows = append(d.Tasks[i].Rows, int32(row))
				d.Tasks[i].Labels = append(d.Tasks[i].Labels, uint8(*y))
			}
		}
	}
	return d, e
}

// TestPublished compares the loss of the support set and its gradients, with running averages and with
// its own statistics. With running averages it also compares the logits of queries before and after an
// inner step.
func TestPublished(t *testing.T) {
	var f fixture
	golden.Decode(t, golden.Fixture(t, "pintuning_reference.json.gz"), &f)
	for mode, norm := range map[string]string{"eval": "running", "train": "support"} {
		modeltest.RunBoth(t, norm, func(t *testing.T) {
			want := f.Runs[mode]
			m := modeltest.New(t, Spec, f.settings(t, norm), model.Options{Float64: true, Tasks: []int{0, 1}})
			f.Load(t, m, names...)
			d, e := f.dataset(t)
			if err := m.Remember(d, []int{0, 1}); err != nil {
				t.Fatal(err)
			}
			store := d.Store.(*molecule.Store)
			loss, err := m.Backward(modeltest.Support(t, store, e), 1)
			if err != nil {
				t.Fatal(err)
			}
			modeltest.Near(t, "loss", []float64{loss}, []float64{want.Loss}, 1e-11)
			f.GradientsAgree(t, m, want.Gradients, names...)
			for steps, logits := range [][]float64{want.Queries, want.Adapted} {
				if logits == nil {
					continue
				}
				m.Tune(model.Tuning{Steps: steps, LearningRate: f.Number(t, "inner_lr")})
				got, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 4)
				for i, z := range logits {
					modeltest.Near(t, "P(active)", got[i:i+1], []float64{1 / (1 + math.Exp(-z))}, modeltest.Float32ULP)
				}
			}
		})
	}
}
