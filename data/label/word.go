package label

import "strings"

// A Verdict is the content of a cell: a label of its molecule, or the reason why there is no label.
type Verdict uint8

// The verdicts. The first two are the labels that models take.
const (
	Inactive  Verdict = iota
	Active            // the molecule is active
	Missing           // the molecule was not measured
	Undecided         // the molecule was measured, but the value may lie on either side of the threshold
	Unread            // the cell is neither a label nor a measurement
	Other             // the value is of another type, or of a unit that cannot be compared
)

// words are the known words, from people, spreadsheets in several languages, and databases. Case
// does not matter. Signs and single letters are in pairs.
var words = map[string]Verdict{
	"1": Active, "0": Inactive, "1.0": Active, "0.0": Inactive, "1,0": Active, "0,0": Inactive,
	"yes": Active, "no": Inactive, "true": Active, "false": Inactive,
	"active": Active, "inactive": Inactive, "not active": Inactive, "non-active": Inactive, "nonactive": Inactive,
	"positive": Active, "negative": Inactive, "pos": Active, "neg": Inactive,
	"no activity": Inactive, "no inhibition": Inactive, "no effect": Inactive, "no binding": Inactive, "probe": Active, // the last is PubChem's
	"hit": Active, "no hit": Inactive, "non-hit": Inactive, "not a hit": Inactive,
	// Excel writes its truth values in the language of its user.
	"wahr": Active, "falsch": Inactive, "vrai": Active, "faux": Inactive, "vero": Active, "falso": Inactive,
	"verdadero": Active, "waar": Active, "onwaar": Inactive, "ja": Active, "nein": Inactive, "oui": Active, "non": Inactive,
	"aktiv": Active, "inaktiv": Inactive, "actif": Active, "inactif": Inactive,
	// Words for values that are missing.
	"": Missing, "na": Missing, "n/a": Missing, "n.a.": Missing, "#n/a": Missing, "nan": Missing, "null": Missing, "none": Missing,
	"nd": Missing, "n.d.": Missing, "n.d": Missing, "n/d": Missing, "nt": Missing, "n.t.": Missing, "n.t": Missing, "n/t": Missing, "nm": Missing, "n.m.": Missing,
	"nd.": Missing, "nt.": Missing, "not done": Missing, "not run": Missing, "not reported": Missing, "nr": Missing, "n.r.": Missing, "no value": Missing,
	"not tested": Missing, "not determined": Missing, "not measured": Missing, "not available": Missing, "not applicable": Missing,
	"untested": Missing, "no data": Missing, "missing": Missing, "unknown": Missing, "pending": Missing, "tbd": Missing,
	"?": Missing, "--": Missing, "---": Missing, ".": Missing, "—": Missing, "(blank)": Missing,
	"inconclusive": Undecided, "unspecified": Undecided, "ambiguous": Undecided, "equivocal": Undecided, "indeterminate": Undecided,
	"borderline": Undecided, "uncertain": Undecided, "undetermined": Undecided, "+/-": Undecided, "±": Undecided, "(+/-)": Undecided, "+-": Undecided,
}

// A pair is two signs or letters that are labels only if a column contains both. A dash in a column of 1
// and 0 is not a label.
type pair struct{ active, inactive string }

// pairs have the plain form of each sign.
var pairs = []pair{{"+", "-"}, {"(+)", "(-)"}, {"y", "n"}, {"t", "f"}, {"p", "n"}, {"a", "i"}}

// plainSign replaces all dashes by a hyphen.
func plainSign(cell string) string {
	switch cell {
	case "−", "–":
		return "-"
	case "(−)", "(–)":
		return "(-)"
	}
	return cell
}

// paired reads a sign or a letter as it is read beside its opposite.
func paired(cell string) (as Verdict, ok bool) {
	if len(cell) > len("(−)") {
		return 0, false
	}
	cell = plainSign(strings.ToLower(cell))
	for _, p := range pairs {
		switch cell {
		case p.active:
			return Active, true
		case p.inactive:
			return Inactive, true
		}
	}
	return 0, false
}

// opposed reports whether the opposite of a sign or letter is among those of a column.
func opposed(cell string, seen map[string]bool) bool {
	cell = plainSign(strings.ToLower(cell))
	for _, p := range pairs {
		if cell == p.active && seen[p.inactive] || cell == p.inactive && seen[p.active] {
			return true
		}
	}
	return false
}

// known are the words that messages list.
const known = "1 or 0, yes or no, true or false, active or inactive, + or -"

// Word reads a cell that contains a known word, 1 or 0; false for any other cell.
// Signs and letters are read as they are beside their opposites.
func Word(cell string) (Verdict, bool) {
	if v, ok := word(cell); ok {
		return v, true
	}
	return paired(strings.TrimSpace(cell))
}

// word is like Word, but does not accept signs and letters.
func word(cell string) (Verdict, bool) {
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
	switch v, form := parseNumber(cell, false); {
	case form == notNumber:
	case v == 0:
		return Inactive, true
	case v == 1 && form != EitherComma && form != EitherPoint: // 1.00 and 1e0; 1.000 may be a thousand
		return Active, true
	}
	return 0, false
}
