package figure

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// A Structure is a drawing of a molecule.
type Structure struct {
	wide, high float64
	strokes    []stroke
}

// stroke is one path of a drawing: a line if width is not 0, filled if fill
// is not nil.
type stroke struct {
	path       vg.Path // y points down, as in SVG
	line, fill color.Color
	width      float64
}

// ParseStructure reads a drawing made by package rdkit: SVG that contains only
// paths.
func ParseStructure(svg []byte) (Structure, error) {
	drawing, err := rdkit.ReadDrawing(svg)
	if err != nil {
		return Structure{}, err
	}
	s := Structure{wide: drawing.Wide, high: drawing.High}
	for _, p := range drawing.Paths {
		path, err := parsePath(p.D)
		if err != nil {
			return Structure{}, err
		}
		width, _ := strconv.ParseFloat(strings.TrimSuffix(p.Look["stroke-width"], "px"), 64)
		s.strokes = append(s.strokes, stroke{path: path, line: parseColour(p.Look["stroke"]), fill: parseColour(p.Look["fill"]), width: width})
	}
	return s, nil
}

// parsePath reads the commands M, L, Q, C and Z with absolute coordinates.
func parsePath(text string) (path vg.Path, err error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,\n\r\t", r) })
	points := map[string]int{"M": 1, "L": 1, "Q": 2, "C": 3, "Z": 0}
	for at := 0; at < len(fields); {
		command := fields[at]
		n, ok := points[command]
		if !ok || at+2*n >= len(fields) {
			return nil, fmt.Errorf("path of a drawing: command %q in %q", command, text)
		}
		p := make([]vg.Point, n)
		for k := range p {
			x, errX := strconv.ParseFloat(fields[at+1+2*k], 64)
			y, errY := strconv.ParseFloat(fields[at+2+2*k], 64)
			if errX != nil || errY != nil {
				return nil, fmt.Errorf("path of a drawing: numbers of %q in %q", command, text)
			}
			p[k] = vg.Point{X: vg.Length(x), Y: vg.Length(y)}
		}
		switch command {
		case "M":
			path.Move(p[0])
		case "L":
			path.Line(p[0])
		case "Q":
			path.QuadTo(p[0], p[1])
		case "C":
			path.CubeTo(p[0], p[1], p[2])
		case "Z":
			path.Close()
		}
		at += 1 + 2*n
	}
	return path, nil
}

// parseColour parses #RRGGBB; it returns nil for other texts.
func parseColour(text string) color.Color {
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return nil
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

func (s Structure) draw(c draw.Canvas, box vg.Rectangle) {
	size := box.Size()
	if len(s.strokes) == 0 {
		return
	}
	scale := min(float64(size.X)/s.wide, float64(size.Y)/s.high)
	left := box.Min.X + (size.X-vg.Length(scale*s.wide))/2
	top := box.Max.Y - (size.Y-vg.Length(scale*s.high))/2
	place := func(p vg.Point) vg.Point {
		return vg.Point{X: left + p.X*vg.Length(scale), Y: top - p.Y*vg.Length(scale)}
	}
	for _, stroke := range s.strokes {
		path := make(vg.Path, len(stroke.path))
		for i, part := range stroke.path {
			part.Pos = place(part.Pos)
			control := each.Of(part.Control, place)
			part.Control = control
			path[i] = part
		}
		if stroke.fill != nil {
			c.SetColor(stroke.fill)
			c.Fill(path)
		}
		if stroke.line != nil && stroke.width > 0 {
			c.SetLineStyle(draw.LineStyle{Color: stroke.line, Width: vg.Length(stroke.width * scale)})
			c.Stroke(path)
		}
	}
}
