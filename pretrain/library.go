package pretrain

import (
	"context"
	"fmt"

	"pacia/data"
	"pacia/fault"
)

const (
	// fewest molecules that something can be learnt from and measured on.
	fewest = 20
	// One in heldOut molecules is not learnt from, but no more than mostHeldOut.
	heldOut     = 10
	mostHeldOut = 1_000
)

// Library is the molecules of a file.
type Library struct {
	Name     string
	Store    *data.Store
	Skipped  []data.Skipped // what cannot be used, with the reason
	Repeated int            // molecules that stand in the file once more, and count once
	rows     []int32        // of the store
}

// Len returns the number of molecules that can be used.
func (l *Library) Len() int { return len(l.rows) }

// Open reads a file of molecules, plain or gzipped: data.Embedded, a CSV whose
// column of that name holds SMILES, or else a text with one SMILES a line, which
// a name may follow after a space. Threads parse; 0: all cores. Once ctx is
// done, its error is returned.
func Open(ctx context.Context, path, column string, threads int) (*Library, error) {
	smiles, lines, err := readSMILES(ctx, path, column)
	if err != nil {
		return nil, err
	}
	l := &Library{Name: nameOf(path)}
	smiles, lines, l.Repeated = once(smiles, lines)
	s, index, errs := data.ParseSMILES(ctx, smiles, threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.Store = s
	for i, text := range smiles {
		if errs[i] == nil {
			l.rows = append(l.rows, index[i])
			continue
		}
		l.Skipped = append(l.Skipped, data.Skipped{Row: lines[i], SMILES: text, Reason: errs[i].Error()})
	}
	return l, l.check(path)
}

func (l *Library) check(path string) error {
	switch {
	case len(l.rows) >= fewest:
		return nil
	case len(l.Skipped) > 0:
		first := l.Skipped[0]
		return &fault.Error{File: path, Row: first.Row,
			What: fmt.Sprintf("only %d of %d molecules can be used; this is the first that cannot: %s", len(l.rows), len(l.rows)+len(l.Skipped), first.Reason),
			Fix:  "check that the file holds SMILES: a CSV in a column, any other file one a line"}
	}
	return &fault.Error{File: path, What: fmt.Sprintf("%d molecules are too few to learn from", len(l.rows)), Fix: fmt.Sprintf("give %d or more", fewest)}
}

// once leaves out what stands there again: a molecule must not be learnt from
// and held out at once.
func once(smiles []string, lines []int) (some []string, at []int, repeated int) {
	seen := make(map[string]bool, len(smiles))
	for i, s := range smiles {
		if seen[s] {
			continue
		}
		seen[s] = true
		some, at = append(some, s), append(at, lines[i])
	}
	return some, at, len(smiles) - len(some)
}

// split holds out some of the molecules, by the seed.
func split(rows []int32, seed uint64) (learn, held []int32) {
	all := append([]int32(nil), rows...)
	data.Rand(seed, "pretrain split", 0).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	n := min(len(all)/heldOut, mostHeldOut)
	return all[n:], all[:n]
}
