// Package similarity is a search by similarity, what a chemist does by hand: a
// molecule is likely active that resembles a known active more than any known
// inactive (docs/methods.md).
//
//  1. The logit of a class is the largest Tanimoto coefficient of the counts of a
//     molecule's fingerprint with those of the class's support molecules
//     ([pacia/model/shared/counts]).
//  2. So P(active) = 1/(1 + exp(s₀ − s₁)), which ranks by s₁ − s₀, and is at least ½
//     where the nearest support molecule is active. It lies between 0.27 and 0.73:
//     an order, and no calibrated probability.
//  3. Of measured values it is the mean of the five nearest molecules, each as often as it is
//     similar, which ranks.
package similarity
