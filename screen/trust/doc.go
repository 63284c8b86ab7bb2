// Package trust estimates how far a ranking can be trusted before anybody acts on it
// (docs/trust.md).
//
//  1. leave.go leaves out molecules of the support set and scores them with the model adapted to the
//     others. similar.go does the same with a similarity search.
//  2. paired.go computes the difference of their ROC-AUC and its standard error.
//  3. library.go measures the similarity of the ranked molecules to the support set, and counts
//     molecules that the model has learnt from.
//  4. verdict.go derives one of three verdicts from these.
//  5. panel.go combines them and formats them as lines.
//
// The rule for the verdict was chosen on FS-Mol's validation assays: see [Verdict].
package trust
