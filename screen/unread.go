package screen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/screen/ranking"
)

// ErrNoMolecules is in the error of Readable for a library in which no row has a molecule.
var ErrNoMolecules = errors.New("no molecules")

// noMolecules is that error. It reads like the bad input that it wraps.
type noMolecules struct{ of *badinput.Error }

func (e noMolecules) Error() string { return e.of.Error() }

func (e noMolecules) Unwrap() []error { return []error{e.of, ErrNoMolecules} }

// Readable returns an error if no molecule of the library was ranked.
func (r *Ranker) Readable(ctx context.Context) error {
	if r.Spill.Len() > 0 {
		return nil
	}
	if r.LeftOut > 0 && r.Invalid.First == nil {
		filters, err := r.Filters(ctx)
		if err != nil {
			return err
		}
		return &badinput.Error{File: r.Table.Files()[0], What: fmt.Sprintf("all %d molecules are left out by filters%s: %s",
			r.LeftOut, r.Odd, strings.Join(each.Of(filters, ranking.Filtered.String), "; ")), Fix: "ask for less"}
	}
	if r.Invalid.First == nil {
		return noMolecules{&badinput.Error{File: r.Table.Files()[0], What: "there is no molecule to rank", Fix: "write one molecule a row"}}
	}
	first := *r.Invalid.First
	first.What = fmt.Sprintf("none of the %d molecules can be read, the first because", r.Invalid.Len())
	first.Fix = "name the column of the SMILES with --smiles, or correct the molecules"
	return noMolecules{&first}
}

// Filters describes what each filter of the library did.
func (r *Ranker) Filters(ctx context.Context) ([]ranking.Filtered, error) {
	return r.Table.Filters(ctx, r.Unmet, r.cells)
}

// unread lists a molecule that cannot be read. With Options.Fail it returns an error instead.
func (r *Ranker) unread(row ranking.Row, reason error) error {
	unread := &badinput.Error{
		File: row.File, Row: row.Line, Column: r.Table.Column,
		What: "the molecule cannot be read", Err: reason, Fix: "correct it, or write --on-invalid skip",
	}
	if r.options.Fail {
		return unread
	}
	r.Invalid.First = cmp.Or(r.Invalid.First, unread)
	return r.Invalid.Add(row, reason)
}
