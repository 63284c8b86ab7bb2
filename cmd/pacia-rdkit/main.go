// Command pacia-rdkit reads molecules for pacia, which starts it and continues if a
// molecule crashes it. It is of no use by itself.
//
// It is the only program that is linked with RDKit, the chemistry toolkit. A C function, pacia_rdkit_answer, returns
// the answer to a question of package rdkit as bytes, and a status. The C++ code behind it (one .cc file for each subject)
// keeps RDKit's objects in smart pointers, and converts each exception to a reason of one line. ask.h has the answers.
package main

/*
#cgo CXXFLAGS: -std=c++17 -O2 -I/usr/include/rdkit -I${SRCDIR}/../../data/rdkit -U_GLIBCXX_USE_CXX11_ABI -D_GLIBCXX_USE_CXX11_ABI=1
#cgo CFLAGS: -I${SRCDIR}/../../data/rdkit
#cgo LDFLAGS: -lRDKitFileParsers -lRDKitDepictor -lRDKitChemTransforms -lRDKitSmilesParse -lRDKitDistGeomHelpers -lRDKitForceFieldHelpers
#cgo LDFLAGS: -lRDKitForceField -lRDKitRDGeometryLib -lRDKitFingerprints -lRDKitDataStructs -lRDKitDescriptors -lRDKitPartialCharges
#cgo LDFLAGS: -lRDKitMolStandardize -lRDKitFilterCatalog -lRDKitCatalogs -lRDKitMolDraw2D -lRDKitSubstructMatch -lRDKitGraphMol -lRDKitRDGeneral
#include "answer.h"
#include "rdkit.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"pacia/data/rdkit"
)

func main() {
	if err := rdkit.Serve(os.Stdin, os.Stdout, C.GoString(C.pacia_rdkit_begin()), answer); err != nil {
		fmt.Fprintln(os.Stderr, "pacia-rdkit:", err)
		os.Exit(1)
	}
}

// answer appends RDKit's answer to a question.
func answer(kind byte, text string, a, b int32, to []byte) ([]byte, error) {
	var bytes *C.char
	var size C.int32_t
	status := C.pacia_rdkit_answer(C.int32_t(kind), (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int32_t(len(text)),
		C.int32_t(a), C.int32_t(b), &bytes, &size)
	answered := unsafe.Slice((*byte)(unsafe.Pointer(bytes)), int(size))
	if status != C.PACIA_OK {
		return nil, errors.New(strings.TrimSpace(string(answered)))
	}
	return append(to, answered...), nil
}
