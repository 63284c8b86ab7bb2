// Package fetch brings public data sets from where they are published.
//
//  1. [Sets] lists what can be fetched, with the checksums that are known.
//  2. [Set.Fetch] gets the files over HTTP into the folder "source" below that
//     of the set. An interrupted transfer continues where it stopped,
//     in the same call or in a later one. A file that is already there is taken as it
//     is, so that one can be brought by hand to a machine without a network.
//  3. It then lays the set out as the program reads it: tables with the molecules
//     first and without identifiers, task files in train/, valid/ and test/.
package fetch
