package standard

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/tautomer"
)

// A Change is the way in which a molecule was changed for the model. Tables keep molecules as they
// are drawn.
type Change uint8

// The changes.
const (
	Unchanged Change = iota
	Parent           // a salt or a solvate is read as its parent molecule
	Charge           // hydrogens were moved to remove charges
	Mixture          // several different molecules are read as one
	Drawing          // it is read in another drawing, such as that of another tautomer
	Isotope          // isotopes are read as elements
)

// Changes count the molecules with each change.
type Changes struct {
	Parents  int `json:"parents"`
	Charges  int `json:"charges"`
	Mixtures int `json:"mixtures"`
	Drawings int `json:"drawings,omitempty"`
	Isotopes int `json:"isotopes,omitempty"`
	// Mixed are the lines of the first molecules that are mixtures.
	Mixed []int `json:"mixed,omitempty"`
	// Tautomers are molecules that a model knows with a hydrogen of carbon at another place, and scores so.
	Tautomers int `json:"tautomers,omitempty"`
	Flat      int `json:"without_coordinates,omitempty"` // records that lack coordinates, and so stereochemistry
}

// Flat describes n records without coordinates that lack stereochemistry.
func Flat(n int) string {
	const why = " no coordinates: E and Z of double bonds, and centres without a parity, are not known"
	if n == 1 {
		return "a molecule has" + why
	}
	return fmt.Sprintf("%d molecules have", n) + why
}

// mixed is the largest number of lines in [Changes.Mixed].
const mixed = 1000

// Add counts the change of the molecule in a line of the file; 0 for one of several files.
func (c *Changes) Add(one Change, line int) {
	if n := c.count(one); n != nil {
		*n++
	}
	if one == Mixture && line > 0 && len(c.Mixed) < mixed {
		c.Mixed = append(c.Mixed, line)
	}
}

// count returns the number of molecules with a change; nil for Unchanged.
func (c *Changes) count(one Change) *int {
	return [...]*int{
		Unchanged: nil, Parent: &c.Parents, Charge: &c.Charges, Mixture: &c.Mixtures, Drawing: &c.Drawings, Isotope: &c.Isotopes,
	}[one]
}

// Join adds the counts of other molecules, which come later in the file.
func (c *Changes) Join(o Changes) {
	for one := Parent; one <= Isotope; one++ {
		*c.count(one) += *o.count(one)
	}
	c.Tautomers, c.Flat = c.Tautomers+o.Tautomers, c.Flat+o.Flat
	c.Mixed = append(c.Mixed, o.Mixed[:min(len(o.Mixed), mixed-len(c.Mixed))]...)
}

// Notes describes the changes. drawn is the switch that keeps molecules as they are drawn.
func (c *Changes) Notes(drawn string) (notes []note.Note) {
	for _, one := range []struct {
		n                  int
		one, many, changed string
		rows               []int
	}{
		{c.Parents, "a salt is read as its parent", "%d salts are read as their parents", drawn, nil},
		{c.Charges, "a charged molecule is read as neutral", "%d charged molecules are read as neutral", drawn, nil},
		{c.Isotopes, "isotopes of a molecule are read as elements", "isotopes of %d molecules are read as elements", drawn, nil},
		{c.Drawings, "a molecule is read in another drawing (tautomer or charges)",
			"%d molecules are read in another drawing (tautomer or charges)", drawn, nil},
		{c.Tautomers, "a molecule is known from training as another tautomer, with a hydrogen of carbon moved",
			"%d molecules are known from training as other tautomers, with a hydrogen of carbon moved", drawn, nil},
		{c.Mixtures, "a molecule of several fragments is read as it is",
			"%d molecules of several fragments are read as they are", "--largest-fragment", c.Mixed},
	} {
		n := note.Note{Text: one.one, Switch: one.changed, Rows: one.rows}
		if one.n > 1 {
			n.Text = fmt.Sprintf(one.many, one.n)
		}
		if one.n > 0 {
			notes = append(notes, n)
		}
	}
	if c.Flat > 0 {
		notes = append(notes, note.Note{Text: Flat(c.Flat), Warning: true})
	}
	return notes
}

// Options define how molecules are changed. The zero value makes parents.
type Options struct {
	Drawn   bool // molecules are read as they are drawn, and not as parents of salts
	Largest bool // of a molecule of several fragments, only the largest counts
}

// A Molecule is a molecule as a model reads it.
type Molecule struct {
	Parent string // of a salt, neutral, in the drawing that came in
	SMILES string // the same in the one drawing that all drawings of it have (package tautomer)
	Change Change // from the molecule as drawn
}

// Molecule returns the SMILES of the molecule that a model reads; see [Options.Read].
func (o Options) Molecule(ctx context.Context, smiles string) (text string, change Change, err error) {
	m, err := o.Read(ctx, smiles)
	return m.SMILES, m.Change, err
}

// Read returns the molecule that a model reads: by default the neutral parent. If RDKit cannot read smiles, it is
// returned unchanged.
func (o Options) Read(ctx context.Context, smiles string) (m Molecule, err error) {
	text, several := smiles, strings.IndexByte(smiles, '.') >= 0
	if o.Largest && several {
		if text, err = rdkit.LargestFragment(ctx, smiles); err != nil {
			return Molecule{}, err
		}
		several = false
	}
	m = Molecule{Parent: text, SMILES: text}
	if o.Drawn {
		return m, nil
	}
	drawn := text
	if m.Parent, err = rdkit.Parent(ctx, text); err != nil {
		m.Parent = text
		return m, nil //nolint:nilerr // the model's parser reports the error
	}
	var moved bool
	m.SMILES, moved = tautomer.Normal(m.Parent)
	switch {
	case strings.IndexByte(m.Parent, '.') >= 0:
		m.Change = Mixture
	case several || m.Parent != drawn && metal.MatchString(drawn):
		m.Change = Parent
	case isotope.MatchString(drawn):
		m.Change = Isotope
	case m.Parent != drawn && charge.MatchString(drawn):
		m.Change = Charge
	case moved:
		m.Change = Drawing
	}
	return m, nil
}

// Parts of a SMILES that tell why a molecule was changed.
var (
	metal   = regexp.MustCompile(`\[(Li|Na|K|Rb|Cs|Ag|Mg|Ca|Sr|Ba|Zn|Al)[^a-z]`)
	isotope = regexp.MustCompile(`\[[0-9]`)
	charge  = regexp.MustCompile(`\[[^]]*[+-]`)
)
