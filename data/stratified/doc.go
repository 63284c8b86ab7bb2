// Package stratified splits labelled molecules at random into two parts with
// the class ratio of the whole. It returns the same indices as scikit-learn's
// StratifiedShuffleSplit(n_splits=1) with the same seed.
//
//  1. [Split] divides the two sizes among the classes: proportions rounded
//     down, then one more for the largest remainders, with ties broken at random.
//  2. It permutes each class and takes the two parts from its beginning.
//  3. It permutes each part as a whole.
//
// All draws come from one generator, numpy's RandomState (the Mersenne Twister
// MT19937), in scikit-learn's order.
package stratified
