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

// ErrNothing is in the error of Answer if no molecule of a library was ranked, and ErrNoMolecules, in addition, if no row
// has a molecule.
var ErrNothing, ErrNoMolecules = errors.New("nothing to rank"), errors.New("no molecules")

// nothing is such an error. It reads like the bad input that it wraps.
type nothing struct {
	cause *badinput.Error
	why   error // ErrNoMolecules, or nil
}

func (e nothing) Error() string { return e.cause.Error() }

func (e nothing) Unwrap() []error { return []error{e.cause, ErrNothing, cmp.Or(e.why, ErrNothing)} }

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
		return nothing{cause: &badinput.Error{File: r.Table.Files()[0], What: fmt.Sprintf("all %d molecules are left out by filters%s: %s",
			r.LeftOut, r.Skipped, strings.Join(each.Of(filters, ranking.Filtered.String), "; ")), Fix: "ask for less"}}
	}
	if r.Invalid.First == nil {
		return nothing{&badinput.Error{File: r.Table.Files()[0], What: "there is no molecule to rank", Fix: "write one molecule a row"}, ErrNoMolecules}
	}
	first := *r.Invalid.First
	first.What = fmt.Sprintf("none of the %d molecules can be read, the first because", r.Invalid.Len())
	first.Fix = "name the column of the SMILES with --smiles, or correct the molecules"
	return nothing{&first, ErrNoMolecules}
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
