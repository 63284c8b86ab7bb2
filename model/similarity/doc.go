// Package similarity is a similarity search, as chemists do by hand: a molecule is
// likely active if it resembles a known active more than any known inactive
// (docs/methods.md).
//
//  1. The logit of a class is the largest Tanimoto coefficient of the counts of a
//     molecule's fingerprint with those of the class's support molecules
//     ([pacia/model/shared/counts]).
//  2. So P(active) = 1/(1 + exp(s₀ − s₁)), which ranks by s₁ − s₀, and is at least ½
//     if the nearest support molecule is active. It is between 0.27 and 0.73, and is
//     not a calibrated probability.
//  3. For measured values, molecules are ranked by the mean value of the five nearest
//     molecules, weighted by similarity.
package similarity
