package table

import (
	"bytes"
	"regexp"

	"pacia/internal/badinput"
)

// others are formats that cannot be read, with their first bytes after white space.
var others = []struct{ start, what, fix string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or a protected Excel workbook", "save it as .xlsx without a password, or as CSV"},
	{"%PDF", "a PDF", "export the table as CSV"},
	{"PAR1", "a Parquet file", "export it as CSV"},
	{"ARROW1", "an Arrow or Feather file", "export it as CSV"},
	{"\x89HDF", "an HDF5 file", "export the table as CSV"},
	{"\x93NUMPY", "a NumPy file", "export the table as CSV"},
	{"SQLite format", "an SQLite database", "export the table as CSV"},
	{"\xfd7zXZ", "packed by xz", "unpack it, or pack it by gzip"},
	{"\x28\xb5\x2f\xfd", "packed by Zstandard", "unpack it, or pack it by gzip"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"},
	{"Rar!", "a RAR archive", "unpack it"},
	{"\x89PNG", "a picture", "give a table of molecules"},
	{"\xff\xd8\xff", "a picture", "give a table of molecules"},
	{"VjCD0100", "a ChemDraw file", "export an SD file, or SMILES"},
	{"{\\rtf", "an RTF document", "save it as plain text"},
	{"<!DOCTYPE", "an HTML page", "fetch the file itself"},
	{"<html", "an HTML page", "fetch the file itself"},
	{"<table", "an HTML table", "save it as .xlsx or CSV"},
	{"<cml", "a CML file", "export an SD file"},
	{"<?xml", "an XML file", "save it as .xlsx, CSV or an SD file"},
	{"$RDFILE", "an RD file", "export an SD file"},
	{"$RXN", "a reaction", "give a table of molecules"},
	{"$SMI<", "a TDT file", "export SMILES or an SD file"},
	{"HEADER    ", "a PDB file", "give the molecules as SMILES or an SD file"},
}

// signs are formats that cannot be read, with text near their beginning.
var signs = []struct {
	text      *regexp.Regexp
	what, fix string
}{
	{regexp.MustCompile(`s_m_m2io_version|(?m)^\s*[fp]_m_ct \{`), "a Maestro file", "export an SD file or CSV, for example with Maestro's structconvert"},
	{regexp.MustCompile(`(?m)^@<TRIPOS>`), "a mol2 file", "convert it to an SD file, for example with Open Babel"},
	{regexp.MustCompile(`^\s*(?:\[\s*)?\{\s*"`), "a JSON file", "export it as CSV"},
	{regexp.MustCompile(`(?m)^(?:ATOM  |HETATM) *\d+ .*\d\.\d\d\d`), "a PDB file", "give the molecules as SMILES or an SD file"},
	{regexp.MustCompile(`(?m)^data_\S*\s(?s:.*)^(?:loop_|_\w+)`), "a CIF file", "give the molecules as SMILES or an SD file"},
}

// binary returns an error if a file is not text.
func binary(name string, start []byte) error {
	begin := bytes.TrimLeft(start, " \t\r\n")
	for _, o := range others {
		if len(begin) >= len(o.start) && bytes.EqualFold(begin[:len(o.start)], []byte(o.start)) {
			return &badinput.Error{File: name, What: "is " + o.what, Fix: o.fix}
		}
	}
	for _, s := range signs {
		if s.text.Match(start) {
			return &badinput.Error{File: name, What: "is " + s.what, Fix: s.fix}
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
