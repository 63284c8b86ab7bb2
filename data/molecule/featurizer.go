package molecule

import "context"

// Featurizer defines the representation of molecules that a model reads. The zero Featurizer
// makes graphs with RDKit's categories, see [Graph], without fingerprints.
type Featurizer struct {
	Name         string   // part of the key of graph stores; changes with the result of Parse
	Features     bool     // atoms have features, such as those of FS-Mol's task files
	Fingerprints bool     // molecules have fingerprints
	Makers       []*Maker // of further arrays; see With
	// Parse is like the function ParseSMILES; nil in the zero Featurizer.
	Parse func(ctx context.Context, smiles []string, threads int) (m List, index []int32, errs []error)
}

// GraphsAndFingerprints returns the Featurizer of graphs with categories and of fingerprints.
func GraphsAndFingerprints() Featurizer {
	return Featurizer{Name: "fingerprints 1", Fingerprints: true, Parse: parser{counts: true}.parse}
}

// FingerprintsOnly returns the Featurizer of fingerprints. Its molecules have no atoms.
func FingerprintsOnly() Featurizer {
	return Featurizer{Name: "fingerprints alone 1", Fingerprints: true, Parse: parser{counts: true, bare: true}.parse}
}

// ParseSMILES parses SMILES into molecules of this representation; see the function
// [ParseSMILES].
func (f Featurizer) ParseSMILES(ctx context.Context, smiles []string, threads int) (List, []int32, []error) {
	if f.Parse == nil {
		return ParseSMILES(ctx, smiles, threads)
	}
	return f.Parse(ctx, smiles, threads)
}
