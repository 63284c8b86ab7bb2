package screen

import (
	"context"
	"fmt"
	"io"

	"pacia/data/standard"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// Stored is the result of ranking a part of a library, for the Ranker that combines all parts. The rows and the
// unreadable molecules are in two files beside it.
type Stored struct {
	ranking.Stored

	Unread  int                 `json:"unread"`
	LeftOut int                 `json:"left_out,omitempty"`
	Skipped ranking.SkippedRows `json:"not_numbers,omitzero"` // among the rows left out
	Unmet   ranking.Unmet       `json:"unmet,omitempty"`      // rows that do not fulfil each filter
	Cells   ranking.Decimals    `json:"decimals,omitempty"`   // in the columns of conditions
	Listed  uint32              `json:"unread_crc32c"`        // checksum of the list of unreadable molecules
	Changes standard.Changes    `json:"changes"`
	Header  []string            `json:"header"` // of the library, as far as the part has read it
	Library trust.Tally         `json:"library"`
}

// Store writes the first rows of a ranked part, and the molecules that could not be read.
func (r *Ranker) Store(rows, unread io.Writer, most ranking.RowLimit) (Stored, error) {
	k := Stored{Unread: r.Invalid.Len(), LeftOut: r.LeftOut, Skipped: r.Skipped, Unmet: r.Unmet, Cells: r.cells, Changes: r.Changes,
		Header: r.Table.Header, Library: r.Panel.Tally()}
	var err error
	if k.Stored, err = r.Spill.Store(rows, most, true); err != nil {
		return k, err
	}
	k.Listed, err = r.Invalid.Store(unread)
	return k, err
}

// Chunk returns the number of rows that a model scores together on its device. If the scores of parts are to
// equal those of the whole library, parts must begin at multiples of it. Chunk must be called after Parse.
func (r *Ranker) Chunk(m *model.Model) int {
	return model.QueriesPerBatch(len(r.Support.Labels), m.Device())
}

// A Gathered is a stored part, opened for reading.
type Gathered struct {
	Stored
	Rows        io.ReaderAt // read until the Ranker is closed
	Unreadables io.Reader
}

// Gather replaces [Ranker.RankTogether] for a library whose parts were ranked elsewhere, by the same
// models and for the same support set. It takes all parts, in the order of the library.
func (r *Ranker) Gather(ctx context.Context, members []*model.Model, threads int, parts []Gathered) error {
	scorer, err := r.adapt(ctx, members)
	if err != nil {
		return err
	}
	defer scorer.Drop()
	defer r.dropAgainst()
	for i, p := range parts {
		if err := r.add(p); badinput.Is(err) { // of the library
			return err
		} else if err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
		r.Panel.AddTally(p.Library)
	}
	if err := r.Table.CheckSettled(r.cells); err != nil {
		return err
	}
	if r.bare = r.refines(members); r.bare {
		if err := r.refine(ctx, scorer, threads); err != nil {
			return err
		}
	}
	if err := r.explain(ctx, scorer, threads); err != nil {
		return err
	}
	return r.Invalid.Flush()
}

// add adds the rows of a part.
func (r *Ranker) add(p Gathered) error {
	if err := r.Spill.Append(p.Rows, p.Stored.Stored); err != nil {
		return err
	}
	if err := r.Invalid.Append(p.Unreadables, p.Unread, p.Listed); err != nil {
		return err
	}
	r.Changes.Join(p.Changes)
	r.LeftOut += p.LeftOut
	r.Skipped.Join(p.Skipped)
	r.Unmet.Join(p.Unmet)
	r.cells.Join(p.Cells)
	if err := r.Table.CheckDecimals(r.cells); err != nil {
		return err
	}
	if len(p.Header) > len(r.Table.Header) {
		r.Table.Header = p.Header // an SD file may have further columns in later records
	}
	return nil
}

// Restore replaces [Ranker.Rank] for a whole library that was ranked before. It uses no model, and Panel
// stays nil. It must be called after Parse.
func (r *Ranker) Restore(p Gathered) error {
	if err := r.add(p); err != nil {
		return err
	}
	r.Spill.Scale, r.restored = r.Support.Scale, true
	return r.Invalid.Flush()
}
