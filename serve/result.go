package serve

import (
	"os"

	"pacia/screen"
	"pacia/screen/ranking"
)

// A result is the ranking that a job made: its rows on disk, and in memory the
// values by which they are sorted.
type result struct {
	ranker    *screen.Ranker
	expected  screen.Expectation
	shown     func(float32) float64
	view      *ranking.View
	entries   []entry  // in the order of their ranks
	savedRows *os.File // the rows of saved results; nil: the rows were ranked
	inputs    string   // digest of the files and fields
	facts     facts
	read      *form // the settings of the job; its files are closed
	origin    origin
	release   func() // of its memory

	longest, text int64 // lengths of the longest cells of a row, and of all rows, in bytes
}

// An entry is a row whose cells are on disk.
type entry struct{ ranking.Ranked }

// newResult takes ownership of a ranker that has finished. Calibrated reports whether the probabilities of its
// model are calibrated.
func newResult(r *screen.Ranker, shown func(float32) float64, calibrated bool) (*result, error) {
	res := &result{ranker: r, shown: shown, view: r.Spill.View(r.Table.Header, shown), entries: make([]entry, 0, r.Spill.Len())}
	res.expected.Off = !calibrated || len(r.Against) > 0
	err := r.Spill.Each(func(row ranking.Ranked) error {
		res.expected.Add(row, shown(row.Probability))
		row.Cells, row.Molecule = nil, nil
		res.entries = append(res.entries, entry{row})
		res.text += row.Length()
		res.longest = max(res.longest, row.Length())
		return nil
	})
	return res, err
}

func (r *result) close() {
	r.ranker.Close()
	_ = r.savedRows.Close() // may be nil
	r.release()
}

// near reports whether the nearest molecules of the rows are known.
func (r *result) near() bool { return r.ranker.Spill.Nearest != nil }

// similarity returns the Tanimoto coefficient with the nearest support molecule.
func (e entry) similarity() float32 { return max(e.Near.ToActive, e.Near.ToInactive) }
