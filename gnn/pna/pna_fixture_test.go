package pna

import (
	"regexp"
	"strconv"
	"testing"

	"pacia/harness/golden"
)

// pnaFixture holds results of FS-Mol's own code for a few molecules at a small size, in
// float64.
type pnaFixture struct {
	Config struct {
		HiddenDim       int `json:"hidden_dim"`
		NumHeads        int `json:"num_heads"`
		PerHeadDim      int `json:"per_head_dim"`
		IntermediateDim int `json:"intermediate_dim"`
		NumLayers       int `json:"num_layers"`
	} `json:"config"`
	Readout struct {
		NumHeads  int `json:"num_heads"`
		HeadDim   int `json:"head_dim"`
		OutputDim int `json:"output_dim"`
	} `json:"readout"`
	Parameters    []golden.Parameter  `json:"parameters"`
	Features      [][]float32         `json:"node_features"`
	Adjacency     [][][2]int32        `json:"adjacency_lists"`
	Molecule      []int32             `json:"node_to_graph"`
	Tasks         []int32             `json:"tasks"` // atoms of each task, as offsets, from bench/pna.py alone
	States        [][][]float64       `json:"node_states_per_layer"`
	Embedding     [][]float64         `json:"molecule_embedding"`
	Loss          float64             `json:"loss_value"`
	GradientNorms map[string]*float64 `json:"gradient_norms"`
}

// readPNAFixture reads the file named by PACIA_PNA_FIXTURE, which bench/pna.py sets, or the fixture.
func readPNAFixture(t testing.TB) *pnaFixture {
	t.Helper()
	f := new(pnaFixture)
	golden.Decode(t, golden.Path("PACIA_PNA_FIXTURE", golden.Fixture(t, "pna_reference.json.gz")), f)
	return f
}

// pnaNames maps the published names to ours. An empty name marks an unused parameter of
// the published model.
var pnaNames = []struct {
	pattern *regexp.Regexp
	ours    string
}{
	{regexp.MustCompile(`^init_node_proj\.`), "encoder.features."},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.alpha$`), "encoder.$1.alpha"},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.mp_norm_layer\..*`), ""},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.msg_out_projection\.`), "encoder.$1.towers."},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.boom_norm_layer\.`), "encoder.$1.norm."},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.boom_layer\.linear1\.`), "encoder.$1.boom.0."},
	{regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.boom_layer\.linear2\.`), "encoder.$1.boom.1."},
	{regexp.MustCompile(`^readout\._weighted_(mean|sum)_pooler\._scoring_module\._layers\.0\.`), "readout.$1.scores.0."},
	{regexp.MustCompile(`^readout\._weighted_(mean|sum)_pooler\._scoring_module\._layers\.2\.`), "readout.$1.scores.1."},
	{regexp.MustCompile(`^readout\._weighted_(mean|sum)_pooler\._transformation_mlp\._layers\.0\.`), "readout.$1.values.0."},
	{regexp.MustCompile(`^readout\._weighted_(mean|sum)_pooler\._transformation_mlp\._layers\.2\.`), "readout.$1.values.1."},
	{regexp.MustCompile(`^readout\._weighted_(mean|sum)_pooler\._combination_layer\.`), "readout.$1.combination."},
	{regexp.MustCompile(`^readout\._max_pooler\._combination_layer\.`), "readout.max."},
	{regexp.MustCompile(`^readout\._combination_layer\.`), "readout.combination."},
}

// The messages of all towers and bond types are one parameter of ours.
var pnaMessage = regexp.MustCompile(`^gnn\.gnn_blocks\.(\d+)\.mp_layers\.(\d+)\.message_fns\.(\d+)\._layers\.0\.(weight|bias)$`)

// placeOf returns the name of our parameter that contains a published one, "" for an
// unused one, and the index of its first value there.
func placeOf(t testing.TB, p golden.Parameter, types int) (name string, from int) {
	t.Helper()
	if m := pnaMessage.FindStringSubmatch(p.Name); m != nil {
		tower, _ := strconv.Atoi(m[2])
		kind, _ := strconv.Atoi(m[3])
		n := 1
		for _, s := range p.Shape {
			n *= int(s)
		}
		return "encoder." + m[1] + ".messages." + m[4], (tower*types + kind) * n
	}
	for _, n := range pnaNames {
		if n.pattern.MatchString(p.Name) {
			return n.pattern.ReplaceAllString(p.Name, n.ours), 0
		}
	}
	t.Fatalf("parameter %s of the fixture has no counterpart", p.Name)
	return "", 0
}
