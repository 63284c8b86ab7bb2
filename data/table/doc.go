// Package table reads the files in which people keep molecules as one stream of rows
// with named columns.
//
//  1. New looks at the first bytes: a gzip file is unpacked, a workbook (.xlsx)
//     and an SD file are known by their content, all else is text.
//  2. A text's encoding is found in its bytes: UTF-8, UTF-16, or Windows-1252
//     (Latin-1 is a part of it).
//  3. What separates its cells, and which row is the header, is found in its first
//     64 KiB: commas, semicolons, tabs, bars, or white space after each SMILES. A
//     file without a header is known by its first rows, which are molecules.
//  4. Read gives row after row; memory holds one, and of a workbook the packed
//     file. Rows of an SD file carry a molblock in place of a SMILES, which
//     [Row.Resolve] turns into one: it takes time, and may run beside the reading.
//
// What was understood, [Reader.Understood] says in words; [Options] override it. The
// name of a file plays no part, so that a pipe is read as a file is.
package table
