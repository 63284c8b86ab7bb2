package main

import (
	"bytes"
	"encoding/csv"
	"io"
	"runtime"
	"slices"

	"pacia/cmd/pacia/internal/ranking"
	"pacia/evaluate"
	"pacia/fault"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/trust"
)

// A ranker takes the candidates through an adapted model. What it holds in
// memory does not grow with the length of a row or of its molecule.
type ranker struct {
	table   *ranking.Table
	spill   *ranking.Spill
	invalid *ranking.Invalid
	outcome *outcome // of the candidates; nil: not known
	known   *ranking.Known
	panel   *trust.Panel
	fail    bool // at the first molecule that cannot be read
	done    ui.Counter

	first []string // names of the first compounds, where they have any
	seen  int      // rows that were looked at for them
}

// newRanker opens the candidates, and what will be written, before anything is
// computed.
func (p *prediction) newRanker(o ranking.Options, progress io.Writer) (*ranker, error) {
	r := &ranker{fail: p.onInvalid == "fail", done: ui.NewCounter(progress, "molecules")}
	if err := r.open(p, o); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *ranker) open(p *prediction, o ranking.Options) (err error) {
	if p.outcome != "" {
		if r.outcome, err = readOutcome(p.outcome, o, p.labels); err != nil {
			return err
		}
	}
	o.Ranked = true
	if r.table, err = ranking.Open(p.candidates, o); err != nil {
		return err
	}
	beside := p.out
	if beside == stdout {
		beside = "/dev/stdout"
	}
	if r.spill, err = ranking.NewSpill(beside); err != nil {
		return err
	}
	r.invalid, err = ranking.NewInvalid(beside, r.table)
	return err
}

// close gives back what newRanker took.
func (r *ranker) close() {
	if r.table != nil {
		_ = r.table.Close() // read only
	}
	if r.spill != nil {
		_ = r.spill.Close() // its file has no name any more
	}
	if r.invalid != nil {
		_ = r.invalid.Close()
	}
}

// scored is a chunk of candidates that went through the model.
type scored struct {
	probability []float32 // of the molecules that could be read
	depth       []int32
	marks       []ranking.Mark
	near        []trust.Near // nil where molecules come without fingerprints
	reasons     []error      // why a molecule cannot be read, or nil; one a row
	err         error
}

// score parses and scores a chunk, on one thread.
func (r *ranker) score(scorer *evaluate.Scorer, smiles []string) scored {
	molecules, _, reasons := scorer.Parse(smiles, 1)
	rows := make([]int32, molecules.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	s := scored{near: r.panel.Add(molecules), reasons: reasons, marks: make([]ranking.Mark, 0, len(rows))}
	for i, reason := range reasons {
		if reason == nil {
			s.marks = append(s.marks, r.known.Mark(smiles[i]))
		}
	}
	s.probability, s.depth, s.err = scorer.Score(molecules, rows)
	return s
}

// rank scores all candidates, a chunk on each thread: chunks do not wait for
// each other as the threads of one operation do.
func (r *ranker) rank(m *model.Model, a *model.Adapted, threads int) error {
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	scorer := evaluate.NewScorer(m, a)
	defer r.done.Close()
	work := func(smiles []string) scored { return r.score(scorer, smiles) }
	return ranking.Stream(r.table, scorer.Batch(), threads, work, r.take)
}

// take keeps the rows of a chunk with their scores.
func (r *ranker) take(c *ranking.Chunk[scored]) error {
	if c.Result.err != nil {
		return c.Result.err
	}
	next := 0
	for i, row := range c.Rows {
		if reason := c.Result.reasons[i]; reason != nil {
			if row.Reason != nil {
				reason = row.Reason
			}
			if err := r.unread(row, reason); err != nil {
				return err
			}
			continue
		}
		var near trust.Near
		if c.Result.near != nil {
			near = c.Result.near[next]
		}
		if err := r.spill.AddNear(row.Fields, c.Result.probability[next], c.Result.depth[next], c.Result.marks[next], near); err != nil {
			return err
		}
		r.outcome.add(row.SMILES)
		next++
	}
	r.done.Add(len(c.Rows))
	return nil
}

// unread lists a molecule that cannot be read, or gives up.
func (r *ranker) unread(row ranking.Row, reason error) error {
	if r.fail {
		return &fault.Error{
			File: row.File, Row: row.Line, Column: r.table.Column,
			What: "the molecule cannot be read", Err: reason, Fix: "correct it, or write --on-invalid skip",
		}
	}
	return r.invalid.Add(row, reason)
}

// named is how many of the first compounds are named.
const named = 5

// ranked takes note of the row at the next rank, by its number and its cells.
func (r *ranker) ranked(row int, line []byte) {
	r.outcome.count(row)
	if r.table.Names < 0 || r.seen == named {
		return
	}
	r.seen++
	fields, err := csv.NewReader(bytes.NewReader(append(slices.Clone(line), '\n'))).Read()
	if err != nil {
		return // of no cells at all
	}
	if name := r.table.NameOf(fields); name != "" {
		r.first = append(r.first, name)
	}
}
