package figure

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"pacia/data/rdkit"
)

func structure(t *testing.T, smiles string) Structure {
	t.Helper()
	svg, err := rdkit.Draw(t.Context(), smiles, 240, 150)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseStructure(svg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var molecules = []string{
	"CCO", "c1ccc2[nH]ccc2c1", "C[C@H](N)C(=O)[O-].[Na+]", "CC(=O)Oc1ccccc1C(=O)O", "F/C=C/Cl", "O=S(=O)(N)c1ccc(Br)cc1", "[13CH4]",
	"CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "C#N", "OC1CCC(CC1)N=[N+]=[N-]",
	"CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O.CCN(CC)CCOC(=O)c1ccc(N)cc1",
}

// TestParseStructure: all strokes of RDKit's drawings have a colour and are within the
// canvas.
func TestParseStructure(t *testing.T) {
	for _, smiles := range molecules {
		s := structure(t, smiles)
		if s.wide != 240 || s.high != 150 || len(s.strokes) == 0 {
			t.Errorf("%s: %v × %v with %d strokes", smiles, s.wide, s.high, len(s.strokes))
		}
		for _, stroke := range s.strokes {
			if stroke.fill == nil && stroke.line == nil {
				t.Errorf("%s: a path without colour", smiles)
			}
			for _, part := range stroke.path {
				if x, y := float64(part.Pos.X), float64(part.Pos.Y); x < 0 || x > 240 || y < 0 || y > 150 {
					t.Errorf("%s: (%v, %v) is off the canvas", smiles, x, y)
				}
			}
		}
	}
	for _, bad := range []string{
		"", "<svg", `<svg viewBox="0 0 x 1"/>`, `<svg viewBox="0 0 9 9"><path d="M 1"/></svg>`, `<svg viewBox="0 0 9 9"><path d="K 1 1"/></svg>`, `<svg viewBox="0 0 9 9"><path d="M 1 b"/></svg>`,
	} {
		if _, err := ParseStructure([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var maps []Map
	for _, title := range []string{"without adaptation", long, "relation graph, depth 3", "adapted to the query"} {
		m := Map{Title: title, Note: "silhouette 0.03, nearest neighbours 54 %", Marks: []Mark{{3, "q1"}, {50, "q2"}, {51, "q3"}, {52, "q4"}}}
		for i := range 60 {
			k := Kind{Active: i%2 == 0, Query: i >= 20}
			m.X, m.Y, m.Kinds = append(m.X, r.NormFloat64()), append(m.Y, r.NormFloat64()), append(m.Kinds, k)
		}
		maps = append(maps, m)
	}
	p, err := Maps(maps)
	check(t, "maps", p, err)
	p, err = Maps([]Map{{Title: "one point", X: []float64{1}, Y: []float64{2}, Kinds: []Kind{{true, false}}}})
	check(t, "maps-one", p, err)
}

// TestNamesCoverNothing: the name of a marked molecule covers no molecule and no other name where there is room.
func TestNamesCoverNothing(t *testing.T) {
	box := vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}
	size := vg.Point{X: 12, Y: 8}
	var taken []vg.Rectangle
	for _, at := range []vg.Point{{X: 50, Y: 50}, {X: 60, Y: 50}, {X: 40, Y: 52}, {X: 50, Y: 60}, {X: 50, Y: 40}} {
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - 5, Y: at.Y - 5}, Max: vg.Point{X: at.X + 5, Y: at.Y + 5}})
	}
	for _, at := range []vg.Point{{X: 50, Y: 50}, {X: 60, Y: 50}, {X: 2, Y: 2}, {X: 99, Y: 99}} {
		place, _, _ := free(at, size, box, taken)
		for _, r := range taken {
			if common(place, r) > 0 {
				t.Errorf("the name at %v covers %v", place, r)
			}
		}
		if place.Min.X < 0 || place.Max.X > 100 || place.Min.Y < 0 || place.Max.Y > 100 {
			t.Errorf("the name of %v is at %v, out of the figure", at, place)
		}
		taken = append(taken, place)
	}
}

func TestHeats(t *testing.T) {
	values := make([][]float64, 30)
	for i := range values {
		for j := range values {
			values[i] = append(values[i], 2*math.Exp(-math.Abs(float64(i-j))/10)-1)
		}
	}
	p, err := Heats([]Heat{{Title: "without adaptation", Values: values, Breaks: []int{5, 10, 20}}, {Title: long, Values: values, Breaks: []int{5, 10, 20}}}, Cosine)
	check(t, "heats", p, err)
	names := []string{"none", "N", "D", "ND"}
	grid := Heat{Title: "ROC-AUC (%)", Rows: []string{"encoder none", "N", "D", "ND"}, Columns: []string{"predictor none", "N", "D", long}}
	for i := range names {
		var row []float64
		var text []string
		for j := range names {
			row, text = append(row, float64(4*i+j)/16), append(text, fmt.Sprintf("%d.25 ± 0.31", 70+4*i+j))
		}
		grid.Values, grid.Text = append(grid.Values, row), append(grid.Text, text)
	}
	grid.Values[1][2] = math.NaN()
	p, err = Heats([]Heat{grid}, Scale{Name: "ROC-AUC", High: 1})
	check(t, "heats-grid", p, err)
}

// graphOf returns a graph in which a fraction of the a_ij is not 0.
func graphOf(t *testing.T, shots int) Graph {
	r := rand.New(rand.NewPCG(4, 4))
	g := Graph{Title: "q1, active: depth 3 of 5, P(active) = 0.873", Query: Node{structure(t, molecules[8]), true, "q1"}}
	for i := range 2 * shots {
		g.Support = append(g.Support, Node{structure(t, molecules[i%len(molecules)]), i >= shots, fmt.Sprintf("x%d", i+1)})
	}
	n := 2*shots + 1
	for i := range n * n {
		w := 0.0
		if i/n != i%n && (r.Float64() < 0.5 || shots < 3) {
			w = 0.2 + 0.7*r.Float64()
		}
		g.Weights = append(g.Weights, float32(w))
	}
	return g
}

func TestDrawGraph(t *testing.T) {
	p, err := DrawGraph(graphOf(t, 10))
	check(t, "graph", p, err)
	if strings.Contains(string(p.SVG), "<image") {
		t.Error("a structure is not a drawing but an image")
	}
	p, err = DrawGraph(graphOf(t, 1))
	check(t, "graph-1shot", p, err)
	// Of many support molecules, those nearest to the query are shown.
	g := graphOf(t, 16)
	n := len(g.Support)
	for i := range n {
		g.Weights[n*(n+1)+i], g.Weights[i*(n+1)+n] = float32(i%16), 0
	}
	shown := g.shown()
	if fmt.Sprint(shown) != "[[6 7 8 9 10 11 12 13 14 15] [22 23 24 25 26 27 28 29 30 31]]" {
		t.Errorf("shown are %v", shown)
	}
	if low, high, ok := g.QueryEnds(); !ok || low != 1 || high != 15 {
		t.Errorf("the query's edges go from %v to %v, want 1 to 15 without 0, which is not an edge", low, high)
	}
	p, err = DrawGraph(g)
	check(t, "graph-16shot", p, err)
}

// TestEdgesHaveOneScale: the width of an edge depends on its weight from 0 to 1, and not on other edges:
// nearly equal weights look equal.
func TestEdgesHaveOneScale(t *testing.T) {
	for _, query := range []bool{false, true} {
		none, half, whole := edgeStyle(0, query), edgeStyle(0.5, query), edgeStyle(1, query)
		if d := half.Width - (none.Width+whole.Width)/2; d > 1e-9 || d < -1e-9 || whole.Width < 10*none.Width {
			t.Errorf("widths %v, %v and %v of 0, 1/2 and 1", none.Width, half.Width, whole.Width)
		}
		if near := edgeStyle(0.51, query); near.Width-half.Width > 0.06 || near.Color != half.Color {
			t.Errorf("0.50 and 0.51 are drawn %v and %v wide", half.Width, near.Width)
		}
	}
	if edgeStyle(0.5, true).Color == edgeStyle(0.5, false).Color {
		t.Error("the query's edges look like the others")
	}
}

// TestDivergingScale: a diverging scale is white at 0 and has two hues; text on it is readable.
func TestDivergingScale(t *testing.T) {
	zero, low, high := Cosine.colour(0), Cosine.colour(-1), Cosine.colour(1)
	if zero.R < 240 || zero.B < 240 || low.R <= low.B || high.B <= high.R {
		t.Errorf("colours %v, %v, %v of -1, 0 and 1", low, zero, high)
	}
	if Cosine.colour(-3) != low || Cosine.colour(2) != high {
		t.Error("values beyond the ends do not have the colours of the ends")
	}
	if Cosine.ink(0) != color.Black || Cosine.ink(1) != color.White || Cosine.ink(-1) != color.White {
		t.Error("text is not readable")
	}
}

func TestCases(t *testing.T) {
	m := func(i int, name, note string) CaseMolecule {
		return CaseMolecule{Node{structure(t, molecules[i]), i%2 == 0, name}, note}
	}
	p, err := Cases(CaseStudy{
		Support: []CaseMolecule{m(3, "x0", "inactive"), m(8, "x1", "active")},
		Queries: []CaseMolecule{m(7, "q1", "easy, active"), m(11, "q2", long), m(1, "q3", "easy, inactive")},
		Stages:  []string{"without adaptation", "adapted to the task"},
		Similarity: [][][]float64{
			{{0.2, 0.9}, {0.5, 0.55}, {0.93, -0.1}},
			{{0.1, 0.95}, {0.6, 0.5}, {0.99, -0.2}},
		},
		Columns: []string{"depth", "P(active)"},
		Cells:   [][]string{{"1", "0.983"}, {"4", "0.512"}, {"1", "0.020"}},
	})
	check(t, "cases", p, err)
}

// three returns a point of three seeds with an interval.
func three(mean, half float64) Point {
	return Point{mean, mean - 2*half, mean + half, []float64{mean - half, mean + 0.3*half, mean + 0.7*half}}
}

func TestSetting(t *testing.T) {
	p, err := Setting(SettingAxis{Name: "episode.shots"}, "test ROC-AUC", auc, []Response{
		{Name: "pacia", X: []float64{1, 10, 16, 32, 64, 128}, Points: []Point{three(0.77, 0.01), three(0.82, 0.02), three(0.825, 0.01), three(0.83, 0.01), three(0.84, 0.005), three(0.85, 0.01)}},
		{Name: long, X: []float64{1, 16, 128}, Points: []Point{At(0.6), At(0.75), At(0.86)}},
	}, []Level{{"adaptive: 83.2 %", At(0.832)}})
	check(t, "setting", p, err)
	p, err = Setting(SettingAxis{"train.learning_rate", true}, "test ROC-AUC", auc, []Response{{Name: "one",
		X: []float64{0.0001, 0.0003, 0.001, 0.003}, Points: []Point{three(0.8, 0.01), three(0.81, 0.02), three(0.805, 0.01),
			three(0.81, 0.01)}}}, nil)
	check(t, "setting-rate", p, err)
}

func TestLevels(t *testing.T) {
	p, err := Levels(auc, []Level{{"PACIA", three(0.842, 0.03)}, {"w/o T", three(0.81, 0.01)}, {"w/o Q", three(0.82,
		0.004)}, {long, At(0.74)}})
	check(t, "levels", p, err)
	p, err = Levels(auc, []Level{{"one", At(0.842)}, {"two", At(0.5)}})
	check(t, "levels-two", p, err)
	p, err = Levels(delta, []Level{{"PACIA", three(0.236, 0.008)}, {"w/o T", At(-0.05)}, {"w/o Q", three(0, 0.01)}})
	check(t, "levels-delta", p, err)
}
