package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"io"
	"math"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Picture is a figure in several formats.
type Picture struct{ SVG, PDF, PNG []byte }

// Formats are the endings of the names of a picture's files.
var Formats = []string{".svg", ".pdf", ".png"}

// In returns the picture in the format of an ending, nil for others.
func (p Picture) In(ending string) []byte {
	return map[string][]byte{".svg": p.SVG, ".pdf": p.PDF, ".png": p.PNG}[ending]
}

// dpi is the resolution of the PNG, which journals ask for.
const dpi = 300

// A figure drawn again has the same bytes: a PDF has the same date.
func init() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
}

// render draws on white in all formats; onto gets the canvas within the margins.
func render(wide, high vg.Length, onto func(draw.Canvas)) (Picture, error) {
	written := func(sized vg.CanvasSizer, to io.WriterTo) ([]byte, error) {
		c := draw.New(sized)
		c.FillPolygon(color.White, []vg.Point{{}, {X: wide}, {X: wide, Y: high}, {Y: high}})
		onto(draw.Crop(c, margin, -2*margin, margin, -margin))
		var b bytes.Buffer
		_, err := to.WriteTo(&b)
		return b.Bytes(), err
	}
	svg, pdf := vgsvg.New(wide, high), outlinedPDF{vgpdf.New(wide, high)}
	img := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(dpi))}
	var p Picture
	var err error
	if p.SVG, err = written(svg, svg); err != nil {
		return Picture{}, err
	}
	if p.PDF, err = written(pdf, pdf); err != nil {
		return Picture{}, err
	}
	if p.PNG, err = written(img, img); err != nil {
		return Picture{}, err
	}
	p.SVG, p.PNG = portable(p.SVG), withResolution(p.PNG)
	return p, nil
}

// withResolution adds the resolution to a PNG, as a chunk after the header, without which programs assume 72 or 96 dots
// per inch.
func withResolution(png []byte) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature; length, type, content and checksum of IHDR
	perMetre := uint32(math.Ceil(dpi / 0.0254))
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	length := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
	return slices.Concat(png[:header], length, chunk, sum, png[header:])
}
