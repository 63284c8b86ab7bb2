package rdkit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Drawing has the paths of a drawing by [Draw].
type Drawing struct {
	Wide, High float64 // size of the box around the paths
	Paths      []Path
}

// Path is one path of a drawing.
type Path struct {
	D    string            // commands as in SVG, separated by single spaces
	Look map[string]string // fill, stroke, stroke-width
}

// ReadDrawing reads the result of [Draw] or [DrawLook]. Coloured circles come first, as paths.
func ReadDrawing(svg []byte) (Drawing, error) {
	var doc struct {
		ViewBox string `xml:"viewBox,attr"`
		Paths   []struct {
			D     string `xml:"d,attr"`
			Style string `xml:"style,attr"`
			Fill  string `xml:"fill,attr"`
		} `xml:"path"`
		Circles []struct {
			X     float64 `xml:"cx,attr"`
			Y     float64 `xml:"cy,attr"`
			R     float64 `xml:"rx,attr"`
			Style string  `xml:"style,attr"`
		} `xml:"ellipse"`
	}
	decoder := xml.NewDecoder(strings.NewReader(string(svg)))
	decoder.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // plain ASCII
	if err := decoder.Decode(&doc); err != nil {
		return Drawing{}, err
	}
	var d Drawing
	var x, y float64
	if _, err := fmt.Sscan(doc.ViewBox, &x, &y, &d.Wide, &d.High); err != nil || d.Wide <= 0 || d.High <= 0 {
		return Drawing{}, fmt.Errorf("viewBox %q of a drawing", doc.ViewBox)
	}
	for _, c := range doc.Circles {
		round := fmt.Sprintf("M %.1f,%.1f a %.1f,%.1f 0 1 0 %.1f,0 a %.1f,%.1f 0 1 0 %.1f,0 Z", c.X-c.R, c.Y, c.R, c.R, 2*c.R, c.R, c.R, -2*c.R)
		d.Paths = append(d.Paths, Path{D: round, Look: lookOf(c.Style, "")})
	}
	for _, p := range doc.Paths {
		d.Paths = append(d.Paths, Path{D: strings.Join(strings.Fields(p.D), " "), Look: lookOf(p.Style, p.Fill)})
	}
	return d, nil
}

// lookOf reads the style of an element. fill is the default of the style's fill.
func lookOf(style, fill string) map[string]string {
	look := map[string]string{"fill": fill}
	for part := range strings.SplitSeq(style, ";") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			look[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return look
}
