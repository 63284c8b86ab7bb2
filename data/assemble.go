package data

import (
	"fmt"
	"math"

	"pacia/data/molecule"
)

// Assemble joins the episodes of a training step into a batch. All must have
// the same number of support molecules. K of the batch is the smallest K of an episode.
func Assemble(s molecule.List, eps []Episode) (*Batch, error) {
	if len(eps) == 0 {
		return nil, fmt.Errorf("data.Assemble: no episodes")
	}
	b := new(Batch)
	b.reset()
	b.Support, b.Shots = len(eps[0].Support), eps[0].Shots
	atoms := 0
	for i := range eps {
		e := &eps[i]
		if err := e.check(s); err != nil {
			return nil, fmt.Errorf("data.Assemble: episode %d of task %d: %w", i, e.Task, err)
		}
		if len(e.Support) != b.Support {
			return nil, fmt.Errorf("data.Assemble: episode %d has %d support molecules, episode 0 has %d", i, len(e.Support), b.Support)
		}
		b.Shots = min(b.Shots, e.Shots)
		atoms += atomsOf(s, e.Support) + atomsOf(s, e.Query)
	}
	// An atom has fewer than eight edges, so this also bounds the number of edges.
	if atoms > math.MaxInt32/8 {
		return nil, fmt.Errorf("data.Assemble: %d atoms are more than a batch can number; take fewer molecules at a time", atoms)
	}
	for i := range eps {
		b.addTask(s, &eps[i])
	}
	return b, nil
}

// AssembleSupport makes the batch that a model adapts to: one task (B = 1)
// with the support of e, and no queries.
func AssembleSupport(s molecule.List, e Episode) (*Batch, error) {
	if len(e.Support) == 0 {
		return nil, fmt.Errorf("data.AssembleSupport: no support molecules")
	}
	e.Query, e.QueryLabels = nil, nil
	return Assemble(s, []Episode{e})
}

// AssembleQueries makes a batch of queries of one task, without labels and
// without support (B = 1, N = 0).
func AssembleQueries(s molecule.List, rows []int32) (*Batch, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("data.AssembleQueries: no molecules")
	}
	return Assemble(s, []Episode{{Query: rows}})
}

func (e *Episode) check(s molecule.List) error {
	if len(e.SupportLabels) != len(e.Support) {
		return fmt.Errorf("%d support molecules and %d labels", len(e.Support), len(e.SupportLabels))
	}
	if len(e.QueryLabels) != 0 && len(e.QueryLabels) != len(e.Query) {
		return fmt.Errorf("%d queries and %d labels", len(e.Query), len(e.QueryLabels))
	}
	if err := checkRows(s, e.Support); err != nil {
		return err
	}
	return checkRows(s, e.Query)
}

func checkRows(m molecule.List, rows []int32) error {
	for _, r := range rows {
		if r < 0 || int(r) >= m.Len() {
			return fmt.Errorf("molecule %d is not in a store of %d", r, m.Len())
		}
	}
	return nil
}

func atomsOf(m molecule.List, rows []int32) int {
	n := 0
	for _, row := range rows {
		n += m.Atoms(int(row))
	}
	return n
}
