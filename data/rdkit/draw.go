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

// LargestDrawn is the largest number of letters of a SMILES that is drawn. Drawings of larger
// molecules are not legible, and take RDKit seconds or minutes.
const LargestDrawn = 500

// Draw returns the structure of a SMILES as SVG with the given size in pixels, without a
// background, and with letters as paths. It refuses what [Parse] refuses, and SMILES longer
// than LargestDrawn.
func Draw(ctx context.Context, smiles string, width, height int) ([]byte, error) {
	return DrawColoured(ctx, smiles, nil, width, height)
}

// DrawColoured is like Draw, with a colour behind each atom. rgba has one number for each atom in the order of the
// SMILES, or is empty. The bytes of a number, from the highest, are red, green, blue and opacity; an opacity of 0
// means no colour.
func DrawColoured(ctx context.Context, smiles string, rgba []uint32, width, height int) ([]byte, error) {
	const least, most = 16, 4096
	if width < least || height < least || width > most || height > most {
		return nil, fmt.Errorf("a drawing of %d × %d pixels: write %d to %d", width, height, least, most)
	}
	// Parse gives the reason if a SMILES is malformed.
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
