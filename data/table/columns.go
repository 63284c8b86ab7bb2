package table

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"pacia/data/label"
	"pacia/internal/each"
)

// A choice is the column of the molecules, with the evidence for it.
type choice struct {
	column int
	named  bool     // it has a name of a column of SMILES
	held   bool     // its cells are molecules
	also   []string // names of other columns whose cells are molecules
	equal  []string // names of equally likely columns; column is −1 then
}

// moleculesColumn chooses the column of the molecules, given a header and the rows below. If cells of several
// columns are molecules, names decide: "smiles" first, then names with this word (isomeric before
// canonical ones, because they keep stereochemistry), then names such as Structure. If only
// one column has molecules, it is chosen under any name. If no column has any, a name with the word smiles
// decides.
func moleculesColumn(header []string, rows [][]string, m molecules) choice {
	c := choice{column: -1}
	var holding []int
	for i := range header {
		if m.held(rows, i) {
			holding = append(holding, i)
		}
	}
	for _, try := range []struct {
		among []int
		rank  func(string) int
		least int
	}{{likelier(header, rows, holding), likeSMILES, 1}, {likelier(header, rows, holding), likeStructure, 0}, {all(header), likeSMILES, 1}} {
		best, at := highest(header, try.among, try.rank)
		if best < try.least {
			continue
		}
		if len(at) > 1 && !equalColumns(rows, at) {
			for _, i := range at {
				c.equal = append(c.equal, header[i])
			}
			return c
		}
		c.column, c.named, c.held = at[0], likeSMILES(header[at[0]]) > 0, slices.Contains(holding, at[0])
		for _, i := range holding {
			if i != c.column {
				c.also = append(c.also, header[i])
			}
		}
		return c
	}
	return c
}

// likelier returns the columns that may have the molecules themselves: those named after a part, such as a scaffold, are
// left out, and those with one molecule in all rows, a reference, unless no other column is there.
func likelier(header []string, rows [][]string, holding []int) []int {
	for _, is := range []func(i int) bool{
		func(i int) bool { return ofPart(header[i]) },
		func(i int) bool { return len(rows) > 2 && constant(rows, i) },
	} {
		if kept := each.If(holding, func(i int) bool { return !is(i) }); len(kept) > 0 {
			holding = kept
		}
	}
	return holding
}

// ofPart reports whether a name is that of a column of parts of molecules, or of other molecules than those of the rows.
func ofPart(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	if slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"free", "without", "no", "stripped", "desalted", "removed"}, w)
	}) {
		return false // salt-free
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"scaffold", "scaffolds", "core", "cores", "murcko", "framework", "fragment", "fragments", "substituent", "rgroup", "linker",
			"reference", "ref", "query", "template", "salt", "counterion", "solvent", "reagent", "reactant", "nearest"}, w)
	})
}

// constant reports whether all cells of a column are the same.
func constant(rows [][]string, column int) bool {
	first := ""
	for _, row := range rows {
		if column >= len(row) || strings.TrimSpace(row[column]) == "" {
			continue
		}
		if cell := strings.TrimSpace(row[column]); first == "" {
			first = cell
		} else if cell != first {
			return false
		}
	}
	return true
}

func all(header []string) []int {
	return each.Order[int](len(header))
}

func highest(header []string, among []int, rank func(string) int) (best int, at []int) {
	best = -1
	for _, i := range among {
		switch r := rank(header[i]); {
		case r > best:
			best, at = r, []int{i}
		case r == best:
			at = append(at, i)
		}
	}
	return best, at
}

// equalColumns reports whether columns have the same cells.
func equalColumns(rows [][]string, columns []int) bool {
	for _, row := range rows {
		for _, i := range columns[1:] {
			if i < len(row) && columns[0] < len(row) && strings.TrimSpace(row[i]) != strings.TrimSpace(row[columns[0]]) {
				return false
			}
		}
	}
	return true
}

// likeSMILES ranks the names of columns of SMILES; 0: not such a name.
func likeSMILES(name string) int {
	if strings.ContainsAny(name, ",;\t|") {
		return 0 // several cells, with another separator
	}
	words := strings.FieldsFunc(strings.ToLower(label.Plain(name)), func(r rune) bool { return !unicode.IsLetter(r) })
	isSMILES := func(w string) bool { return strings.HasSuffix(w, "smiles") || w == "smile" || w == "smi" }
	switch joined := strings.Join(words, ""); {
	case joined == "smiles" || joined == "smi":
		return 6
	case joined == "smile":
		return 5
	case !slices.ContainsFunc(words, isSMILES) || len(words) > 4:
		return 0
	case strings.Contains(joined, "iso"), joined == "cxsmiles":
		return 4
	case strings.Contains(joined, "can"):
		return 3
	}
	return 2
}

// likeStructure ranks other names of columns of molecules; 0: not such a name.
func likeStructure(name string) int {
	switch lettersOf(name) {
	case "structure", "mol", "molecule", "moleculestructure", "chemicalstructure", "compoundstructure", "structuresmi":
		return 2
	case "compound", "ligand", "drug", "chemical", "romol":
		return 1
	}
	return 0
}

// Column returns the number of the column with a name, or −1. If no name is exactly
// equal, case is ignored, and then the kind of letters (full-width or not).
func Column(header []string, name string) int {
	if i := slices.Index(header, name); i >= 0 {
		return i
	}
	name = OneLine(name)
	if i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(OneLine(h), name) }); i >= 0 {
		return i
	}
	name = label.Plain(name)
	return slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(OneLine(label.Plain(h)), name) })
}

// OneLine returns a name without surrounding space, and with spaces for line ends, which spreadsheets allow
// in a cell.
func OneLine(name string) string {
	if name = strings.TrimSpace(name); strings.ContainsAny(name, "\r\n") {
		name = strings.Join(strings.Fields(name), " ")
	}
	return name
}

// usual are the usual names of columns of compound names, reduced to their letters, in order of
// preference: names before numbers.
var usual = []string{
	"name", "compoundname", "moleculename", "preferredname", "prefname", "drugname", "commonname", "title", "compound", "molecule",
	"id", "compoundid", "molid", "moleculeid", "catalogid", "catalognumber", "catalogno", "catno", "cas", "casno", "casnumber", "idnumber", "zincid",
	"moleculechemblid", "chemblid", "pubchemcid", "cid", "cpd", "cpdid", "cmpd", "cmpdid", "vendorid", "supplierid", "sampleid",
	"batchid", "code", "compoundcode",
}

// namesColumn returns the number of the column with the compounds' names, or −1.
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

// NameLike reports whether a column has a usual name of a column of compound names.
func NameLike(name string) bool { return slices.Contains(usual, lettersOf(name)) }

// nameless matches the names of columns without a name: those that a workbook's columns get, and those of pandas.
var nameless = regexp.MustCompile(`^(?:column [A-Z]{1,3}|Unnamed: \d+|index|)$`)

// Nameless reports whether a column has no name of its own, as that of the row numbers that pandas writes.
func Nameless(name string) bool { return nameless.MatchString(name) }

func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, label.Plain(name))
}
