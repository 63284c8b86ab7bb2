package pacia

import (
	"regexp"
	"strings"
	"testing"

	"pacia/harness/golden"
)

// fixture holds the results of the published code for one episode, in float64.
//
// Legend: S support molecules, M queries, n = S+1, L layers, d width.
type fixture struct {
	SupportSMILES []string           `json:"support_smiles"`
	QuerySMILES   []string           `json:"query_smiles"`
	SupportLabels []uint8            `json:"support_labels"`
	QueryLabels   []uint8            `json:"query_labels"`
	Parameters    []golden.Parameter `json:"parameters"`
	SupportGraph  graph              `json:"support_graph"`
	QueryGraph    graph              `json:"query_graph"`
	Eval          stages             `json:"eval"`
	Train         stages             `json:"train"`
}

type graph struct {
	X     [][2]uint8 `json:"x"`
	Edges [2][]int32 `json:"edge_index"`
	Attr  [][2]uint8 `json:"edge_attr"`
	Batch []int32    `json:"batch"`
}

type stages struct {
	SupportEmbedding [][]float64         `json:"support_embedding"`
	QueryEmbedding   [][]float64         `json:"query_embedding"`
	FilmUnit         [][]float64         `json:"film_unit"`
	Projected        [][][]float64       `json:"projected"`
	Adjacency        [][][][][]float64   `json:"adjacency_per_layer"`
	Nodes            [][][][]float64     `json:"nodes_per_layer"`
	DepthScores      [][]float64         `json:"depth_scores"`
	Logits           [][][]float64       `json:"layer_logits"`
	CrossEntropy     [][]float64         `json:"cross_entropy"`
	ExpectedLoss     float64             `json:"expected_loss"`
	SelectedLayer    []int               `json:"selected_layer"`
	GradientNorms    map[string]*float64 `json:"gradient_norms"`
}

func readFixture(t *testing.T) *fixture {
	t.Helper()
	f := new(fixture)
	golden.Decode(t, golden.Fixture(t, "pacia_reference.json.gz"), f)
	return f
}

// names maps the published names to ours. An empty name marks an unused parameter of the
// published model.
var names = []struct {
	pattern *regexp.Regexp
	ours    string
}{
	{regexp.MustCompile(`^encoder\.gnn\.p$|^relation\.mod[wb]0\.|^relation\.lc\.`), ""},
	{regexp.MustCompile(`^encoder\.gnn\.x_embedding1\.weight$`), "encoder.atom"},
	{regexp.MustCompile(`^encoder\.gnn\.x_embedding2\.weight$`), "encoder.chirality"},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.mlp\.0\.`), "encoder.$1.mlp.0."},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.mlp\.2\.`), "encoder.$1.mlp.1."},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.edge_embedding1\.weight$`), "encoder.$1.bond"},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.edge_embedding2\.weight$`), "encoder.$1.direction"},
	{regexp.MustCompile(`^encoder\.gnn\.batch_norms\.(\d+)\.`), "encoder.$1.norm."},
	{regexp.MustCompile(`^encoder\.gnn\.mod([wb])(\d+)\.layer_list\.fc([012])\.`), "task.$2.$1.molecule.$3."},
	{regexp.MustCompile(`^encoder\.gnn\.mod([wb])(\d+)\.layer_list\.fc3\.`), "task.$2.$1.last.0."},
	{regexp.MustCompile(`^encoder\.gnn\.mod([wb])(\d+)\.layer_list\.fc4\.`), "task.$2.$1.last.1."},
	{regexp.MustCompile(`^encoder\.gnn\.mod([wb])(\d+)\.layer_list\.fc5\.`), "task.$2.$1.last.2."},
	{regexp.MustCompile(`^projection\.mlp_proj\.network\.fc(\d)\.`), "projection.$1."},
	{regexp.MustCompile(`^relation\.ctrl0\.setenc\.layer_list\.fc([012])\.`), "query.p.molecule.$1."},
	{regexp.MustCompile(`^relation\.ctrl0\.setenc\.layer_list\.fc3\.`), "query.p.means."},
	{regexp.MustCompile(`^relation\.ctrl0\.layer_list\.fc(\d)\.`), "query.p.last.$1."},
	{regexp.MustCompile(`^relation\.adc0\.layer_list_([wb])\.fc(\d)\.`), "classifier.$1.$2."},
	{regexp.MustCompile(`^relation\.edge_layer(\d+)\.sim_network\.conv([01])\.`), "relation.$1.similarity.$2."},
	{regexp.MustCompile(`^relation\.edge_layer(\d+)\.sim_network\.conv_out\.`), "relation.$1.similarity.2."},
	{regexp.MustCompile(`^relation\.node_layer(\d+)\.network\.conv0\.`), "relation.$1.node.0."},
}

// ourName returns our name of a published parameter, "" for an unused one.
func ourName(t *testing.T, published string) string {
	for _, n := range names {
		if n.pattern.MatchString(published) {
			if n.ours == "" {
				return ""
			}
			return n.pattern.ReplaceAllString(published, n.ours)
		}
	}
	t.Fatalf("parameter %s of the fixture has no counterpart", published)
	return ""
}

// layersNamed counts the layers of a stack by the fixture's names.
func (f *fixture) layersNamed(prefix string) int {
	seen := map[string]bool{}
	for _, p := range f.Parameters {
		if rest, ok := strings.CutPrefix(p.Name, prefix); ok {
			number, _, _ := strings.Cut(rest, ".")
			seen[number] = true
		}
	}
	return len(seen)
}
