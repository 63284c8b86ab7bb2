// Package fetch brings public data sets from where they are published.
//
//  1. [Sets] lists what can be fetched, with the checksums that are known.
//  2. [Set.Fetch] gets the files over HTTP into the folder "source" below that
//     of the set. A transfer that was cut goes on where it stopped, at once and
//     in a later call. A file that lies there already is taken as it is, so that
//     one can be brought to a machine without a network by hand.
//  3. It then lays the set out as the program reads it: tables with the molecules
//     first and without identifiers, task files in train/, valid/ and test/.
package fetch
