// Package style holds what CONTRIBUTING asks of the sources, as tests.
//
//  1. equations_test.go: the numbers of equations are the paper's.
//  2. arrows_test.go: packages import in one direction.
//  3. links_test.go: documents link to what is there.
//  4. pages_test.go: pages are short, and measurements dated.
//  5. exported_test.go and passing_test.go: exported functions are used, and packages do something.
package style
