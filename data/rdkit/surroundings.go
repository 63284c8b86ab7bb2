package rdkit

/*
#include "counts.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"unsafe"
)

// A Surrounding is what a fingerprint counts: an atom and what lies around it, up to two bonds away.
type Surrounding struct {
	Name  uint32  // of all surroundings that are like it, in any molecule, by a hash
	Atoms []int32 // in the order of the SMILES, the one in the middle first
}

// Bit is where the fingerprint counts it.
func (s Surrounding) Bit() uint16 { return uint16(s.Name % CountsLength) }

// Surroundings returns how many atoms a molecule has, in the order of its SMILES, and what its
// [Counts] count: as many surroundings of each bit as its count. Refused is what [Parser.Parse]
// refuses.
func Surroundings(ctx context.Context, smiles string) (atoms int, all []Surrounding, err error) {
	if err := check(smiles); err != nil {
		return 0, nil, err
	}
	p := apart.Load()
	if p == nil {
		list, err := surroundingsHere(smiles)
		if err != nil {
			return 0, nil, err
		}
		return surroundingsOf(list)
	}
	answer, err := p.one(ctx, question{kind: askSurroundings, text: smiles})
	if err != nil {
		return 0, nil, err
	}
	list := make([]int32, len(answer)/4)
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(answer[4*i:]))
	}
	return surroundingsOf(list)
}

// surroundingsOf reads the list of counts.h.
func surroundingsOf(list []int32) (atoms int, all []Surrounding, err error) {
	if len(list) == 0 || list[0] < 0 || list[0] > MaxAtoms {
		return 0, nil, errAnswer
	}
	atoms, list = int(list[0]), list[1:]
	for len(list) > 0 {
		if len(list) < 2 || list[1] < 1 || int(list[1]) > len(list)-2 {
			return 0, nil, errAnswer
		}
		s := Surrounding{Name: uint32(list[0]), Atoms: list[2 : 2+list[1]]}
		for _, a := range s.Atoms {
			if a < 0 || int(a) >= atoms {
				return 0, nil, errAnswer
			}
		}
		all, list = append(all, s), list[2+list[1]:]
	}
	return atoms, all, nil
}

func surroundingsHere(smiles string) ([]int32, error) {
	list := make([]int32, 1024)
	for {
		var size C.int32_t
		var reason [256]C.char
		status := C.pacia_rdkit_surroundings((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
			(*C.int32_t)(&list[0]), C.int32_t(len(list)), &size, &reason[0], C.int32_t(len(reason)))
		switch status {
		case C.PACIA_PARSE_OK:
			return list[:size], nil
		case C.PACIA_PARSE_TOO_SMALL:
			list = make([]int32, size)
		default:
			return nil, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
		}
	}
}
