// Package split lists the tasks of a data set for training, validation and testing.
package split
