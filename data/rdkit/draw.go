package rdkit

/*
#cgo LDFLAGS: -lRDKitMolDraw2D -lRDKitRDGeometryLib
*/
import "C"

import (
	"context"
	"fmt"
	"strings"
)

// LargestDrawn is how many letters the SMILES of a drawing may have: where molecules are
// larger nothing can be told apart, and RDKit takes seconds, or minutes.
const LargestDrawn = 500

// Draw returns the structure of a SMILES as SVG of so many pixels, without a
// background, every letter as a path. Refused is what [Parse] refuses, and what is longer
// than LargestDrawn.
func Draw(ctx context.Context, smiles string, width, height int) ([]byte, error) {
	return DrawColoured(ctx, smiles, nil, width, height)
}

// DrawColoured is Draw with a colour behind each atom, in the order of the SMILES: red, green, blue
// and opacity, a byte each from the highest, 0 for none. Of none there are none, or one for each atom.
func DrawColoured(ctx context.Context, smiles string, rgba []uint32, width, height int) ([]byte, error) {
	const least, most = 16, 4096
	if width < least || height < least || width > most || height > most {
		return nil, fmt.Errorf("a drawing of %d × %d pixels: write %d to %d", width, height, least, most)
	}
	// Parse knows why a SMILES is malformed.
	if _, err := Parse(smiles); err != nil {
		return nil, err
	}
	if len(smiles) > LargestDrawn {
		return nil, fmt.Errorf("of more than %d letters: too large for a drawing", LargestDrawn)
	}
	var colours strings.Builder
	for _, c := range rgba {
		fmt.Fprintf(&colours, "%08x", c)
	}
	return question{kind: askDraw, a: int32(width), b: int32(height), text: smiles + "\n" + colours.String()}.ask(ctx)
}
