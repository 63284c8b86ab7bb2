// Package figure draws the figures of a report with gonum/plot, each as SVG, PDF and
// PNG (picture.go).
//
// All share style.go: colours that colour-blind readers can distinguish, a font
// for which browsers have a match, and a legend below the plot, where it hides
// no data.
package figure

import (
	"cmp"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette is the palette of Okabe and Ito without its yellow, which is too faint for
// lines on white.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255}, {230, 159, 0, 255},
}

// MaxCurves is the maximum number of curves in a figure: each has its own colour.
const MaxCurves = 6

var (
	grey  = color.RGBA{120, 120, 120, 255}
	faint = color.RGBA{225, 228, 232, 255}
)

// curveWidth is the width of curves, in points.
const curveWidth = 1.5

// Sizes of text, in points, and of figures, which are as wide as an A4 page without its margins.
const (
	width     = 7 * vg.Inch
	margin    = 8 // points
	thumbnail = 22
	textSize  = 9
	titleSize = 10
	longName  = 2.6 * vg.Inch // maximum width of a task's name beside its line
)

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func face(size vg.Length) text.Style {
	return text.Style{Color: color.Black, Font: font.From(sans, size), Handler: plot.DefaultTextHandler, XAlign: draw.XLeft}
}

// A sheet is a plot that records the first error, from points that cannot be drawn.
type sheet struct {
	*plot.Plot
	err error
}

func newPlot(x, y string) *sheet {
	p := &sheet{Plot: plot.New()}
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = font.From(sans, titleSize)
		axis.Tick.Label.Font = font.From(sans, textSize)
		axis.Padding = 0
		axis.Tick.Marker = ticks{}
		axis.Color, axis.Tick.Color = grey, grey
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = faint, faint
	p.Add(grid)
	return p
}

// A legend is the legend below a plot.
type legend struct{ plot.Legend }

func newLegend() *legend {
	l := &legend{plot.NewLegend()}
	l.TextStyle = face(textSize)
	l.Top, l.Left = true, true
	l.Padding = 3
	l.ThumbnailWidth = thumbnail
	return l
}

// add adds a line. If the figure is too narrow for it, the name is shortened,
// and the text after it is not.
func (l *legend) add(name, after string, thumbs ...plot.Thumbnailer) {
	room := width - 2*margin - thumbnail - l.TextStyle.Width(after) - 2*textSize
	l.Add(fitting(l.TextStyle, name, room)+after, thumbs...)
}

func fitting(style text.Style, s string, room vg.Length) string {
	if style.Width(s) <= room {
		return s
	}
	r := []rune(s)
	for len(r) > 1 && style.Width(string(r)+"…") > room {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// ticks is a ticker of about six ticks at multiples of 1, 2 or 5 times a power of ten.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*factor) <= 7 {
			step *= factor
			break
		}
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var all []plot.Tick
	// Adding 0 turns -0 into 0.
	for k := math.Ceil(low/step-1e-9) + 0; k*step <= high+1e-9*step; k++ {
		all = append(all, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, 'f', digits, 64)})
	}
	return all
}

// tidy formats a number without trailing zeros.
func tidy(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// picture draws p in the standard width, and the legend below; high is the height without the legend.
func picture(p *sheet, l *legend, high vg.Length) (Picture, error) {
	return above(l, width, high, []*sheet{p}, p.Draw)
}

// above draws sheets with onto in the area above their legend, which may be nil.
func above(l *legend, wide, high vg.Length, sheets []*sheet, onto func(draw.Canvas)) (Picture, error) {
	for _, p := range sheets {
		if p.err != nil {
			return Picture{}, p.err
		}
	}
	below := vg.Length(0)
	if l != nil {
		r := l.Rectangle(draw.New(vgsvg.New(wide, high)))
		below = r.Max.Y - r.Min.Y + 2*margin
	}
	return render(wide, high+below, func(all draw.Canvas) {
		onto(draw.Crop(all, 0, 0, below, 0))
		if l != nil {
			l.Draw(draw.Crop(all, 0, 0, 0, below-margin-(all.Max.Y-all.Min.Y)))
		}
	})
}

// stacked draws plots of these heights below each other with their vertical axes aligned, and the legend below.
func stacked(plots []*sheet, heights []vg.Length, l *legend) (Picture, error) {
	total := vg.Length(0)
	grid := make([][]*plot.Plot, len(plots))
	for i, p := range plots {
		grid[i] = []*plot.Plot{p.Plot}
		total += heights[i]
	}
	return above(l, width, total, plots, func(all draw.Canvas) {
		top := all.Max.Y
		room := top - all.Min.Y
		for i, row := range plot.Align(grid, draw.Tiles{Rows: len(plots), Cols: 1}, all) {
			c := row[0] // aligned horizontally; vertically all have the same size
			c.Max.Y, c.Min.Y = top, top-heights[i]/total*room+margin
			top = c.Min.Y - margin
			plots[i].Draw(c)
		}
	})
}

// beside draws two plots next to each other, and the legend below.
func beside(left, right *sheet, l *legend, high vg.Length) (Picture, error) {
	plots := []*plot.Plot{left.Plot, right.Plot}
	return above(l, width, high, []*sheet{left, right}, func(all draw.Canvas) {
		for i, c := range plot.Align([][]*plot.Plot{plots}, draw.Tiles{Rows: 1, Cols: 2, PadX: 2 * margin}, all)[0] {
			plots[i].Draw(c)
		}
	})
}

// drawn adds a plotter to the sheet, or records the error with which it was made.
func drawn[T plot.Plotter](p *sheet, made T, err error) T {
	if p.err = cmp.Or(p.err, err); err == nil {
		p.Add(made)
	}
	return made
}

func (p *sheet) line(points plotter.XYs, width vg.Length, c color.Color, dashes ...vg.Length) *plotter.Line {
	l, err := plotter.NewLine(points)
	if err == nil {
		l.LineStyle = draw.LineStyle{Color: c, Width: width, Dashes: dashes}
	}
	return drawn(p, l, err)
}

func (p *sheet) scatter(points plotter.XYs, glyph draw.GlyphStyle) *plotter.Scatter {
	s, err := plotter.NewScatter(points)
	if err == nil {
		s.GlyphStyle = glyph
	}
	return drawn(p, s, err)
}

// level draws a horizontal line across the plot.
func (p *sheet) level(y float64, dashes []vg.Length) *plotter.Function {
	f := plotter.NewFunction(func(float64) float64 { return y })
	f.Color, f.Width, f.Dashes = color.Black, 1, dashes
	p.Add(f)
	return f
}
