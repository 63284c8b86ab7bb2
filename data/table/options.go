package table

import (
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"pacia/internal/badinput"
)

// Options override what a file tells of itself. The zero value overrides nothing.
type Options struct {
	SMILES    string // name of the molecules' column; empty: "smiles", in upper or lower case, or a column with this word in its name
	Delimiter string // between cells of a text: comma, semicolon, tab, bar, space or the character
	Encoding  string // of a text: utf-8, utf-16le, latin-1, shift_jis, …
	Sheet     string // of a workbook; empty: the first with such a column
}

// delimiters by the names that users write and read.
var delimiters = []struct {
	name, plural string
	comma        rune
}{
	{"comma", "commas", ','}, {"semicolon", "semicolons", ';'}, {"tab", "tabs", '\t'}, {"bar", "bars", '|'}, {"space", "white space", ' '},
}

// plural names what separates cells.
func plural(comma rune) string {
	for _, d := range delimiters {
		if d.comma == comma {
			return d.plural
		}
	}
	return string(comma)
}

// Check reports an option that is not known.
func (o Options) Check() error {
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

// comma returns the character, 0 where it is to be told.
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
