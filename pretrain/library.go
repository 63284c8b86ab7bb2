package pretrain

import (
	"context"
	"fmt"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/table"
	"pacia/internal/badinput"
)

const (
	// fewest is the smallest number of molecules to learn from and to measure on.
	fewest = 20
	// One in heldOut molecules is held out, but at most mostHeldOut.
	heldOut     = 10
	mostHeldOut = 1_000
)

// Library holds the molecules of a file or a folder.
type Library struct {
	Name     string
	Store    *molecule.Store
	Skipped  []data.Skipped // molecules that cannot be used, with the reason
	Repeated int            // repetitions of molecules, which were left out
	Excluded int            // molecules that are in Source.Exclude
	Hash     string         // SHA-256 of the data to learn from
	rows     []int32        // of the store
	labels   *labels        // nil unless Source.Labels
	motifs   *motifTrees    // nil unless Source.Motifs
}

// Len returns the number of molecules that can be used.
func (l *Library) Len() int { return len(l.rows) }

// Source names the place of molecules.
type Source struct {
	table.Options // for reading files

	Path    string // data.Embedded, a file, or a folder of tables
	Labels  bool   // the other columns are assays
	Motifs  bool   // split the molecules into motifs
	Cache   string // folder for files of motifs; empty: "pacia" in the user's cache folder
	Exclude string // a file or folder of molecules to leave out; or ""
	Threads int    // for parsing; 0: all cores
}

// Open reads molecules: data.Embedded, a file in any form that package table reads, or all tables
// of a folder, or of its train/. If ctx ends, Open returns its error.
func Open(ctx context.Context, src Source) (*Library, error) {
	read := reader{options: src.Options, labels: src.Labels}
	if err := read.from(ctx, src.Path); err != nil {
		return nil, err
	}
	l := &Library{Name: nameOf(src.Path)}
	l.Repeated = read.once()
	if err := l.exclude(ctx, src, &read); err != nil {
		return nil, err
	}
	s, index, errs := molecule.ParseSMILES(ctx, read.smiles, src.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.Store = s
	for i, text := range read.smiles {
		if errs[i] == nil && read.at[i].why == nil {
			l.rows = append(l.rows, index[i])
			continue
		}
		l.Skipped = append(l.Skipped, data.Skipped{Row: read.at[i].line, SMILES: text, Reason: read.reason(i, errs[i])})
	}
	if src.Labels {
		l.labels = read.sparse(index, s.Len())
	}
	l.Hash = read.hash()
	if err := l.check(src.Path); err != nil {
		return nil, err
	}
	if src.Motifs {
		return l, l.findMotifs(ctx, src, usable(read.smiles, index))
	}
	return l, nil
}

// usable returns the SMILES that have a row in a store, in its order.
func usable(smiles []string, index []int32) (some []string) {
	for i, text := range smiles {
		if index[i] >= 0 {
			some = append(some, text)
		}
	}
	return some
}

func (l *Library) check(path string) error {
	switch {
	case len(l.rows) >= fewest:
		return nil
	case len(l.Skipped) > 0:
		first := l.Skipped[0]
		return &badinput.Error{File: path, Row: first.Row,
			What: fmt.Sprintf("only %d of %d molecules can be used; this is the first that cannot: %s", len(l.rows), len(l.rows)+len(l.Skipped), first.Reason),
			Fix:  "check that the file holds SMILES: a CSV in a column, any other file one a line"}
	}
	return &badinput.Error{File: path, What: fmt.Sprintf("%d molecules are too few to learn from", len(l.rows)), Fix: fmt.Sprintf("give %d or more", fewest)}
}

func split(rows []int32, seed uint64) (learn, held []int32) {
	all := append([]int32(nil), rows...)
	data.Rand(seed, "pretrain split", 0).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	n := min(len(all)/heldOut, mostHeldOut)
	return all[n:], all[:n]
}
