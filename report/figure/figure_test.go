package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"pacia/metrics"
)

// check decodes a picture in its formats and checks that nothing touches its edge. If FIGURES is set, it writes
// the picture there for inspection.
var auc, delta = MeasureOf(metrics.Named(metrics.NameROCAUC)), MeasureOf(metrics.Named(metrics.NameDeltaAUPRC))

func check(t *testing.T, name string, p Picture, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("FIGURES"); dir != "" {
		for _, ending := range Formats {
			if err := os.WriteFile(filepath.Join(dir, name+ending), p.In(ending), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for d := xml.NewDecoder(bytes.NewReader(p.SVG)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s.svg: %v", name, err)
		}
	}
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatalf("%s.png: %v", name, err)
	}
	if !bytes.HasPrefix(p.PDF, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(p.PDF), []byte("%%EOF")) {
		t.Errorf("%s.pdf has %d bytes and is not a PDF", name, len(p.PDF))
	}
	const edge = 8 // pixels, a quarter of the margin
	b, inked := img.Bounds(), false
	inner := b.Inset(edge)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			within := image.Pt(x, y).In(inner)
			if within && inked {
				x = inner.Max.X - 1 // one dark pixel is enough
				continue
			}
			if r, g, bl, _ := img.At(x, y).RGBA(); r+g+bl > 3*0xff00 {
				continue
			}
			if inked = true; !within {
				t.Fatalf("%s: there is ink at (%d, %d) of %v: something is cut off", name, x, y, b)
			}
		}
	}
	if !inked {
		t.Errorf("%s is empty", name)
	}
}

// long is a name that is wider than any figure.
var long = strings.Repeat("Wide Names & <signs> ", 12)

func TestLearning(t *testing.T) {
	var names []Name
	test, validation, loss := Panel{Name: "test ROC-AUC", Measure: &auc}, Panel{Name: "validation ROC-AUC",
		Measure: &auc}, Panel{Name: "training loss"}
	for i := range MaxCurves {
		var c Curve
		for e := 0; e <= 25000; e += 2500 {
			m := 0.5 + 0.05*float64(i) + 0.1*math.Sqrt(float64(e)/25000)
			c.Episodes, c.Mean = append(c.Episodes, e), append(c.Mean, m)
			c.Lowest, c.Highest = append(c.Lowest, m-0.02), append(c.Highest, m+0.01)
		}
		c.Chosen = []Step{{7500, c.Mean[3]}, {20000, c.Highest[8]}}
		names, test.Curves = append(names, Name{fmt.Sprintf("train.learning_rate=%d", i), " (10 seeds)"}), append(test.Curves, c)
		c.Chosen = nil
		validation.Curves = append(validation.Curves, c)
		c.Mean = append([]float64{}, c.Mean...)
		c.Mean[2] = 1e6
		loss.Curves = append(loss.Curves, c)
	}
	names[1].Name, validation.Curves[2] = long, Curve{}
	test.Published = []Published{{"PACIA as published: 84.25 %", 0.8425, 0}, {"Pre-PACIA as published", 0.864, 0}, {"static score", 0.7, 1}, {"", 0.72, 2}}
	p, err := Learning(names, []Panel{test, validation, loss})
	check(t, "learning", p, err)
	// A single evaluation gives a point, not an error.
	p, err = Learning([]Name{{Name: "once"}}, []Panel{{Name: "test ROC-AUC", Measure: &auc,
		Curves: []Curve{{Episodes: []int{400}, Mean: []float64{0.8}, Lowest: []float64{0.8}, Highest: []float64{0.8}}}}})
	check(t, "learning-once", p, err)
}

func TestTasks(t *testing.T) {
	var names []string
	all := make([]Series, MaxCurves)
	for k := range TasksMost {
		names = append(names, fmt.Sprintf("task %d", k))
		for i := range all {
			mean := 0.45 + 0.5*float64(k)/TasksMost + 0.01*float64(i)
			all[i].Name, all[i].After = fmt.Sprintf("configuration %d", i), " (3 seeds)"
			all[i].Points = append(all[i].Points, Point{mean, math.NaN(), math.NaN(), []float64{mean - 0.02, mean, mean + 0.02}})
		}
	}
	names[3], all[2].Points[5] = long, At(math.NaN())
	p, err := Tasks(auc, names, all)
	check(t, "tasks", p, err)
	p, err = Tasks(delta, names[:2], []Series{{Name: "one", Points: []Point{At(0.2), {-0.1, -0.2, 0, []float64{-0.2, 0}}}}})
	check(t, "tasks-delta", p, err)
	p, err = Tasks(auc, names[:1], []Series{{Name: "one", Points: []Point{At(1)}}})
	check(t, "tasks-one", p, err)
}

// TestAxisStaysInTheRange: an axis has a margin around its values, within the range of its measure.
func TestAxisStaysInTheRange(t *testing.T) {
	for _, tt := range []struct {
		m                   Measure
		low, high, from, to float64
	}{
		{auc, 0.99, 1, 0.98, 1}, {auc, 0.02, 0.99, 0, 1}, {auc, 0.52, 0.58, 0.5, 0.6}, {delta, -0.02, 0.3, -0.05, 0.35}, {delta, -1, 1, -1, 1},
	} {
		if from, to := tt.m.axis(tt.low, tt.high); math.Abs(from-tt.from) > 1e-9 || math.Abs(to-tt.to) > 1e-9 {
			t.Errorf("%s from %v to %v: the axis is [%v, %v], want [%v, %v]", tt.m.Name, tt.low, tt.high, from, to, tt.from, tt.to)
		}
	}
	low, high := Point{0.5, 0.3, 0.6, []float64{0.2, 0.9}}.reach(0.4, 0.7)
	if low != 0.2 || high != 0.9 {
		t.Errorf("seeds reach from 0.2 to 0.9, the axis from %v to %v", low, high)
	}
}

