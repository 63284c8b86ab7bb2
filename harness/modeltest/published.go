package modeltest

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/golden"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// Published is the common part of the fixtures of methods with the published GIN: one
// episode, the parameters, and the encoder's size.
type Published struct {
	Config          map[string]any // the published code's arguments
	SupportSMILES   []string       `json:"support_smiles"`
	QuerySMILES     []string       `json:"query_smiles"`
	SupportLabels   []uint8        `json:"support_labels"`
	QueryLabels     []uint8        `json:"query_labels"`
	Parameters      []PublishedParameter
	RunningAverages map[string][]float64 `json:"running_averages_before"`

	// Least is the absolute tolerance of gradients that are 0 up to rounding. 0: 2e-12.
	// Gradients computed by differences need more.
	Least float64 `json:"-"`
}

// PublishedParameter is a parameter with its values, given by a rule or in the fixture.
type PublishedParameter struct {
	golden.Parameter
	Rounded []float64 `json:"values"` // to 12 decimals
}

// Start returns the values before any step: those of the rule, which have all digits, if they
// agree with the fixture, and otherwise those of the fixture.
func (p PublishedParameter) Start(t testing.TB) []float64 {
	t.Helper()
	if p.Rounded != nil && !p.Known() {
		return p.Rounded
	}
	if v := p.Values(t); !far(v, p.Rounded) {
		return v
	}
	return p.Rounded
}

// Number returns an argument of the published code.
func (p *Published) Number(t testing.TB, name string) float64 {
	t.Helper()
	v, ok := p.Config[name].(float64)
	if !ok {
		t.Fatalf("the fixture's config has no number %s", name)
	}
	return v
}

// Width returns the width of a molecule's vector.
func (p *Published) Width(t testing.TB) int {
	t.Helper()
	return int(p.Number(t, "emb_dim"))
}

// Episode returns the fixture's episode, with its molecules read from SMILES.
func (p *Published) Episode(t testing.TB) (*molecule.Store, data.Episode) {
	t.Helper()
	graphs, errs := molecule.GraphsFromSMILES(slices.Concat(p.SupportSMILES, p.QuerySMILES))
	for i, err := range errs {
		if err != nil {
			t.Fatalf("molecule %d: %v", i, err)
		}
	}
	e := data.Episode{SupportLabels: p.SupportLabels, QueryLabels: p.QueryLabels}
	count := [2]int{}
	for i, y := range p.SupportLabels {
		e.Support = append(e.Support, int32(i))
		count[y]++
	}
	for i := range p.QuerySMILES {
		e.Query = append(e.Query, int32(len(p.SupportSMILES)+i))
	}
	e.Shots = min(count[0], count[1])
	return molecule.NewStore(graphs), e
}

// Batch returns the fixture's episode as the batch of a training step.
func (p *Published) Batch(t testing.TB) *data.Batch {
	t.Helper()
	store, e := p.Episode(t)
	return Joined(t, store, e)
}

// Encoder returns c with the fixture's encoder, without dropout.
func (p *Published) Encoder(t testing.TB, c model.Config) model.Config {
	t.Helper()
	c.Encoder, c.Layers, c.Width = "gin", int(p.Number(t, "enc_layer")), p.Width(t)
	c.Dropout, c.Readout, c.Jump, c.Norm = 0, "mean", "last", "running"
	return c
}

// Load sets the parameters and running averages of a model in float64 to the fixture's. names
// map the published names of the method's parameters to ours. The fixture must have values for
// each parameter of the model.
func (p *Published) Load(t testing.TB, m *model.Model, names ...Renamed) {
	t.Helper()
	values := map[string][]float64{}
	for _, published := range p.Parameters {
		values[ourName(t, published.Name, names)] = published.Start(t)
	}
	for name, v := range p.RunningAverages {
		values[ourName(t, name, names)] = v
	}
	for _, to := range slices.Concat(m.Parameters(), m.Buffers()) {
		v := values[to.Name]
		if v == nil {
			t.Fatalf("the fixture has no %s", to.Name)
		}
		write(t, to, v)
		delete(values, to.Name)
	}
	for name := range values {
		t.Errorf("the model has no %s", name)
	}
}

