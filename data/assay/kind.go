package assay

import (
	"slices"
	"strings"
	"unicode"
)

// A Kind is what a column describes by its name.
type Kind string

// The kinds of columns that tell assays apart, those of repeated runs of an assay, and all others.
const (
	OfTargets        Kind = "targets"
	OfOrganisms      Kind = "organisms"
	OfCells          Kind = "cell lines"
	OfConcentrations Kind = "concentrations"
	OfTimes          Kind = "times"
	OfAssays         Kind = "assays"
	OfRuns           Kind = "runs"
	OfFiles          Kind = "files"
	OfOthers         Kind = "values"
)

// kinds have the words in names of columns of each kind, in the order in which they are tried.
var kinds = []struct {
	kind  Kind
	words []string
}{
	{OfCells, []string{"cell", "cells", "cellline", "celltype", "cellname"}},
	{OfOrganisms, []string{"organism", "species", "strain", "strains", "bacteria", "bacterium", "microorganism", "pathogen", "tissue",
		"matrix", "serum", "plasma"}},
	{OfConcentrations, []string{"conc", "concs", "concentration", "concentrations", "dose", "doses", "dosage", "dilution",
		"konzentration", "dosis"}},
	{OfTimes, []string{"time", "timepoint", "timepoints", "hours", "hrs", "minutes", "incubation", "duration", "preincubation"}},
	{OfRuns, []string{"date", "datum", "run", "runs", "plate", "batch", "lot", "experiment", "exp", "replicate", "replicates",
		"repeat", "rep", "occasion", "day", "week", "round",
		"operator", "lab", "site", "laboratory", "timestamp", "file", "document", "doi", "pmid", "reference", "year"}},
	{OfTargets, []string{"target", "targets", "protein", "gene", "receptor", "kinase", "enzyme", "isoform", "isozyme", "uniprot", "accession",
		"mutant", "mutation", "mutations", "variant", "genotype", "subtype",
		"channel", "transporter", "antigen"}},
	{OfAssays, []string{"assay", "assays", "protocol", "aid", "test", "readout", "format", "mode", "endpoint", "parameter",
		"measurement", "type", "method", "panel", "condition", "conditions"}},
}

// Apart reports whether rows of different values are of different assays. Runs of one assay are repeats.
func (k Kind) Apart() bool { return !k.repeated() && k != OfOthers && k != OfAssays }

// repeated reports whether rows of different values are repeats, unless their measurements differ.
func (k Kind) repeated() bool { return k == OfRuns || k == OfFiles }

// kindOf returns the kind of a column by its name.
func kindOf(name string) Kind {
	words := nameWords(name)
	for _, k := range kinds {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(k.words, w) }) {
			return k.kind
		}
	}
	return OfOthers
}

// nameWords splits a name into words in lower case. Names such as TargetName and UniProt count in one piece and split
// where letters change to upper case.
func nameWords(name string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	words := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	return append(words(b.String()), words(strings.ToLower(name))...)
}
