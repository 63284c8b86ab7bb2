// Package assay reads tables of labelled molecules. All commands that read such tables (predict,
// serve, train, eval, pretrain, sweep and data) use it, and so follow the same rules.
//
//  1. Package table reads the file row by row, and finds the column of molecules.
//  2. Read keeps the molecules, and the cells of other columns that are not empty (assay.go,
//     cells.go). Rows without a molecule, such as units below a header and footnotes, are
//     skipped and noted.
//  3. The columns of labels are the named ones, the likeliest one, or all that contain
//     labels (choose.go). Package label reads each of them as a whole.
//  4. An Assay has the molecules as in the file, the tasks, and a note for every
//     assumption. Callers standardise molecules and merge repeats.
package assay
