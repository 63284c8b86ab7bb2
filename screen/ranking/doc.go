// Package ranking reads tables of molecules and writes ranked tables.
//
//  1. Table reads one or more files of molecules row by row, as one table.
//  2. Support holds a table of labelled molecules, which is read at once.
//  3. Stream reads a library in chunks, lets workers score them in parallel, and
//     passes the results on in the order of the rows.
//  4. Spill stores the scored rows in a temporary file, in sorted runs, and merges
//     them at the end (merge.go). Memory holds one run, for any number of rows.
//  5. Invalid stores the molecules that could not be read, with the reasons.
//  6. A Survey finds the rows of a library and cuts it into parts (survey.go).
//     A Table can read a single part. The Spill and the Invalid of a part can be kept in files,
//     and added to those of the whole library (kept.go).
//
// Workers of Stream prepare the rows: they convert the molblocks of SD files to SMILES, and
// standardise molecules. The caller parses and scores them.
package ranking
