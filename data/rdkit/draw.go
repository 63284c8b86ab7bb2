package rdkit

/*
#cgo LDFLAGS: -lRDKitMolDraw2D -lRDKitRDGeometryLib
#include "draw.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unsafe"
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
		return nil, fmt.Errorf("of more than %d letters, too large for a drawing", LargestDrawn)
	}
	q := question{kind: askDraw, a: int32(width), b: int32(height), text: smiles + colourMark + written(rgba)}
	if p := apart.Load(); p != nil {
		return p.one(ctx, q)
	}
	return drawHere(q)
}

// colourMark is between the SMILES of a question and its colours, of eight digits each.
const colourMark = "\n"

func written(rgba []uint32) string {
	var b strings.Builder
	for _, c := range rgba {
		fmt.Fprintf(&b, "%08x", c)
	}
	return b.String()
}

func drawHere(q question) ([]byte, error) {
	smiles, digits, _ := strings.Cut(q.text, colourMark)
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		return nil, errAnswer
	}
	rgba := make([]uint32, len(bytes)/4, len(bytes)/4+1) // so that there is a first one to point to
	for i := range rgba {
		rgba[i] = binary.BigEndian.Uint32(bytes[4*i:])
	}
	svg := make([]byte, 1<<16)
	for {
		var written C.int32_t
		var reason [256]C.char
		status := C.pacia_rdkit_draw((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
			(*C.uint32_t)(unsafe.SliceData(rgba)), C.int32_t(len(rgba)), C.int32_t(q.a), C.int32_t(q.b),
			(*C.char)(unsafe.Pointer(&svg[0])), C.int32_t(len(svg)), &written,
			&reason[0], C.int32_t(len(reason)))
		switch {
		case status == C.PACIA_PARSE_OK:
			return svg[:written], nil
		case status == C.PACIA_PARSE_TOO_SMALL && int(written) > len(svg):
			svg = make([]byte, written)
		default:
			return nil, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
		}
	}
}
