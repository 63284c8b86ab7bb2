package assay

import (
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/ui"
)

// Words in names of columns that do not hold the results of an assay. joined are whole names without spaces and signs.
var (
	joined = []string{
		"weight", "mass", "mw", "molwt", "molweight", "molecularweight", "molecularmass", "fw", "formulaweight", "exactmass", "monoisotopicmass",
		"logp", "clogp", "alogp", "xlogp", "slogp", "mlogp", "wlogp", "psa", "tpsa", "hba", "hbd", "hbondacceptors", "hbonddonors", "acceptors", "donors",
		"rotb", "rtb", "rotatablebonds", "heavyatoms", "heavyatomcount", "rings", "aromaticrings", "ringcount", "charge", "formalcharge",
		"complexity", "similarity", "row", "index", "rank", "order", "cluster", "count", "number", "no", "sid", "cid", "aid", "tid", "baid",
		"pubchemresulttag", "pubchemsid", "geneid", "pmid", "taxonomyid", "sourceid", "documentid",
	}
	properties = []string{
		"qed", "fsp3", "sascore", "ro5", "lipinski", "violations", "rotatable", "tanimoto", "alogp", "clogp", "xlogp", "xlogp3", "mw", "tpsa",
		"price", "stock", "purity", "amount", "quantity", "barcode", "plate", "well", "batch", "cas", "year", "date", "phase", "efficiency",
		"lle", "lipe", "bei", "sei", "doi", "patent", "version", "predicted", "prediction", "confidence",
	}
	flags = []string{"duplicate", "pains", "stock", "available", "violation", "violations", "ro5", "lipinski", "alert", "alerts", "valid", "train",
		"hasdrc", "rnai", "protacxn", "id"}
	// conditionWords are, beside units, the words in names of conditions.
	conditionWords = []string{"test", "tested", "assay", "screening", "final", "top", "highest", "lowest", "min", "max", "range", "of", "in", "point",
		"period", "treatment", "exposure", "compound", "drug", "value"}
)

// valueColumns returns the columns that hold labels or measurements of assays. It notes the numbers that are none.
func (r *reading) valueColumns(h *label.Header) (columns []int, err error) {
	var others []string
	for at, name := range r.rows.Header {
		cells := r.column(at)
		if at == r.rows.SMILES || at == r.rows.Names || len(cells) == 0 || r.blankOrNumbers(at) || r.rows.Form == table.SDFile && name == "name" {
			continue
		}
		words, labels, values := countCells(cells)
		isLabels := words == len(cells) && labels > 0
		switch {
		case h.Role(at) && !isLabels, table.NameLike(name) && !isLabels, name == "", !isLabels && 3*(values+words) < 2*len(cells),
			!isLabels && values == 0:
			continue // signs, names, remarks
		case !isLabels && r.beside(at, cells), isLabels && flagged(name):
			others = append(others, name)
			continue
		}
		if err := r.twice(at, name); err != nil {
			return nil, err
		}
		columns = append(columns, at)
	}
	if len(others) > 0 {
		r.Notes = append(r.Notes, note.Note{Text: ui.Count(len(others), "column") + " of no assay: " + FirstNames(others)})
	}
	return columns, nil
}

// beside reports whether numbers are something else than measurements of an assay: properties of molecules, errors and numbers
// of repeats, conditions such as a dose, and numbers that identify something.
func (r *reading) beside(at int, cells []label.Cell) bool {
	name := r.rows.Header[at]
	words := strings.FieldsFunc(strings.ToLower(name), apart)
	letters := strings.Join(words, "")
	if slices.Contains(joined, letters) || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(properties, w) }) || label.OfErrors(name) {
		return true
	}
	if r.condition(name) || !label.NamesMeasure(name) && kindOf(name) == OfRuns {
		return true
	}
	return len(cells) >= 5 && !label.NamesMeasure(name) && numbering(cells)
}

// condition reports whether a name has only words for a dose or a time, and units.
func (r *reading) condition(name string) bool {
	if kind := kindOf(name); kind != OfConcentrations && kind != OfTimes || label.NamesEndpoint(name) {
		return false
	}
	words := nameWords(name)
	return !slices.ContainsFunc(words, func(w string) bool {
		kind := kindOf(w)
		return kind != OfConcentrations && kind != OfTimes && !slices.Contains(conditionWords, w) && !label.IsUnit(w) && len(w) > 2
	})
}

// flagged reports whether labels are of molecules or rows, and not of an assay, by the name.
func flagged(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), apart)
	return slices.Contains(joined, strings.Join(words, "")) || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(flags, w) })
}
