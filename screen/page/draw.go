package page

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"pacia/data/rdkit"
	"pacia/screen/why"
)

// Size of a drawing in pixels, and its maximum size in bytes.
const (
	drawWide, drawHigh = 220, 150
	drawBytes          = 20 << 10
)

// A symbol is a drawing to which cards refer by name.
type symbol struct {
	Name string
	Body template.HTML // paths of a drawing of drawWide × drawHigh; empty if the molecule cannot be drawn
}

// drawings are the drawings of a page, each once.
type drawings struct {
	symbols []symbol
	at      map[string]int // by SMILES and colours
	made    []func() template.HTML
}

// draw draws the rows, the picks, and the support molecules beside them.
func draw(p *Page) *drawings {
	d := &drawings{at: map[string]int{}}
	for _, rows := range [][]Row{p.Rows, p.Picks} {
		for _, r := range rows {
			if r.Why != nil {
				d.add(r.Why.SMILES, r.Why.Colours())
				for _, n := range r.Why.Shown() {
					d.add(r.Why.SMILES, n.Here(r.Why))
					d.add(n.SMILES, n.There())
				}
			} else {
				d.add(r.SMILES, nil)
			}
			if near := p.nearest(r); near != nil {
				d.add(near.SMILES, nil)
			}
		}
	}
	var running sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, make := range d.made {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			d.symbols[i].Body = make()
		})
	}
	running.Wait()
	return d
}

func key(smiles string, rgba []uint32) string { return smiles + " " + fmt.Sprint(rgba) }

func (d *drawings) add(smiles string, rgba []uint32) {
	k := key(smiles, rgba)
	if _, there := d.at[k]; !there {
		d.at[k] = len(d.symbols)
		d.symbols = append(d.symbols, symbol{Name: fmt.Sprintf("m%d", len(d.symbols))})
		d.made = append(d.made, func() template.HTML { return structure(smiles, rgba) })
	}
}

// named returns the name of a molecule's drawing; empty if it has none.
func (d *drawings) named(smiles string, rgba []uint32) string {
	if s := d.symbols[d.at[key(smiles, rgba)]]; s.Body != "" {
		return s.Name
	}
	return ""
}

// nearest returns the active support molecule most similar to a row; nil if it is not known.
func (p *Page) nearest(r Row) *Molecule {
	if r.Nearest < 0 || r.Nearest >= len(p.Support) {
		return nil
	}
	return &p.Support[r.Nearest]
}

// A card is a row with its drawings.
type card struct {
	Row
	Drawing     string    // name of the drawing; may be empty
	Near        *Molecule // the nearest active
	NearDrawing string
	Bar         float64 // the probability in per cent
	Selects     bool    // the probability is a selectivity
	Pairs       []pair  // with the support molecules of the largest shares
}

// A pair is a molecule and a support molecule, with their common part marked.
type pair struct {
	why.Neighbor
	Here, There string // names of the drawings; may be empty
}

func (d *drawings) cards(p *Page, rows []Row) []card {
	cards := make([]card, len(rows))
	for i, r := range rows {
		c := card{Row: r, Near: p.nearest(r), Bar: 100 * r.Probability, Selects: len(p.Against) > 0}
		if c.Near != nil {
			c.NearDrawing = d.named(c.Near.SMILES, nil)
		}
		if r.Why == nil {
			c.Drawing = d.named(r.SMILES, nil)
		} else {
			c.Drawing = d.named(r.Why.SMILES, r.Why.Colours())
			for _, n := range r.Why.Shown() {
				c.Pairs = append(c.Pairs, pair{n, d.named(r.Why.SMILES, n.Here(r.Why)), d.named(n.SMILES, n.There())})
			}
		}
		cards[i] = c
	}
	return cards
}

// structure draws a molecule from the paths of RDKit's drawing. It merges consecutive
// paths that look alike and leaves out the names of their atoms. It returns an empty
// drawing for a molecule that cannot be read or takes too much room.
func structure(smiles string, rgba []uint32) template.HTML {
	svg, err := rdkit.DrawColoured(context.Background(), smiles, rgba, drawWide, drawHigh)
	if err != nil {
		return ""
	}
	strokes, err := strokesOf(svg)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, s := range strokes {
		switch {
		case s.behind:
			fmt.Fprintf(&b, `<path class="behind" fill="%s" d="%s"/>`, s.colour, s.path)
		case s.filled:
			fmt.Fprintf(&b, `<path fill="%s" d="%s"/>`, s.colour, s.path)
		default:
			fmt.Fprintf(&b, `<path fill="none" stroke="%s" d="%s"/>`, s.colour, s.path)
		}
	}
	if b.Len() > drawBytes {
		return ""
	}
	return template.HTML(b.String()) // safe: strokesOf admits only paths and colours
}

// stroke is paths of the same colour and kind.
type stroke struct {
	filled bool
	behind bool   // a colour behind an atom
	colour string // #RRGGBB, #RRGGBBAA behind atoms, or currentColor for black
	path   string
}

var (
	pathOnly   = regexp.MustCompile(`^[MLQCZae0-9., -]+$`)
	colourOnly = regexp.MustCompile(`^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$`)
)

var errDrawing = errors.New("a drawing of another form than RDKit's")

// strokesOf reads the paths of RDKit's drawing.
func strokesOf(svg []byte) (all []stroke, err error) {
	drawing, err := rdkit.ReadDrawing(svg)
	if err != nil {
		return nil, err
	}
	for _, p := range drawing.Paths {
		s := stroke{colour: p.Look["stroke"], path: p.D}
		if fill := p.Look["fill"]; fill != "none" && fill != "" {
			s.filled, s.colour, s.behind = true, fill, len(fill) == len("#RRGGBBAA")
		}
		if !pathOnly.MatchString(s.path) || !colourOnly.MatchString(s.colour) {
			return nil, errDrawing
		}
		if s.colour == "#000000" {
			s.colour = "currentColor"
		}
		s.path = strings.NewReplacer(" L ", "L", " Q ", "Q", " C ", "C", " Z", "Z", "M ", "M").Replace(s.path)
		if n := len(all); n > 0 && all[n-1].filled == s.filled && all[n-1].behind == s.behind && all[n-1].colour == s.colour {
			all[n-1].path += s.path
			continue
		}
		all = append(all, s)
	}
	return all, nil
}
