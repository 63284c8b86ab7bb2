package standard

import (
	"context"
	"fmt"
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
)

// Changes count the molecules with each change.
type Changes struct {
	Parents  int `json:"parents"`
	Charges  int `json:"charges"`
	Mixtures int `json:"mixtures"`
	Drawings int `json:"drawings,omitempty"`
	// Tautomers are molecules that a model knows with a hydrogen of carbon at another place, and scores so.
	Tautomers int `json:"tautomers,omitempty"`
}

// Add counts the change of one molecule.
func (c *Changes) Add(one Change) {
	switch one {
	case Parent:
		c.Parents++
	case Charge:
		c.Charges++
	case Mixture:
		c.Mixtures++
	case Drawing:
		c.Drawings++
	}
}

// Join adds the counts of other molecules.
func (c *Changes) Join(o Changes) {
	c.Parents, c.Charges, c.Mixtures = c.Parents+o.Parents, c.Charges+o.Charges, c.Mixtures+o.Mixtures
	c.Drawings, c.Tautomers = c.Drawings+o.Drawings, c.Tautomers+o.Tautomers
}

// Notes describes the changes. drawn is the switch that keeps molecules as they are drawn.
func (c *Changes) Notes(drawn string) (notes []note.Note) {
	for _, one := range []struct {
		n                  int
		one, many, changed string
	}{
		{c.Parents, "a salt is read as its parent", "%d salts are read as their parents", drawn},
		{c.Charges, "a charged molecule is read as neutral", "%d charged molecules are read as neutral", drawn},
		{c.Drawings, "a molecule is read in another drawing (tautomer or charges)", "%d molecules are read in another drawing (tautomer or charges)", drawn},
		{c.Tautomers, "a molecule is known from training as another tautomer, with a hydrogen of carbon moved", "%d molecules are known from training as other tautomers, with a hydrogen of carbon moved", drawn},
		{c.Mixtures, "a molecule of several fragments is read as it is", "%d molecules of several fragments are read as they are", "--largest-fragment"},
	} {
		switch one.n {
		case 0:
		case 1:
			notes = append(notes, note.Note{Text: one.one, Switch: one.changed})
		default:
			notes = append(notes, note.Note{Text: fmt.Sprintf(one.many, one.n), Switch: one.changed})
		}
	}
	return notes
}

// Options define how molecules are changed. The zero value makes parents.
type Options struct {
	Drawn   bool // molecules are read as they are drawn, and not as parents of salts
	Largest bool // of a molecule of several fragments, only the largest counts
}

// Molecule returns the SMILES of the molecule that a model reads: by default the neutral parent. If RDKit
// cannot read smiles, it is returned unchanged.
func (o Options) Molecule(ctx context.Context, smiles string) (text string, change Change, err error) {
	several := strings.IndexByte(smiles, '.') >= 0
	switch {
	case o.Largest && several:
		text, err = rdkit.LargestFragment(ctx, smiles)
		return text, Unchanged, err
	case o.Drawn:
		return smiles, Unchanged, nil
	}
	if text, err = rdkit.Parent(ctx, smiles); err != nil {
		return smiles, Unchanged, nil //nolint:nilerr // the model's parser reports the error
	}
	normal, moved := tautomer.Normal(text)
	switch {
	case strings.IndexByte(text, '.') >= 0:
		change = Mixture
	case text == smiles && moved:
		change = Drawing
	case text == smiles:
	case several || strings.Contains(smiles, "[Na") || strings.Contains(smiles, "[K") || strings.Contains(smiles, "[Li"):
		change = Parent
	default:
		change = Charge
	}
	return normal, change, nil
}
