package rdkit

/*
#cgo LDFLAGS: -lRDKitFileParsers -lRDKitDepictor
#include "parse.h"
#include "rewrite.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// MaxBlock is the length in bytes above which FromBlock refuses a molblock: that
// of 2,000 atoms with as many bonds and coordinates of ten digits.
const MaxBlock = 1 << 18

// Canonical returns the canonical, isomeric SMILES of a molecule: two SMILES are of
// the same molecule where these are equal. Refused is what [Parser.Parse] refuses.
func Canonical(ctx context.Context, smiles string) (string, error) { return rewrite(ctx, smiles, 0) }

// LargestFragment returns the canonical SMILES of the fragment with the most heavy
// atoms, of the heaviest elements where several have as many, or of the one that
// comes first: without salts and solvents that is.
func LargestFragment(ctx context.Context, smiles string) (string, error) {
	return rewrite(ctx, smiles, C.PACIA_REWRITE_LARGEST)
}

// FromBlock returns the canonical SMILES of a molblock, V2000 or V3000, as the
// records of SD files begin with. Stereochemistry is that of its wedged bonds and
// double bonds; hydrogens become implicit.
func FromBlock(ctx context.Context, block string) (string, error) {
	if len(block) > MaxBlock {
		return "", fmt.Errorf("molblock of %d bytes, more than %d", len(block), MaxBlock)
	}
	return rewritten(ctx, block, C.PACIA_REWRITE_BLOCK)
}

// ToBlock returns a molblock of a SMILES, drawn in the plane, as the records of SD files
// begin with; of more than 250 atoms all coordinates are 0. Its first line, a name, is
// empty. Refused is what [Parser.Parse] refuses.
func ToBlock(ctx context.Context, smiles string) (string, error) {
	return rewrite(ctx, smiles, C.PACIA_REWRITE_TO_BLOCK)
}

func rewrite(ctx context.Context, smiles string, how C.int32_t) (string, error) {
	if err := check(smiles); err != nil {
		return "", err
	}
	text, err := rewritten(ctx, smiles, how)
	if err != nil && ctx.Err() == nil {
		if _, parsed := Parse(smiles); parsed != nil {
			return "", parsed // which says why a SMILES is malformed
		}
	}
	return text, err
}

func rewritten(ctx context.Context, text string, how C.int32_t) (string, error) {
	if text == "" {
		return "", errors.New("no molecule")
	}
	if p := apart.Load(); p != nil {
		answer, err := p.one(ctx, question{kind: askRewrite, a: int32(how), text: text})
		return string(answer), err
	}
	return rewrittenHere(text, int32(how))
}

func rewrittenHere(text string, how int32) (string, error) {
	var room [512]byte
	out := room[:]
	var size C.int32_t
	var reason [256]C.char
	for {
		status := C.pacia_rdkit_rewrite((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int32_t(len(text)), C.int32_t(how),
			(*C.char)(unsafe.Pointer(&out[0])), C.int32_t(len(out)), &size, &reason[0], C.int32_t(len(reason)))
		switch status {
		case C.PACIA_PARSE_OK:
			return string(out[:size]), nil
		case C.PACIA_PARSE_TOO_SMALL:
			out = make([]byte, size)
		default:
			return "", errors.New(strings.TrimSpace(C.GoString(&reason[0])))
		}
	}
}
