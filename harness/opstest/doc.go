// Package opstest is the bench of the tests of operations, wherever they are: a [Lab] makes the tensors of one
// calculation from a seed, and [Examples.Check] compares the forms of operations with each other and with differences.
package opstest
