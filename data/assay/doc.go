// Package assay reads tables of labelled molecules. There is one reader, with one set of
// rules, for all that take such tables: predict, serve, train, eval, pretrain, sweep and data.
//
//  1. Package table reads the file row by row, and tells which column holds the molecules.
//  2. Open keeps the molecules and the cells of other columns that are not empty (assay.go,
//     cells.go). Rows without a molecule, such as units below a header and footnotes, are
//     passed over and noted.
//  3. The columns of labels are those that were named, the likeliest one, or all that hold
//     labels (choose.go). Package label reads them, each as a whole.
//  4. An Assay has the molecules as they are written, the tasks, and a note for every
//     assumption. What of it a model sees, and what becomes of repeats, is for its users.
package assay
