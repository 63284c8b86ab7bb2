package matching

import (
	"testing"

	"pacia/harness/golden"
)

// fixture holds the results of the two published programs, in float64.
//
// Legend: Q queries, K actives and as many inactives, padded, N support molecules, d width.
type fixture struct {
	MHNfs struct {
		Width, Steps       int
		Query              [][][]float64 // [Q][1][in]
		Actives, Inactives [][][]float64 // [Q][K][in]
		Labels             []float64
		Runs               []mhnfs
	}
	DeepChem struct {
		Test, Support [][]float64
		SupportLabels []float64 `json:"support_labels"`
		TestLabels    []float64 `json:"test_labels"`
		Depth         int
		Runs          []deepChem
	}
}

type mhnfs struct {
	Model            string
	L2               bool `json:"l2_norm"`
	ActivesCounted   int  `json:"actives_counted"`
	InactivesCounted int  `json:"inactives_counted"`
	Probability      []float64
	Loss             float64
	Stages           map[string][3][][][]float64 // of query, actives, inactives: [Q][…][d]
	Parameters       map[string]any
	Gradients        map[string]any
}

type deepChem struct {
	Model          string
	Parameters     map[string]any
	TestRefined    [][]float64 `json:"test_refined"`
	SupportRefined [][]float64 `json:"support_refined"`
	Probability    []float64
	LossSum        float64     `json:"loss_sum"`
	DTest          [][]float64 `json:"d_test"`
	DSupport       [][]float64 `json:"d_support"`
	Gradients      map[string]any
}

// Tolerances of values, which have 12 decimals, and of vectors, which the rounding of the
// fixture's parameters to 12 decimals has changed. Exact sums have the same deviation.
const values, vectors = 1e-11, 3e-11

func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "iterref_reference.json.gz"), &f)
	return f
}
