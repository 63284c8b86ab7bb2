// Package style tests the rules of CONTRIBUTING.md for sources and documents.
//
//  1. equations_test.go: the numbers of equations are those of the paper.
//  2. arrows_test.go: packages import in one direction.
//  3. links_test.go: documents link to existing files and headings.
//  4. pages_test.go: pages are short, and measurements are dated.
//  5. exported_test.go and passing_test.go: exported functions are used, and packages do more
//     than call others.
//  6. limits_test.go and lines_test.go: files, functions and lines are short, and the English is plain.
//  7. constants_test.go: the guide lists the constants of shared headers.
package style
