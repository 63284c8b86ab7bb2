// Package classifiers has linear classifiers, one for each training task, on the molecules'
// vectors of a shared encoder. They are for methods that learn from all labels of the
// training tasks at once.
package classifiers
