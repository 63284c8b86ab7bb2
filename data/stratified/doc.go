// Package stratified splits labelled molecules at random into two parts that
// hold the classes in the proportions of the whole, with the very indices that
// scikit-learn's StratifiedShuffleSplit(n_splits=1) gives for the same seed.
//
//  1. [Split] shares the two sizes out among the classes: proportions rounded
//     down, then one more for the largest remainders, ties broken at random.
//  2. It permutes each class and cuts the two parts off it.
//  3. It permutes each part as a whole.
//
// All draws come from one generator, numpy's RandomState (the Mersenne Twister
// MT19937), in scikit-learn's order.
package stratified
