// Package tautomer gives a molecule one drawing, whichever of its drawings came in, so that a model, a look-up and a
// comparison see one molecule.
//
// Two drawings are one molecule here if they differ in the places of hydrogens on heteroatoms within a conjugated
// system and of the double bonds between, or in charges that a double bond can replace. A hydrogen of carbon never
// moves: rules that move it join different drugs, such as norethisterone and noretynodrel.
//
//  1. read.go and kekule.go read a SMILES as a Kekulé structure, with its tokens.
//  2. charges.go brings charge-separated and hypervalent forms into one.
//  3. region.go finds the atoms among which double bonds can move, and moves hydrogens from heteroatom to heteroatom.
//  4. score.go chooses the form that RDKit's canonical tautomer prefers, as FS-Mol's files have it; equal scores are
//     decided by colours.go, independently of the order of atoms.
//  5. write.go writes it in place of the SMILES: the atoms keep their order, and with it their stereochemistry.
package tautomer
