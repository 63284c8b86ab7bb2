package rdkit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Drawing is what [Draw] has drawn, as its paths.
type Drawing struct {
	Wide, High float64 // of the box that the paths are in
	Paths      []Path
}

// Path is one path of a drawing.
type Path struct {
	D    string            // commands as in SVG, one space between their parts
	Look map[string]string // fill, stroke, stroke-width
}

// ReadDrawing reads what [Draw] has returned: SVG of nothing but paths.
func ReadDrawing(svg []byte) (Drawing, error) {
	var doc struct {
		ViewBox string `xml:"viewBox,attr"`
		Paths   []struct {
			D     string `xml:"d,attr"`
			Style string `xml:"style,attr"`
			Fill  string `xml:"fill,attr"`
		} `xml:"path"`
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
	for _, p := range doc.Paths {
		look := map[string]string{"fill": p.Fill}
		for part := range strings.SplitSeq(p.Style, ";") {
			if name, value, ok := strings.Cut(part, ":"); ok {
				look[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
		d.Paths = append(d.Paths, Path{D: strings.Join(strings.Fields(p.D), " "), Look: look})
	}
	return d, nil
}
