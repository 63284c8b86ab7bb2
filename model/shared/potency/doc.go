// Package potency lets a Gaussian process learn measured values in place of labels.
//
// Legend: N support molecules; v [N] their values, on a scale on which actives are larger; K
// their kernel; σ² the noise.
//
//  1. A value becomes u = atan((v − c) / w): c lies between the two classes, and w is half of the
//     standard deviation of v. Values near the threshold are told apart. One far from it counts
//     little more than another one far from it, so that no outlier decides.
//  2. The process learns u less its mean. A bound such as > 10 µM is learnt as the value 10 µM: on a
//     scale that saturates, what lies beyond it hardly differs. With 40 % of a support set
//     hidden below a bound, this ranked better than a truncated likelihood by expectation
//     propagation (docs/lab/potency.md).
//  3. A predicted value is linear in the score of the process: the mean of v, and the ratio of
//     the standard deviations of v and u. So the order of the scores is that of the values.
//  4. Its interval is as wide as four of five errors on support molecules left out, in units of
//     the standard deviation that the process states. These errors need no second process:
//     what is left out is missed by α_i / [(K + σ² I)⁻¹]_ii (Rasmussen and Williams: Gaussian
//     Processes for Machine Learning, 2006, Eq. 5.12).
//  5. Beyond the largest upper bound among the support molecules, or the smallest lower one,
//     the assay measures nothing, and the interval is open.
package potency
