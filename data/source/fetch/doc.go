// Package fetch downloads public data sets from their publishers.
//
//  1. [Sets] lists the data sets, with known checksums of their files.
//  2. [Set.Fetch] gets the files over HTTP into the folder "source" in the folder
//     of the set. An interrupted transfer continues where it stopped, in the same
//     call or in a later one. An existing file is used as it is, so that files can be
//     copied by hand to a machine without a network.
//  3. It then converts the set to the layout that the program reads: tables with the
//     molecules in the first column and without identifiers, and task files in train/,
//     valid/ and test/.
package fetch
