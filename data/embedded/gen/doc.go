// Gen makes the embedded data set: embedded.csv.gz and TASKS.md in
// data/embedded.
//
//	go run ./data/embedded/gen
//
// It works in four steps, each a file:
//
//  1. assemble.go puts ring, linker and group fragments (fragments.go)
//     together at random, from a fixed seed.
//  2. molecules.go keeps what RDKit accepts, of the right size, without
//     unstable bonds between hetero atoms, each canonical SMILES once.
//  3. columns.go turns the features of features.go into tasks: which molecules
//     are measured, and which class is called active.
//  4. write.go writes the table and the description of its tasks.
//
// The result depends on the version of RDKit (canonical SMILES, aromaticity);
// the committed one was made with the version in rdkitVersion.
package main
