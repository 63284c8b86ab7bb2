// Package why states what the scores of molecules are made of, exactly, for models with scores that are sums
// over the support set ([pacia/model.Explainer]).
//
//  1. The log-odds of a molecule are shares of support molecules, and a rest that the support set has
//     no part in: what the model expects of the molecule in any assay (reasons.go).
//  2. Of a support molecule's share, a part is by bits of the molecule's fingerprint that the two have
//     in common. A bit counts surroundings of atoms. Its share goes to these surroundings in equal
//     parts, and the share of each to its atoms in equal parts (atoms.go). So the shares of atoms add
//     up to the part of fingerprints, and the rest is other kernels': learnt vectors, labels in
//     training assays, vectors of a pretrained encoder.
//  3. The common part of two molecules is the atoms of surroundings of a bond or more that both have.
//  4. Shares of atoms are drawn as colours (colours.go), and written as columns (columns.go).
package why