// TestRatesAreLogarithmic: the axis of a rate is always logarithmic; the axis of a number of layers is not.
func TestRatesAreLogarithmic(t *testing.T) {
	lines := []Response{{X: []float64{0.0001, 0.001, 0.0003}}}
	if x := axisOf(lines, true); !x.log || x.place(0.001) != -3 {
		t.Errorf("0.001 is at %v of a rate's axis, want its logarithm -3", x.place(0.001))
	}
	if x := axisOf(lines, false); x.log {
		t.Error("a setting that is not a rate and spans a factor of 10 has a logarithmic axis")
	}
	if x := axisOf([]Response{{X: []float64{0, 0.1}}}, true); x.log {
		t.Error("the axis is logarithmic although a rate is 0")
	}
}

func TestDepths(t *testing.T) {
	p, err := Depths([]string{"SR-HSE", long, "SR-p53"}, []int{6447, 5790, 6754},
		[][]float64{{0.1, 0.2, 0.3, 0.2, 0.2}, {0.7, 0.1, 0.1, 0.1, 0}, {0, 0, 0, 0.5, 0.5}})
	check(t, "depths", p, err)
	p, err = Depths([]string{"one"}, []int{1}, [][]float64{{1}})
	check(t, "depths-one", p, err)
}

func TestRankings(t *testing.T) {
	var all []Ranked
	for i := range MaxCurves {
		r := Ranked{Name: fmt.Sprintf("task %d", i), After: ", AUC 0.5678, AP 0.1234, 12.3 % active", Active: 0.1 * float64(i)}
		for k := range 5001 {
			x := float64(k) / 5000
			r.FPR, r.TPR, r.Precision = append(r.FPR, x), append(r.TPR, math.Pow(x, 1/float64(i+1))), append(r.Precision, 1-x*(1-r.Active))
		}
		all = append(all, r)
	}
	all[2].Name = long
	p, err := Rankings(all)
	check(t, "rankings", p, err)
	if n := len(p.SVG); n > 400_000 {
		t.Errorf("the curves of 5,000 molecules take %d bytes: they are not thinned", n)
	}
}

func TestReliability(t *testing.T) {
	bins := []metrics.Bin{{Probability: 0.05, Molecules: 12345}, {Probability: 0.2, Active: 0.1, Molecules: 4000}, {Probability: 0.5, Active: 0.45, Molecules: 170},
		{Probability: 0.7, Active: 0.9, Molecules: 12}, {Probability: 0.98, Active: 1, Molecules: 1}}
	p, err := Reliability([]Reliable{{"PACIA", ", ECE 0.123, of 7,831 molecules", bins}, {long, ", ECE 0.01", bins[3:]}})
	check(t, "reliability", p, err)
}

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 25000, "0 5000 10000 15000 20000 25000"},
		{0.35, 0.7, "0.35 0.40 0.45 0.50 0.55 0.60 0.65 0.70"},
		{0.72, 0.78, "0.72 0.73 0.74 0.75 0.76 0.77 0.78"},
		{0, 60, "0 10 20 30 40 50 60"},
	} {
		var got []string
		for _, tick := range (ticks{}).Ticks(tt.low, tt.high) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("from %v to %v: %v, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestTextsHaveTheirLength(t *testing.T) {
	style := face(textSize)
	if got := fitting(style, "short", 100); got != "short" {
		t.Errorf("%q", got)
	}
	if got := fitting(style, long, 100); style.Width(got) > 100 || !strings.HasSuffix(got, "…") || len(got) < 10 {
		t.Errorf("%q is %v wide", got, style.Width(got))
	}
}

// TestTextsAreOutlines: texts are outlines, so that they look the same with any fonts. The file contains each
// letter once, letters have the places of the layout, and screen readers read the text. Texts with letters that
// the font lacks are unchanged.
func TestTextsAreOutlines(t *testing.T) {
	text := func(words string) string {
		return `<text x="1.5" y="-2" transform="scale(1, -1)"
	style="font-family:Liberation Sans;font-variant:normal;font-size:9px;fill:#0072B2">` + words + `</text>`
	}
	svg := string(portable([]byte(`<svg><g transform="a">` + text("a &amp; a") + `</g></svg>`)))
	if strings.Contains(svg, "<text") || strings.Contains(svg, "font-") {
		t.Errorf("the picture needs a font:\n%s", svg)
	}
	for want, times := range map[string]int{
		`aria-label="a &amp; a" transform="scale(1, -1) translate(1.5, -2) scale(0.009)" style="fill:#0072B2">`: 1,
		`<path id="g`: 2, // a and &: a space has no outline
		`<use `:       3,
		fmt.Sprintf(`x="%.0f"/></g>`, face(1000*vg.Points(1)).Width("a & ").Points()): 1,
	} {
		if got := strings.Count(svg, want); got != times {
			t.Errorf("%q occurs %d times in the picture, want %d:\n%s", want, got, times, svg)
		}
	}
	if foreign := `<svg><g transform="a">` + text("分子") + `</g></svg>`; string(portable([]byte(foreign))) != foreign {
		t.Error("letters that the font lacks are drawn")
	}
}
