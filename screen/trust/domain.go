package trust

// domainNear is the smallest Tanimoto coefficient with the nearest support molecule at which a
// molecule that the model has not learnt from is in its domain. On FS-Mol's validation
// assays the ranking of new molecules below it is not better than chance (docs/trust.md).
const domainNear = 0.35

// Inside reports whether a molecule is in the domain of the model: the model has learnt from it, or
// a support molecule is similar to it.
func (n Near) Inside() bool { return n.Known || max(n.ToActive, n.ToInactive) >= domainNear }