func far(v, rounded []float64) bool {
	for i := range rounded {
		if math.Abs(v[i]-rounded[i]) > 1e-11 {
			return true
		}
	}
	return false
}

// Nested holds numbers of any shape, row-major.
type Nested []float64

// UnmarshalJSON reads nested lists.
func (n *Nested) UnmarshalJSON(text []byte) error {
	*n = nil
	for _, word := range number.FindAllString(string(text), -1) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return err
		}
		*n = append(*n, v)
	}
	return nil
}

var number = regexp.MustCompile(`[^\[\], \n]+`)

// GradientsAgree compares the gradients of a step with the fixture's, by the published
// names. The tolerance is 1e-9 of the largest entry of a tensor, and at least Least: the fixture
// has 12 decimals, and the gradient of a shift before a batch norm is 0 up to rounding.
func (p *Published) GradientsAgree(t testing.TB, m *model.Model, want map[string]Nested, names ...Renamed) {
	t.Helper()
	ours := map[string][]float64{}
	for _, parameter := range m.Parameters() {
		g := from(ops.Gradient(parameter.Tensor)).or(t)
		ours[parameter.Name] = g
	}
	if len(want) != len(ours) {
		t.Errorf("%d parameters have gradients in the fixture, the model has %d", len(want), len(ours))
	}
	for name, w := range want {
		gradientAgrees(t, name, ours[ourName(t, name, names)], w, max(p.Least, rounding))
	}
}

// rounding is the size of gradients that are 0 up to rounding.
const rounding = 2e-12

// GradientAgrees is like GradientsAgree, for one parameter.
func GradientAgrees(t testing.TB, name string, got, want []float64) {
	t.Helper()
	gradientAgrees(t, name, got, want, rounding)
}

func gradientAgrees(t testing.TB, name string, got, want []float64, least float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("gradient of %s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	tolerance := max(1e-9*max(slices.Max(want), -slices.Min(want)), least)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("gradient of %s: entry %d of %d is %.12g, want %.12g within %.1g", name, i, len(want), got[i], want[i], tolerance)
			return
		}
	}
}

// AveragesAgree compares running averages with the fixture's, by the published names.
func (p *Published) AveragesAgree(t testing.TB, m *model.Model, want map[string]Nested, when string) {
	t.Helper()
	ours := each.Pairs(m.Buffers(), func(b model.Parameter) (string, model.Parameter) { return b.Name, b })
	if len(want) != len(ours) {
		t.Errorf("%s: %d running averages, want %d", when, len(ours), len(want))
	}
	for name, w := range want {
		Near(t, when+": "+name, Values(t, ours[ourName(t, name, nil)]), w, 1e-11)
	}
}

// Renamed maps published names that match a pattern to our names.
type Renamed struct {
	Pattern *regexp.Regexp
	Ours    string
}

// Named returns our name of a published parameter.
func (*Published) Named(t testing.TB, published string, names ...Renamed) string {
	t.Helper()
	return ourName(t, published, names)
}

var encoderNames = []Renamed{
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.x_embedding1\.weight$`), "encoder.atom"},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.x_embedding2\.weight$`), "encoder.chirality"},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.gnns\.(\d+)\.mlp\.0\.`), "encoder.$1.mlp.0."},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.gnns\.(\d+)\.mlp\.2\.`), "encoder.$1.mlp.1."},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.gnns\.(\d+)\.edge_embedding1\.weight$`), "encoder.$1.bond"},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.gnns\.(\d+)\.edge_embedding2\.weight$`), "encoder.$1.direction"},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.batch_norms\.(\d+)\.running_`), "encoder.$1.norm."},
	{regexp.MustCompile(`^(?:mol_)?encoder\.gnn\.batch_norms\.(\d+)\.`), "encoder.$1.norm."},
}

func ourName(t testing.TB, published string, names []Renamed) string {
	t.Helper()
	for _, n := range slices.Concat(names, encoderNames) {
		if n.Pattern.MatchString(published) {
			return n.Pattern.ReplaceAllString(published, n.Ours)
		}
	}
	t.Fatalf("parameter %s of the fixture has no counterpart", published)
	return ""
}
