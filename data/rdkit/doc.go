// Package rdkit is the only package that asks RDKit, the chemistry toolkit.
//
// RDKit is C++, and some molecules crash it. So it is linked into another program, pacia-rdkit, and all calls work in the
// same way:
//
//  1. A Go function checks its arguments and makes a question of them.
//  2. A process of pacia-rdkit receives questions in batches over a pipe, and returns answers as bytes (pool.go,
//     process.go, question.go; serve.go on its side). Only the process with a molecule that crashes RDKit ends.
//  3. The Go function reads the bytes (answer.go).
//
// For plain molecules, 98 of 100, this package computes the fingerprint, and the graph if the SMILES has no marks
// of stereochemistry, without RDKit and in this process; see plain.h. The results are bit for bit
// those of RDKit, which is tested on 323,856 molecules. All other molecules, also those that are
// refused, are read by RDKit.
//
// Each subject has a Go file, and a .cc file in pacia-rdkit, such as kekule.go and kekule.cc. rdkit.h has what both sides
// have in common, and ask.h of pacia-rdkit the answer to each question.
//
// All functions are safe for use by several goroutines at once.
package rdkit

// #cgo CXXFLAGS: -std=c++17 -O2
import "C"
