package table

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// smilesColumn returns the number of the column called want, −1 where there is none.
// Upper and lower case are alike where no name is exactly the same. Where "smiles" is
// wanted, a column with this word in its name is taken, too: of isomeric and
// canonical ones that which keeps stereochemistry.
func smilesColumn(header []string, want string) int {
	if want == "" {
		want = "smiles"
	}
	if at := Column(header, want); at >= 0 || !strings.EqualFold(want, "smiles") {
		return at
	}
	best, at, several := 0, -1, false
	for i, name := range header {
		rank := likeSMILES(name)
		if rank > best {
			best, at, several = rank, i, false
		} else if rank == best && rank > 0 {
			several = true
		}
	}
	if several {
		return -1
	}
	return at
}

// likeSMILES ranks a column's name by how surely it is that of the molecules; 0: not at all.
func likeSMILES(name string) int {
	if strings.ContainsAny(name, ",;\t|") {
		return 0 // cells that something else separates
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	switch joined := strings.Join(words, ""); {
	case joined == "smiles" || joined == "smi":
		return 5
	case !slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "smiles") }) || len(words) > 4:
		return 0
	case strings.Contains(joined, "iso"), joined == "cxsmiles":
		return 4
	case strings.Contains(joined, "can"):
		return 3
	}
	return 2
}

// Column returns the number of a column, −1 where there is none: upper and lower
// case are alike where no name is exactly the same.
func Column(header []string, name string) int {
	if i := slices.Index(header, name); i >= 0 {
		return i
	}
	name = strings.TrimSpace(name)
	return slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
}

// Nearest returns the name that takes the fewest edits to become want; upper
// and lower case are the same. A name that holds want, as IC50 (nM) does IC50, is near.
func Nearest(want string, names []string) string {
	distance := func(name string) int {
		if strings.Contains(strings.ToLower(name), strings.ToLower(want)) {
			return 1
		}
		return levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(want))
	}
	return slices.MinFunc(names, func(a, b string) int { return distance(a) - distance(b) })
}

// usual are what columns of compounds' names are called, without what is not a letter:
// names before numbers.
var usual = []string{
	"name", "compoundname", "moleculename", "preferredname", "prefname", "drugname", "commonname", "title", "compound", "molecule",
	"id", "compoundid", "molid", "moleculeid", "catalogid", "catalognumber", "catalogno", "catno", "cas", "casno", "casnumber", "idnumber", "zincid",
	"moleculechemblid", "chemblid", "pubchemcid", "cid", "cpd", "cpdid", "vendorid", "supplierid", "sampleid", "batchid", "code", "compoundcode",
}

// namesColumn returns the number of the column with the compounds' names, −1 where
// there is none.
func namesColumn(header []string, smiles int) int {
	best, at := len(usual), -1
	for i, name := range header {
		if i == smiles {
			continue
		}
		if rank := slices.Index(usual, lettersOf(name)); rank >= 0 && rank < best {
			best, at = rank, i
		}
	}
	return at
}

// NameLike reports whether a column's name is one of those that compounds' names have.
func NameLike(name string) bool { return slices.Contains(usual, lettersOf(name)) }

func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
