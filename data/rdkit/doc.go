// Package rdkit is the only door to RDKit, the chemistry toolkit.
//
// A call goes the same way every time:
//
//  1. a Go function checks its arguments and makes a question of them;
//  2. a C function, pacia_rdkit_ask, answers it in bytes and returns a status: no
//     C++ type, no handle and no memory of C++ comes back, so there is nothing
//     to free and nothing that the collector could free too early;
//  3. behind it, C++ (one .cc file a subject) keeps RDKit's objects in smart
//     pointers and turns every exception into a reason of one line;
//  4. the Go function reads the bytes.
//
// What is done most has a C function of its own, which writes to arrays: a molecule's graph and
// fingerprint (parse.go).
//
// RDKit is C++, and a molecule that it cannot bear ends the process. So the program lets
// step 2 happen in processes of their own ([Apart], [Serve]; apart.go, process.go). They
// are asked in batches over pipes (question.go, answer.go), and only the one
// that had that molecule dies. Checks of step 1, and molecules of the plain kind, stay.
//
// Molecules of a plain kind, 98 of 100, are read without RDKit's: their fingerprints, and
// their graphs where the SMILES has no marks of stereochemistry. plain.h says how; what is
// made is RDKit's bit for bit, which is tested on 323,856 molecules. All others go
// through RDKit, and so does everything that is refused.
//
// Each subject is a Go file with a .cc file beside it: kekule.go, kekule.cc. rdkit.h has the C
// interface, ask.h what each question is answered with, and guard.h what the subjects share: the
// lock around RDKit's global log, reading, and the function that turns exceptions into reasons.
//
// All functions are safe for use by several goroutines at once.
//
// RDKit's libraries use the C++ ABI with small strings (1), while libtorch 2.0
// is built with the old one (0). The two live in separate packages and only C
// types pass between, so both can be in one program.
package rdkit

/*
#cgo CXXFLAGS: -std=c++17 -O2 -I/usr/include/rdkit -U_GLIBCXX_USE_CXX11_ABI -D_GLIBCXX_USE_CXX11_ABI=1
#cgo LDFLAGS: -lRDKitSmilesParse -lRDKitGraphMol -lRDKitRDGeneral
*/
import "C"
