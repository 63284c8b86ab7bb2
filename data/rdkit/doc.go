// Package rdkit is the only package that calls RDKit, the chemistry toolkit.
//
// All calls work in the same way:
//
//  1. A Go function checks its arguments and makes a question of them.
//  2. A C function, pacia_rdkit_ask, returns the answer as bytes, and a status. It
//     returns no C++ type, no handle and no C++ memory, so that nothing has to be
//     freed and the garbage collector cannot free anything too early.
//  3. The C++ code behind it (one .cc file for each subject) keeps RDKit's objects in
//     smart pointers and converts each exception to a reason of one line.
//  4. The Go function reads the bytes.
//
// The most frequent operation, a molecule's graph and fingerprint, has a C function of its own that
// writes to arrays (parse.go).
//
// RDKit is C++, and some molecules crash it. So the program runs
// step 2 in separate processes ([Apart], [Serve]; apart.go, process.go). They
// receive questions in batches over pipes (question.go, answer.go), and only the process
// with such a molecule ends. Checks of step 1, and plain molecules, are handled in this process.
//
// For plain molecules, 98 of 100, this package computes the fingerprint, and the graph if the SMILES has no marks
// of stereochemistry, without RDKit; see plain.h. The results are bit for bit
// those of RDKit, which is tested on 323,856 molecules. All other molecules, also those that are
// refused, are read by RDKit.
//
// Each subject has a Go file and a .cc file, such as kekule.go and kekule.cc. rdkit.h has the C
// interface, and ask.h the answer to each question. guard.h has the code that the subjects share: the
// lock around RDKit's global log, reading, and the conversion of exceptions to reasons.
//
// All functions are safe for use by several goroutines at once.
//
// RDKit's libraries use the new C++ ABI (1), while libtorch 2.0 is built with the old
// one (0). They are in separate packages, and only C types pass between them, so that
// both can be in one program.
package rdkit

/*
#cgo CXXFLAGS: -std=c++17 -O2 -I/usr/include/rdkit -U_GLIBCXX_USE_CXX11_ABI -D_GLIBCXX_USE_CXX11_ABI=1
#cgo LDFLAGS: -lRDKitSmilesParse -lRDKitGraphMol -lRDKitRDGeneral
*/
import "C"
