// Package table reads files of molecules in many formats as a stream of rows with named
// columns.
//
//  1. New examines the first bytes. A gzip file is unpacked, a workbook (.xlsx)
//     and an SD file are recognised by their content, and anything else is text.
//  2. The encoding of a text follows from its bytes: UTF-8, UTF-16, or Windows-1252,
//     which includes Latin-1.
//  3. The separator of its cells and the row of its header follow from its first 30
//     rows. Separators are commas, semicolons, tabs, bars, or white space after each
//     SMILES. If the first rows are molecules, the file has no header.
//  4. Read returns one row after the other. Memory holds one row, and the packed
//     file of a workbook. Rows of an SD file have a molblock in place of a SMILES.
//     [Row.Resolve] converts it; this takes time, and may run concurrently with Read.
//
// [Reader.Understood] returns what was inferred from the file, and [Options] override it. The
// name of a file does not matter, so that a pipe is read like a file.
package table
