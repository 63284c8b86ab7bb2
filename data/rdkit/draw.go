package rdkit

import (
	"context"
	"fmt"
	"strings"
)

// LargestDrawn is the largest number of letters of a SMILES that is drawn. Drawings of larger
// molecules are not legible, and take RDKit seconds or minutes.
const LargestDrawn = 500

// Draw returns the structure of a SMILES as SVG with the given size in pixels, without a
// background, and with letters as paths. It refuses what [Parse] refuses, and SMILES longer
// than LargestDrawn.
func Draw(ctx context.Context, smiles string, width, height int) ([]byte, error) {
	return DrawLook(ctx, smiles, Look{}, width, height)
}

// A Look has what a drawing shows beside the structure. A field is empty, or has an element for each atom [A] in the
// order of the SMILES.
type Look struct {
	Colours []uint32 // behind atoms. The bytes, from the highest, are red, green, blue and opacity; opacity 0: no colour
	Like    string   // SMILES of a molecule whose drawing has the same orientation; empty: RDKit's own orientation
	Onto    []int32  // with Like: the atom of Like in whose place an atom is drawn, or -1
	Notes   []int32  // numbers beside atoms; 0: none
}

// DrawLook is like Draw, with a look. Atoms of Onto that are not connected have no effect.
func DrawLook(ctx context.Context, smiles string, look Look, width, height int) ([]byte, error) {
	const least, most = 16, 4096
	if width < least || height < least || width > most || height > most {
		return nil, fmt.Errorf("a drawing of %d × %d pixels: write %d to %d", width, height, least, most)
	}
	text := []string{smiles, "", look.Like, numberList(look.Onto), numberList(look.Notes)}
	drawn := []string{smiles}
	if look.Like != "" {
		drawn = append(drawn, look.Like)
	}
	for _, drawn := range drawn {
		// Parse gives the reason if a SMILES is malformed.
		if _, err := Parse(drawn); err != nil {
			return nil, err
		}
		if len(drawn) > LargestDrawn {
			return nil, fmt.Errorf("of more than %d letters: too large for a drawing", LargestDrawn)
		}
	}
	for _, c := range look.Colours {
		text[1] += fmt.Sprintf("%08x", c)
	}
	return question{kind: askDraw, a: int32(width), b: int32(height), text: strings.Join(text, "\n")}.ask(ctx)
}
