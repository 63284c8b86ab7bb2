package label

import "strings"

// A Verdict is what a cell says of its molecule.
type Verdict uint8

// The verdicts. The first two are the labels that models take.
const (
	Inactive  Verdict = iota
	Active            // the molecule is active
	Missing           // the molecule was not measured
	Undecided         // it was, but the value may lie on either side of the threshold
)

// words are what people, spreadsheets in their languages and databases write. Case
// does not matter.
var words = map[string]Verdict{
	"1": Active, "0": Inactive, "1.0": Active, "0.0": Inactive, "1,0": Active, "0,0": Inactive,
	"yes": Active, "no": Inactive, "y": Active, "n": Inactive,
	"true": Active, "false": Inactive, "t": Active, "f": Inactive,
	"active": Active, "inactive": Inactive, "not active": Inactive, "non-active": Inactive,
	"+": Active, "-": Inactive, "−": Inactive, "–": Inactive, "(+)": Active, "(-)": Inactive,
	"positive": Active, "negative": Inactive, "pos": Active, "neg": Inactive,
	"hit": Active, "no hit": Inactive, "non-hit": Inactive,
	// Excel writes its truth values in the language of its user.
	"wahr": Active, "falsch": Inactive, "vrai": Active, "faux": Inactive, "vero": Active, "falso": Inactive,
	"verdadero": Active, "waar": Active, "onwaar": Inactive, "ja": Active, "nein": Inactive, "oui": Active, "non": Inactive,
	// What is no measurement.
	"": Missing, "na": Missing, "n/a": Missing, "n.a.": Missing, "#n/a": Missing, "nan": Missing, "null": Missing, "none": Missing,
	"nd": Missing, "n.d.": Missing, "nt": Missing, "n.t.": Missing, "not tested": Missing, "not determined": Missing, "?": Missing,
	"inconclusive": Undecided, "unspecified": Undecided, "ambiguous": Undecided, "equivocal": Undecided,
}

// Known are the words that messages name.
const Known = "1 or 0, yes or no, true or false, active or inactive, + or -"

// Word reads a cell that says in a word, or with 1 or 0, what the molecule is; false
// where it does not.
func Word(cell string) (Verdict, bool) {
	if len(cell) == 1 { // most cells
		switch cell[0] {
		case '1':
			return Active, true
		case '0':
			return Inactive, true
		}
	}
	cell = strings.TrimSpace(cell)
	if v, ok := words[cell]; ok {
		return v, true
	}
	if len(cell) > 20 {
		return 0, false
	}
	if v, ok := words[strings.ToLower(cell)]; ok {
		return v, true
	}
	return number(cell)
}

// number reads 1 and 0 in other forms than the usual, such as 1.00 or 0e0.
func number(cell string) (Verdict, bool) {
	switch v, err := parseFloat(cell, 0); {
	case err != nil:
	case v == 0:
		return Inactive, true
	case v == 1:
		return Active, true
	}
	return 0, false
}
