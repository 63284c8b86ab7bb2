// Package style holds what CONTRIBUTING asks of the sources, as tests.
//
//  1. equations_test.go: the numbers of equations are the paper's.
package style
