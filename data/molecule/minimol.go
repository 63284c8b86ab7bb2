package molecule

import (
	"errors"

	"pacia/data/rdkit"
)

// MiniMolFeatures is the number of features of an atom for [MiniMol]: the bits of the bytes in
// [rdkit.MiniMol], the lowest bit of each byte first.
const MiniMolFeatures = 8 * rdkit.MiniMolAtom

// MiniMol returns the Featurizer of the encoder MiniMol, with or without fingerprints. The first
// category of a bond is its code in [rdkit.MiniMol], and the second is 0.
func MiniMol(fingerprints bool) Featurizer {
	f := Featurizer{Name: "minimol graphs 1", Fingerprints: fingerprints, Parse: parser{counts: fingerprints, mini: true}.parse}
	if fingerprints {
		f.Name += ", fingerprints 1"
	}
	return f
}

var errMini = errors.New("RDKit reads the molecule, but not what MiniMol needs of it")

// miniMols reads molecules. A molecule that RDKit refuses has no atoms.
func miniMols(smiles []string) []rdkit.MiniMol {
	all := make([]rdkit.MiniMol, len(smiles))
	rdkit.AllMiniMol(smiles, func(i int, m rdkit.MiniMol, err error) {
		if err == nil {
			all[i] = m
		}
	})
	return all
}

// addMini appends a molecule.
func (s *Store) addMini(m rdkit.MiniMol) {
	features := s.arrays.Named.numbers(Features.Wide(MiniMolFeatures))
	features.Bytes = append(features.Bytes, m.Atoms...)
	bonds := make([]uint8, 2*len(m.Codes))
	for i, code := range m.Codes {
		bonds[2*i] = code
	}
	s.connect(len(m.Atoms)/rdkit.MiniMolAtom, m.Ends, bonds)
}
