package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/history"
	"pacia/screen/ranking"
)

// A ranker is a screen.Ranker with what the command shows and counts.
type ranker struct {
	*screen.Ranker
	batch      bool // of pacia next: first names its molecules
	calibrated bool // the probabilities are calibrated, so that they state how many actives to expect
	expected   screen.Expectation
	shownAs    func(float32) float64 // of a probability

	outcome *outcome // of the candidates, or nil
	done    ui.Counter
	shown   *screen.Collector // for the page; nil without --report

	gathered bool // rows were ranked by other processes

	first [named]string // names of the first compounds or, of pacia next, of the batch; empty without a name
}

// newRanker opens the candidates and the outputs, before anything is computed.
func (p *prediction) newRanker(c *cobra.Command, s *ranking.Support, o ranking.Options, progress io.Writer) (*ranker, error) {
	r := &ranker{batch: p.Batch > 0, done: ui.NewCounter(progress, "molecules")}
	var err error
	if p.known != nil {
		if r.outcome, err = p.readOutcome(c, o, s); err != nil {
			return nil, err
		}
	}
	in := screen.Files{
		Library: func(o ranking.Options) (*ranking.Table, error) { return ranking.Open(c.Context(), p.Library, o) },
		Assay:   p.againstReader(c, s),
	}
	if len(p.History) > 0 {
		in.Past = func(ctx context.Context, m history.Molecules) (*history.Past, error) {
			return history.Open(ctx, p.History, p.Reading, m, 0)
		}
	}
	if in.Names, err = p.names(); err != nil {
		return nil, err
	}
	if p.Before != "" {
		if in.Earlier, err = p.readSupport(c, p.Before); err != nil {
			return nil, err
		}
	}
	out := p.Out
	if out == stdout {
		out = "/dev/stdout"
	}
	r.Ranker, err = screen.Open(&p.Request, s, in, o, screen.Options{
		SiblingOf: out, Progress: r.done.Add, Added: func(row ranking.Row) { r.outcome.add(row.SMILES) },
	})
	if f := (*badinput.Error)(nil); p.Out == stdout && errors.As(err, &f) {
		f.Fix = strings.ReplaceAll(f.Fix, "choose another --out", "set TMPDIR to a folder for temporary files")
	}
	return r, err
}

// named is the number of first rows whose names are reported.
const named = 5

func (r *ranker) ranked(row ranking.Ranked) {
	if r.gathered && r.outcome != nil {
		smiles, _ := r.Table.Molecule(context.Background(), &row) // it was read before, without an error
		r.outcome.countLabel(r.outcome.labelOf(smiles))
	} else {
		r.outcome.count(row.Number)
	}
	r.shown.Add(row)
	r.expected.Add(row, r.shownAs(row.Probability))
	place := row.Rank
	if r.batch {
		place = r.Spill.Picked[row.Number]
	}
	if r.Table.Names < 0 || place < 1 || place > named {
		return
	}
	r.first[place-1] = r.Table.Name(row.Cells)
}

// names returns the names in first.
func (r *ranker) names() []string {
	return each.If(r.first[:], func(name string) bool { return name != "" })
}

func (p *prediction) withModels(use func([]*model.Model, checkpoint.Meta, config.Config) error) error {
	if p.Method == "" {
		files := p.Checkpoints
		if len(files) == 0 {
			files = []string{""} // the model that ships
		}
		return withModels(files, p.settings, func(m []*model.Model, metas []checkpoint.Meta, cfg config.Config) error {
			return use(m, metas[0], cfg)
		})
	}
	return withUntrained(p.Method, p.settings, func(m *model.Model, meta checkpoint.Meta, cfg config.Config) error {
		return use([]*model.Model{m}, meta, cfg)
	})
}
