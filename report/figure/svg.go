package figure

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
)

var (
	textElement  = regexp.MustCompile(`(?s)<text ([^>]*?)style="([^"]*)">([^<]*)</text>`)
	textPlace    = regexp.MustCompile(`x="([^"]*)" y="([^"]*)" transform="([^"]*)"`)
	fontSize     = regexp.MustCompile(`font-size:([0-9.]+)px`)
	fontProperty = regexp.MustCompile(`font-[a-z]+:[^;]*;?`)
)

// em is the size in which letters are defined. It makes their coordinates integers.
const em = 1000

// portable makes a picture look the same on systems without the font: texts become
// outlines of their letters, and the file contains each letter once. Screen readers still
// read the original text.
func portable(svg []byte) []byte {
	l := letters{outlines: map[sfnt.GlyphIndex]string{}}
	svg = textElement.ReplaceAllFunc(svg, l.outlined)
	if len(l.outlines) == 0 {
		return svg
	}
	var defs bytes.Buffer
	defs.WriteString("<defs>\n")
	for _, glyph := range slices.Sorted(maps.Keys(l.outlines)) {
		if l.outlines[glyph] == "" {
			continue // a space
		}
		fmt.Fprintf(&defs, "<path id=\"g%d\" d=\"%s\"/>\n", glyph, l.outlines[glyph])
	}
	defs.WriteString("</defs>\n")
	head, rest, ok := bytes.Cut(svg, []byte("<g "))
	if !ok {
		return svg
	}
	return slices.Concat(head, defs.Bytes(), []byte("<g "), rest)
}

// letters holds the outlines of the letters of a picture.
type letters struct{ outlines map[sfnt.GlyphIndex]string }

// outlined converts a text element into a group of letters. An element with a letter that the font
// lacks stays a text.
func (l letters) outlined(element []byte) []byte {
	m := textElement.FindSubmatch(element)
	place, size := textPlace.FindSubmatch(m[1]), fontSize.FindSubmatch(m[2])
	if place == nil || size == nil {
		return element
	}
	points, err := strconv.ParseFloat(string(size[1]), 64)
	if err != nil {
		return element
	}
	face := font.DefaultCache.Lookup(font.From(sans, em), em)
	words := html.UnescapeString(string(m[3]))
	var uses bytes.Buffer
	for at, r := range words {
		glyph, ok := l.glyph(face.Face, r)
		if !ok {
			return element
		}
		if l.outlines[glyph] != "" {
			fmt.Fprintf(&uses, `<use xlink:href="#g%d" x="%.0f"/>`, glyph, face.Width(words[:at]).Points())
		}
	}
	style := strings.Trim(fontProperty.ReplaceAllString(string(m[2]), ""), "; ")
	if style != "" {
		style = ` style="` + style + `"`
	}
	return fmt.Appendf(nil, `<g role="img" aria-label="%s" transform="%s translate(%s, %s) scale(%.6g)"%s>%s</g>`,
		html.EscapeString(words), place[3], place[1], place[2], points/em, style, uses.Bytes())
}

// glyph returns the number of a letter and adds its outline; ok is false if the
// font lacks the letter.
func (l letters) glyph(f *sfnt.Font, r rune) (glyph sfnt.GlyphIndex, ok bool) {
	var buffer sfnt.Buffer
	glyph, err := f.GlyphIndex(&buffer, r)
	if err != nil || glyph == 0 {
		return 0, false
	}
	if _, known := l.outlines[glyph]; known {
		return glyph, true
	}
	segments, err := f.LoadGlyph(&buffer, glyph, fixed.I(em), nil)
	if err != nil {
		return 0, false
	}
	l.outlines[glyph] = outline(segments)
	return glyph, true
}

// outline returns segments as an SVG path. The vertical axes of both point down.
func outline(segments sfnt.Segments) string {
	var d strings.Builder
	open := false
	for _, s := range segments {
		commands := map[sfnt.SegmentOp]struct {
			name   string
			points int
		}{sfnt.SegmentOpMoveTo: {"M", 1}, sfnt.SegmentOpLineTo: {"L", 1}, sfnt.SegmentOpQuadTo: {"Q", 2}, sfnt.SegmentOpCubeTo: {"C", 3}}
		c := commands[s.Op]
		if s.Op == sfnt.SegmentOpMoveTo && open {
			d.WriteString("Z")
		}
		open = true
		d.WriteString(c.name)
		for k, p := range s.Args[:c.points] {
			if k > 0 {
				d.WriteString(" ")
			}
			fmt.Fprintf(&d, "%d,%d", p.X.Round(), p.Y.Round())
		}
	}
	if open {
		d.WriteString("Z")
	}
	return d.String()
}
