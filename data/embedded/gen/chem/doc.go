// Package chem computes what the tasks of the embedded data set are made of:
// the canonical SMILES of a molecule, how often SMARTS patterns match it, and
// a few RDKit descriptors.
//
// It is separate from data/rdkit so that the program itself need not link
// RDKit's SMARTS and descriptor libraries: only the generator of the data set
// and its test do. No C++ exception leaves chem.cc.
package chem
