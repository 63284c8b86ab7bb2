package data

import "context"

// Featurizer is a way to see molecules. The zero Featurizer is RDKit's graphs of categories,
// see [Graph], without fingerprints.
type Featurizer struct {
	Name         string    // tells graph stores apart; goes up with what Parse makes of a SMILES
	Features     bool      // atoms have features, as those of FS-Mol's task files
	Fingerprints bool      // molecules have fingerprints
	Descriptors  bool      // molecules have descriptors; see Described
	Embedder     *Embedder // makes vectors that molecules have; nil: they have none; see Embedded
	// Parse does with SMILES what ParseSMILES does; nil in the zero form.
	Parse func(ctx context.Context, smiles []string, threads int) (m Molecules, index []int32, errs []error)
}

// GraphsAndFingerprints is the zero form with fingerprints.
func GraphsAndFingerprints() Featurizer {
	return Featurizer{Name: "fingerprints 1", Fingerprints: true, Parse: parser{counts: true}.parse}
}

// FingerprintsOnly is molecules without atoms.
func FingerprintsOnly() Featurizer {
	return Featurizer{Name: "fingerprints alone 1", Fingerprints: true, Parse: parser{counts: true, bare: true}.parse}
}

// ParseSMILES makes molecules of the form.
func (f Featurizer) ParseSMILES(ctx context.Context, smiles []string, threads int) (Molecules, []int32, []error) {
	if f.Parse == nil {
		return ParseSMILES(ctx, smiles, threads)
	}
	return f.Parse(ctx, smiles, threads)
}
