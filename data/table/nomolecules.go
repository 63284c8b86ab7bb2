package table

import (
	"regexp"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// A cellForm is a form of molecules in cells.
type cellForm struct {
	cell      *regexp.Regexp
	what, fix string
}

// unread are the forms that cannot be read.
var unread = []cellForm{
	{regexp.MustCompile(`^\s*"?InChI=`), "InChI, which is not read", "export SMILES instead, or convert it, for example by obabel in.txt -iinchi -ocan"},
	{regexp.MustCompile(`^[A-Z]{14}-[A-Z]{10}-[A-Z]$`), "InChIKeys, from which no molecule can be made", "export SMILES as well"},
	{regexp.MustCompile(`M  END`), "molblocks, which are not read in a table", "export an SD file"},
	{regexp.MustCompile(`^(?:https?://|<img|data:image)`), "pictures or links in place of molecules", "export SMILES as well"},
}

// noMolecules returns the error if no column contains molecules.
func (r *Reader) noMolecules(l *layout, o Options) error {
	f := &badinput.Error{File: r.Name, Row: max(1, r.HeaderLine), What: "no column holds SMILES among " + badinput.List(r.Header), Fix: "name it with --smiles, or the row of the header with --header"}
	if l.header < 0 {
		f.What, f.Fix = "no column holds SMILES", "name the row of the header with --header, or leave it out"
	}
	if o.Delimiter != "" {
		f.Fix += "; --delimiter is for all files, and --delimiter FILE=" + o.Delimiter + " for one"
	}
	if o.named() && l.header >= 0 {
		f.What = "no column " + badinput.Quote(o.SMILES) + " among " + badinput.List(r.Header)
		f.Fix = "write --smiles with the name of the molecules' column"
		if near := badinput.Nearest(o.SMILES, r.Header); near != "" {
			f.Fix = "the nearest is " + badinput.Quote(near) + ": " + f.Fix
		}
		return f
	}
	if column := r.idcodeColumn(); column != "" {
		f.What = "column " + badinput.Quote(column) + " holds idcodes of DataWarrior, which are not read, and no column holds SMILES"
		f.Fix = "in DataWarrior, choose File > Save Special > SD-File, or Textfile with a column of SMILES (Chemistry > From Chemical Structure)"
		return f
	}
	for column := range l.widest() {
		for _, row := range l.rows {
			for _, form := range unread {
				if column < len(row) && form.cell.MatchString(row[column]) {
					f.What, f.Fix = r.holder(l, column)+" "+form.what, form.fix
					return f
				}
			}
		}
	}
	return f
}

// holder returns text such as `column "InChI" holds`, or "the lines hold" without a header.
func (r *Reader) holder(l *layout, column int) string {
	if l.header < 0 || column >= len(r.Header) || slices.ContainsFunc(unread, func(form cellForm) bool { return form.cell.MatchString(r.Header[column]) }) {
		return "the lines hold"
	}
	return "column " + badinput.Quote(r.Header[column]) + " holds"
}

// idcodeColumn returns the name of a column of DataWarrior's idcodes; empty if none is known.
func (r *Reader) idcodeColumn() string {
	for _, name := range r.Header {
		if slices.Contains(r.idcodes, name) || strings.Contains(strings.ToLower(name), "idcode") {
			return name
		}
	}
	return ""
}
