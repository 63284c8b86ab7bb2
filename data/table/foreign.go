package table

import (
	"bytes"

	"pacia/internal/badinput"
)

// others are formats that cannot be read, with their first bytes.
var others = []struct{ start, what, fix string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or a protected Excel workbook", "save it as .xlsx without a password, or as CSV"},
	{"%PDF", "a PDF", "export the table as CSV"},
	{"PAR1", "a Parquet file", "export it as CSV"},
	{"SQLite format", "an SQLite database", "export the table as CSV"},
	{"BZh", "packed by bzip2", "unpack it, or pack it by gzip"},
	{"\xfd7zXZ", "packed by xz", "unpack it, or pack it by gzip"},
	{"\x28\xb5\x2f\xfd", "packed by Zstandard", "unpack it, or pack it by gzip"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"},
	{"\x89PNG", "a picture", "give a table of molecules"},
	{"{\\rtf", "an RTF document", "save it as plain text"},
	{"<!DOCTYPE", "an HTML page", "fetch the file itself"},
	{"<html", "an HTML page", "fetch the file itself"},
	{"<table", "an HTML table", "save it as .xlsx or CSV"},
	{"<?xml", "an XML file", "save it as .xlsx, CSV or an SD file"},
	{"@<TRIPOS>", "a mol2 file", "convert it to an SD file, for example with Open Babel"},
	{"$RDFILE", "an RD file", "export an SD file"},
	{"$RXN", "a reaction", "give a table of molecules"},
	{"[{\"", "a JSON file", "export it as CSV"},
	{"{\"", "a JSON file", "export it as CSV"},
}

// binary returns an error if a file is not text.
func binary(name string, start []byte) error {
	for _, o := range others {
		if len(start) >= len(o.start) && bytes.EqualFold(start[:len(o.start)], []byte(o.start)) {
			return &badinput.Error{File: name, What: "is " + o.what, Fix: o.fix}
		}
	}
	if wide(start) == "" && bytes.IndexByte(start, 0) >= 0 {
		return &badinput.Error{File: name, What: "is neither a text nor a workbook", Fix: "give a CSV, TSV, SMILES, SD or .xlsx file"}
	}
	return nil
}

func errEmpty(name string) error {
	return &badinput.Error{File: name, What: "the file is empty", Fix: "write a header and one molecule a row"}
}
