// Package source opens data sets.
//
// [Open] reads a table of molecules and labels, in the layout of MoleculeNet, or the embedded set.
// RDKit converts each SMILES to a graph once. Graphs and labels are kept in a graph store on disk
// (storefile.go), keyed by the content of the file, and are memory-mapped from there. Package fsmol
// opens the folders of FS-Mol, and package fetch downloads public data sets.
//
// Errors in input are *badinput.Error and name file, row and column.
package source
