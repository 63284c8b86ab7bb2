// Package ranking reads tables of molecules and writes one of them anew in
// the order of a model's scores.
//
//  1. Table reads files of molecules row by row, several as one.
//  2. Support reads a small one with labels at once.
//  3. Stream reads a large one in chunks, gives each to a free core, and
//     hands them out in the file's order.
//  4. Spill keeps the scored rows in a temporary file, in sorted runs, which it
//     merges in the end (merge.go): memory holds one run, however many rows
//     there are.
//  5. Invalid keeps what could not be read, with the reason.
//  6. A Survey finds the rows of a library and cuts it into parts (survey.go).
//     A Table reads one alone. What a Spill and an Invalid have of a part can be kept,
//     and taken by those that put the parts together (kept.go).
//
// What is to be parsed of a row, a worker of Stream finds out: the SMILES of an SD
// file's molblock, the largest fragment where that is asked for. Parsing and scoring
// are the caller's.
package ranking
