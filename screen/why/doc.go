// Package why explains the scores of models whose scores are sums over the support set
// ([pacia/model.Explainer]). The explanations are exact.
//
//  1. The log-odds of a molecule are the sum of shares of the support molecules and of a term that does not
//     depend on the support set: the model's expectation for any assay (reasons.go).
//  2. One part of a support molecule's share is due to common bits of the two fingerprints. A bit
//     counts environments of atoms. Its share is divided equally among these environments, and the
//     share of each environment equally among its atoms (atoms.go). Therefore the shares of atoms add
//     up to the part due to fingerprints. The rest is due to other kernels: learnt vectors, labels in
//     training assays, vectors of a pretrained encoder.
//  3. A molecule is shown beside the most similar inactive and active support molecule with the same core
//     (contrast.go). Their atoms are placed on each other (graph.go, align.go). What is not placed are changes:
//     groups in place of groups, whose shares add up to the difference of the log-odds (change.go). Both are
//     drawn in one orientation (orient.go).
//  4. The common part of two other molecules is the atoms of environments of at least one bond that both have.
//  5. Shares of atoms are drawn as colours (colours.go) and written as columns (columns.go).
package why
