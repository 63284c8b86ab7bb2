// Package potency is for Gaussian processes that learn measured values in place of labels.
//
// Legend: N support molecules; v [N] their values, on a scale on which actives are larger; K
// their kernel; σ² the noise.
//
//  1. A value becomes u = atan((v − c) / w): c lies between the two classes, and w is half of the
//     standard deviation of v. Values near the threshold differ in u. Values far from it are
//     almost equal, so that outliers have little influence.
//  2. The process learns u minus its mean. A bound such as > 10 µM is learnt as the value 10 µM,
//     because u hardly differs beyond it. With 40 % of a support set hidden below a bound, this
//     ranked better than a truncated likelihood by expectation propagation (docs/lab/potency.md).
//  3. A predicted value is linear in the score of the process, with the mean of v and the ratio of
//     the standard deviations of v and u. So predicted values have the order of the scores.
//  4. Its interval covers four of five errors on support molecules left out, in units of the
//     standard deviation of the process. These errors need no second process: the error on a
//     molecule left out is α_i / [(K + σ² I)⁻¹]_ii (equation 5.12 of Rasmussen and
//     Williams: Gaussian Processes for Machine Learning, 2006).
//  5. Beyond the largest upper bound among the support molecules, or the smallest lower one,
//     the assay measures nothing, and the interval is open.
package potency
