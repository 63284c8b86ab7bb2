package figure

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestFormats: a figure has 300 dots per inch and states it; a PDF needs no font; and a figure drawn again has the same bytes.
func TestFormats(t *testing.T) {
	drawn := func() Picture {
		p, err := Tasks(delta, []string{"α ≥ β"}, []Series{{Name: "Δ", Points: []Point{{0.2, 0.1, 0.3, []float64{0.1, 0.3}}}}})
		check(t, "formats", p, err)
		return p
	}
	p := drawn()
	at := bytes.Index(p.PNG, []byte("pHYs"))
	if at < 0 || at > bytes.Index(p.PNG, []byte("IDAT")) {
		t.Fatal("the PNG does not state its resolution before the pixels")
	}
	perMetre, unit := binary.BigEndian.Uint32(p.PNG[at+4:]), p.PNG[at+12]
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if perInch := float64(perMetre) * 0.0254; perInch < 300 || perInch > 301 || unit != 1 || img.Bounds().Dx() != 2100 {
		t.Errorf("%v dots per inch, unit %d, %d pixels for 7 inches", perInch, unit, img.Bounds().Dx())
	}
	if bytes.Contains(p.PDF, []byte("/BaseFont")) {
		t.Error("the PDF has texts in a font, which lacks letters")
	}
	if again := drawn(); !reflect.DeepEqual(again, p) {
		t.Error("the figure differs when it is drawn again")
	}
}

// TestArcsAreCurves: the curves in place of an arc are near the circle.
func TestArcsAreCurves(t *testing.T) {
	var p vg.Path
	p.Move(vg.Point{X: 3, Y: 1})
	p.Arc(vg.Point{X: 1, Y: 1}, 2, 0, 2*math.Pi)
	p.Close()
	curves := curved(p)
	if len(curves) != 1+1+8+1 {
		t.Fatalf("the path has %d parts", len(curves))
	}
	from := curves[1].Pos
	for _, part := range curves[2:10] {
		a, b, to := part.Control[0], part.Control[1], part.Pos
		middle := vg.Point{X: (from.X + 3*a.X + 3*b.X + to.X) / 8, Y: (from.Y + 3*a.Y + 3*b.Y + to.Y) / 8}
		if r := math.Hypot(float64(middle.X-1), float64(middle.Y-1)); math.Abs(r-2) > 1e-4 {
			t.Errorf("the middle of a curve is %v from the centre, want 2", r)
		}
		from = to
	}
}
