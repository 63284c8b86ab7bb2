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
	symbols  []symbol
	at       map[string]int // by SMILES and colours
	drawings []func() template.HTML
}

// draw draws the rows, the picks, and the support molecules beside them.
func draw(p *Page) *drawings {
	d := &drawings{at: map[string]int{}}
	for _, rows := range [][]Row{p.Rows, p.Picks} {
		for _, r := range rows {
			if r.Why != nil {
				d.add(r.Why.SMILES, r.Why.Look())
				for _, both := range pairsOf(r.Why) {
					d.add(r.Why.SMILES, both.here)
					d.add(both.SMILES, both.there)
				}
			} else {
				d.add(r.SMILES, rdkit.Look{})
			}
			if near := p.nearest(r); near != nil {
				d.add(near.SMILES, nearLook(r, near))
			}
		}
	}
	var running sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, make := range d.drawings {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			d.symbols[i].Body = make()
		})
	}
	running.Wait()
	return d
}

func key(smiles string, look rdkit.Look) string { return smiles + " " + fmt.Sprint(look) }

func (d *drawings) add(smiles string, look rdkit.Look) {
	k := key(smiles, look)
	if _, there := d.at[k]; !there {
		d.at[k] = len(d.symbols)
		d.symbols = append(d.symbols, symbol{Name: fmt.Sprintf("m%d", len(d.symbols))})
		d.drawings = append(d.drawings, func() template.HTML { return structure(smiles, look) })
	}
}

// named returns the name of a molecule's drawing; empty if it has none.
func (d *drawings) named(smiles string, look rdkit.Look) string {
	if s := d.symbols[d.at[key(smiles, look)]]; s.Body != "" {
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

// A pair is a molecule and a support molecule, side by side: with what differs coloured if they have a core in
// common, or with their common part marked.
type pair struct {
	Called, SMILES, Label string        // of the support molecule
	Share                 float64       // of the support molecule, or the difference of the log-odds
	Contrast              *why.Contrast // nil without a common core
	Here, There           string        // names of the drawings; may be empty

	here, there rdkit.Look
}

// pairsOf returns the pairs of a molecule: its contrasts or, if it has none, pairs with the support molecules of the largest shares.
func pairsOf(r *why.Reasons) (all []pair) {
	for i := range r.Contrasts {
		c := &r.Contrasts[i]
		all = append(all, pair{
			Called: c.Called(), SMILES: c.SMILES, Label: c.Label(), Share: c.Difference, Contrast: c,
			here: c.Here.Look(), there: c.There.Look(),
		})
	}
	if len(all) > 0 {
		return all
	}
	for _, n := range r.Shown() {
		all = append(all, pair{
			Called: n.Called(), SMILES: n.SMILES, Label: n.Label(), Share: n.Share, here: n.Here(r), there: n.There(),
		})
	}
	return all
}

// nearLook returns how the nearest active is drawn beside a row: in the same orientation if they have a core in common.
func nearLook(r Row, near *Molecule) rdkit.Look {
	if r.Why != nil {
		for _, c := range r.Why.Contrasts {
			if c.SMILES == near.SMILES {
				return rdkit.Look{Like: c.There.Like, Onto: c.There.Onto}
			}
		}
	}
	return rdkit.Look{}
}

func (d *drawings) cards(p *Page, rows []Row) []card {
	cards := make([]card, len(rows))
	for i, r := range rows {
		c := card{Row: r, Near: p.nearest(r), Bar: 100 * r.Probability, Selects: len(p.Against) > 0}
		if c.Near != nil {
			c.NearDrawing = d.named(c.Near.SMILES, nearLook(r, c.Near))
		}
		if r.Why == nil {
			c.Drawing = d.named(r.SMILES, rdkit.Look{})
		} else {
			c.Drawing, c.Pairs = d.named(r.Why.SMILES, r.Why.Look()), pairsOf(r.Why)
			for k, both := range c.Pairs {
				c.Pairs[k].Here, c.Pairs[k].There = d.named(r.Why.SMILES, both.here), d.named(both.SMILES, both.there)
			}
		}
		cards[i] = c
	}
	return cards
}

// structure draws a molecule from the paths of RDKit's drawing. It merges consecutive
// paths that look alike and leaves out the names of their atoms. It returns an empty
// drawing for a molecule that cannot be read or takes too much room.
func structure(smiles string, look rdkit.Look) template.HTML {
	svg, err := rdkit.DrawLook(context.Background(), smiles, look, drawWide, drawHigh)
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
