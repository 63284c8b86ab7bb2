package ranking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/note"
	"pacia/internal/badinput"
)

// ReadSupports reads labelled molecules from one file or several, such as those of each round. Each file is read in its
// own form. Rows are then numbered as if the files stood below each other, and a molecule may have rows in several.
func ReadSupports(ctx context.Context, paths []string, o Options, l label.Tasks) (*Support, error) {
	if len(paths) == 1 {
		return ReadSupport(ctx, paths[0], o, l)
	}
	all := &assay.Assay{}
	j := joined{Support: &Support{}, assay: all}
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return nil, &badinput.Error{File: path, What: "is given twice as --support", Fix: "leave it out once"}
		}
		tasks := l
		if i > 0 {
			tasks = l.With(j.Rule) // also with the median of the first file
		}
		a, err := assay.Open(ctx, path, o.Stdin, o.assay(tasks))
		if err != nil {
			return nil, err
		}
		part, err := unmerged(ctx, a, o)
		if err != nil {
			return nil, err
		}
		if i > 0 && (part.Rule == nil) != (j.Rule == nil) {
			return nil, &badinput.Error{File: path, Column: part.Column, What: "holds labels, and " + paths[0] +
				" measurements, or the other way round",
				Fix: "name columns of one kind with --label"}
		}
		j.add(part, a)
	}
	j.Notes = append([]note.Note{{Text: "rows are numbered through the files: " + strings.Join(j.fileRows, ", ")}}, j.Notes...)
	return j.finish(ctx, all, o, l)
}

// joined is a support set of several files.
type joined struct {
	*Support
	assay    *assay.Assay // its columns in the rows of all files
	lines    int          // of the files so far
	fileRows []string     // the rows of each file
}

// add appends the rows of a file.
func (j *joined) add(part *Support, a *assay.Assay) {
	if j.File == "" {
		j.File, j.Column, j.Rule, j.Header, j.Missed = part.File, part.Column, part.Rule, part.Header, part.Missed
	} else {
		j.File += " + " + part.File
		j.Missed = j.Missed && part.Missed
	}
	last := 0
	for _, line := range slices.Concat(a.Lines, a.LinesWithoutMolecule) {
		last = max(last, line)
	}
	j.fileRows = append(j.fileRows, fmt.Sprintf("%d to %d %sof %s", j.lines+1, j.lines+last,
		map[bool]string{true: "are "}[len(j.fileRows) == 0], part.File))
	if part.Column != j.Column {
		j.Notes = append(j.Notes, note.Note{Text: part.File + ": column " + badinput.Quote(part.Column), Switch: "--label", Warning: true})
	}
	for _, n := range part.Notes {
		n.Text, n.Rows = part.File+": "+n.Text, j.numbered(n.Rows)
		j.Notes = append(j.Notes, n)
	}
	j.LinesWithoutMolecule = append(j.LinesWithoutMolecule, j.numbered(part.LinesWithoutMolecule)...)
	j.Empty += part.Empty
	for _, to := range []struct{ all, more *[]Named }{{&j.Undecided, &part.Undecided}, {&j.Unread, &part.Unread}} {
		for _, n := range *to.more {
			n.Line += j.lines
			*to.all = append(*to.all, n)
		}
	}
	j.columns(a, part.File)
	for _, row := range part.Rows {
		row.Line += j.lines
		row.at += int32(len(j.assay.SMILES))
		j.Rows = append(j.Rows, row)
	}
	j.assay.SMILES = append(j.assay.SMILES, a.SMILES...)
	j.lines += last
}

func (j *joined) numbered(rows []int) []int {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i] += j.lines
	}
	return rows
}

// fileColumn is the name of the column with the files, which no other column has.
const fileColumn = "\x00file"

// columns adds the columns of a file that may tell assays apart, and the file itself as one.
func (j *joined) columns(a *assay.Assay, file string) {
	before, n := len(j.assay.SMILES), len(a.SMILES)
	own := make([]string, n)
	for i := range own {
		own[i] = file
	}
	for _, o := range append(slices.Clone(a.Others), assay.Other{Name: fileColumn, Kind: assay.OfFiles, Cells: own}) {
		at := slices.IndexFunc(j.assay.Others, func(known assay.Other) bool { return known.Name == o.Name })
		if at < 0 {
			at = len(j.assay.Others)
			j.assay.Others = append(j.assay.Others, assay.Other{Name: o.Name, Kind: o.Kind, Cells: make([]string, before)})
		}
		j.assay.Others[at].Cells = append(j.assay.Others[at].Cells, o.Cells...)
	}
	for i := range j.assay.Others {
		all := &j.assay.Others[i]
		all.Cells = append(all.Cells, make([]string, before+n-len(all.Cells))...)
	}
}
