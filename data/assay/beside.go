package assay

import (
	"slices"
	"strings"

	"pacia/data/label"
)

// Words of names of columns of numbers that are no assay. joined are whole names without what is not a letter.
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
	// conditionWords are words of which the names of conditions consist, beside units.
	conditionWords = []string{"test", "tested", "assay", "screening", "final", "top", "highest", "lowest", "min", "max", "range", "of", "in", "point",
		"period", "treatment", "exposure", "compound", "drug", "value"}
)

// beside reports whether numbers are no measurements of an assay: properties of molecules, errors and numbers of repeats,
// conditions such as a dose, and numbers that identify something.
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
