// Package input opens what a user named: the one way by which files of others come
// into the program.
//
//  1. Open refuses what cannot be meant (folders, disks, /dev/zero) and what is larger
//     than the reader can take, and names the file in every error.
//  2. A File is read until its context ends, even where nobody writes into a pipe.
//  3. Plain unpacks what is gzipped, as long as what comes out is in proportion to
//     what went in (plain.go).
//  4. ReadAll is all of this for small files.
//
// Nothing is believed of a file: it may be endless, sparse, or packed by someone who
// wishes the program ill.
package input
