// Package trust says how far a ranking can be trusted, before anybody acts on it
// (docs/trust.md).
//
//  1. leave.go: molecules of the support set are left out, and scored by what the others
//     say; similar.go: a search by similarity does the same with the same ones.
//  2. paired.go: how much better one of the two ranks, and how sure that is.
//  3. library.go: how like the support set the molecules to be ranked are, and how many
//     of them the model has learnt from.
//  4. verdict.go: one of three sentences that follows from these.
//  5. panel.go: all of it together, and its lines.
//
// The sentence's rule was chosen on FS-Mol's validation assays: see [Verdict].
package trust
