package table

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"pacia/internal/badinput"
)

// Options override what is inferred from a file. The zero value overrides nothing.
type Options struct {
	// SMILES may be empty or "smiles": the column is found by names and cells. Elsewhere: it is also found where no column has the name.
	SMILES    string `yaml:"smiles" page:"library" title:"Column of the molecules" empty:"found by its cells" doc:"'NAME' of the column with the molecules (default: found by names and cells)"`
	Elsewhere bool   `yaml:"-"`
	Header    int    `yaml:"header" title:"Row of the header (both)" empty:"found" range:"1 10000" word:"none -1" doc:"'ROW' of the header, from 1, or none (default: found in the file)"`
	Delimiter string `yaml:"delimiter" title:"Separator of cells (both)" empty:"as the file shows" choices:"comma semicolon tab bar space" doc:"the 'SEPARATOR' of cells: comma, semicolon, tab, bar or space (default: found in the file)"`
	Encoding  string `yaml:"encoding" title:"Encoding (both)" empty:"as the file shows" doc:"the text's 'ENCODING': utf-8, utf-16le, latin-1, … (default: found in the file)"`
	Sheet     string `yaml:"sheet" title:"Sheet (both)" empty:"the first with molecules" doc:"'NAME' of a workbook's sheet (default the first with molecules)"`

	Files []FileOptions `yaml:"-"` // for single files
}

// FileOptions are the options of one file. Those that are set take the place of the options of all files.
type FileOptions struct {
	File  string // its path, or without Exact the last part of it
	Exact bool
	Options
}

// ForFile returns the options of a file.
func (o Options) ForFile(file string) Options {
	for _, f := range o.Files {
		if f.Is(file) {
			o.Header, o.Delimiter = cmp.Or(f.Header, o.Header), cmp.Or(f.Delimiter, o.Delimiter)
			o.Encoding, o.Sheet = cmp.Or(f.Encoding, o.Encoding), cmp.Or(f.Sheet, o.Sheet)
		}
	}
	o.Files = nil
	return o
}

// Is reports whether the options are those of a file.
func (f FileOptions) Is(file string) bool {
	return f.File == file || !f.Exact && f.File == filepath.Base(file)
}

// lastHeader is the last row that --header may name.
const lastHeader = 10_000

// NoHeader is the value of Options.Header for a file without a header.
const NoHeader = -1

// named reports whether the user named a column of molecules.
func (o Options) named() bool {
	return o.SMILES != "" && !strings.EqualFold(strings.TrimSpace(o.SMILES), "smiles")
}

// delimiters have the names that options and messages use.
var delimiters = []struct {
	name, plural string
	comma        rune
}{
	{"comma", "commas", ','}, {"semicolon", "semicolons", ';'}, {"tab", "tabs", '\t'}, {"bar", "bars", '|'}, {"space", "white space", ' '},
}

func plural(comma rune) string {
	for _, d := range delimiters {
		if d.comma == comma {
			return d.plural
		}
	}
	return string(comma)
}

// Check returns an error for an option whose value is not known.
func (o Options) Check() error {
	for _, f := range o.Files {
		if err := f.Check(); err != nil {
			return err
		}
	}
	if o.Header < NoHeader || o.Header > lastHeader {
		return &badinput.Error{What: fmt.Sprintf("--header %d is not a row of a header", o.Header), Fix: fmt.Sprintf("write 1 to %d, or none", lastHeader)}
	}
	if _, ok := o.comma(); !ok {
		return &badinput.Error{What: "--delimiter " + o.Delimiter + " is not known", Fix: "write comma, semicolon, tab, bar or space"}
	}
	if o.Encoding != "" {
		if _, err := htmlindex.Get(o.Encoding); err != nil {
			return &badinput.Error{What: "--encoding " + o.Encoding + " is not known", Fix: "write utf-8, utf-16le, latin-1 or another name of the WHATWG's list"}
		}
	}
	return nil
}

// comma returns the delimiter, or 0 if it has to be inferred; false if the delimiter is not known.
func (o Options) comma() (rune, bool) {
	if o.Delimiter == "" {
		return 0, true
	}
	for _, d := range delimiters {
		if strings.EqualFold(o.Delimiter, d.name) || strings.EqualFold(o.Delimiter, d.plural) || o.Delimiter == string(d.comma) {
			return d.comma, true
		}
	}
	return 0, o.Delimiter == `\t`
}
