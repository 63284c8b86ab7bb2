package serve

import (
	"bufio"
	"errors"
	"os"

	"pacia/data/table"
	"pacia/internal/atomicfile"
	"pacia/screen"
	"pacia/screen/ranking"
)

// A result is the outcome of a job: its rows on the disk, and in memory the
// values that they are sorted by.
type result struct {
	ranker   *screen.Ranker
	expected screen.Expectation
	shown    func(float32) float64
	entries  []entry  // in the order of their ranks
	lines    *os.File // their own cells as CSV, one after the other
	kept     *os.File // the rows of an earlier ranking; nil: they were ranked
	inputs   string   // digest of what was ranked, and how
	facts    facts
	read     *form // how the labelled molecules were read; its files are gone
	origin   origin
}

// entry is a row. Its cells are on the disk.
type entry struct {
	ranking.Ranked
	start  int64 // of its line
	length int
}

// newResult takes over a ranker that has ranked, by a model whose probabilities are calibrated or not.
func newResult(r *screen.Ranker, shown func(float32) float64, calibrated bool) (*result, error) {
	f, err := atomicfile.Nameless(temporary())
	if err != nil {
		return nil, err
	}
	res := &result{ranker: r, shown: shown, lines: f, entries: make([]entry, 0, r.Spill.Len())}
	res.expected.Off = !calibrated || len(r.Against) > 0
	out := bufio.NewWriterSize(f, 1<<16)
	var at int64
	err = r.Spill.Each(func(row ranking.Ranked) error {
		_, err := out.Write(row.Line)
		res.expected.Add(row, shown(row.Probability))
		e := entry{Ranked: row, start: at, length: len(row.Line)}
		e.Line = nil
		res.entries = append(res.entries, e)
		at += int64(e.length)
		return err
	})
	if err = errors.Join(err, out.Flush()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return res, nil
}

func (r *result) close() {
	r.ranker.Close()
	_ = r.lines.Close() // only read
	_ = r.kept.Close()  // there may be none
}

// near reports whether the nearest molecules of the rows are known.
func (r *result) near() bool { return r.ranker.Spill.Named != nil }

func (r *result) line(e entry) ([]byte, error) {
	line := make([]byte, e.length)
	_, err := r.lines.ReadAt(line, e.start)
	return line, err
}

// cells returns those of a row, as many as there are columns.
func (r *result) cells(e entry) ([]string, error) {
	line, err := r.line(e)
	if err != nil {
		return nil, err
	}
	cells, err := table.ParseLine(line)
	if err != nil {
		return nil, err
	}
	all := make([]string, len(r.ranker.Table.Header))
	copy(all, cells)
	return all, nil
}

// similarity is the Tanimoto coefficient with the nearest support molecule.
func (e entry) similarity() float32 { return max(e.Near.ToActive, e.Near.ToInactive) }
