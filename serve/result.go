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

// A result is the ranking that a job made: its rows on disk, and in memory the
// values by which they are sorted.
type result struct {
	ranker   *screen.Ranker
	expected screen.Expectation
	shown    func(float32) float64
	entries  []entry  // in the order of their ranks
	lines    *os.File // the library's cells of the rows as CSV, one line after the other
	kept     *os.File // the rows of saved results; nil: the rows were ranked
	inputs   string   // digest of the files and fields
	facts    facts
	read     *form // the settings of the job; its files are closed
	origin   origin
	release  func() // of its memory

	longest, text int64 // lengths of the longest line, and of all lines, in bytes
}

// An entry is a row whose cells are on disk.
type entry struct {
	ranking.Ranked
	start  int64 // offset of its line
	length int
}

// newResult takes ownership of a ranker that has finished. Calibrated reports whether the probabilities of its
// model are calibrated.
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
		res.longest = max(res.longest, int64(e.length))
		return err
	})
	res.text = at
	if err = errors.Join(err, out.Flush()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return res, nil
}

func (r *result) close() {
	r.ranker.Close()
	_ = r.lines.Close() // was only read
	_ = r.kept.Close()  // may be nil
	r.release()
}

// near reports whether the nearest molecules of the rows are known.
func (r *result) near() bool { return r.ranker.Spill.Named != nil }

func (r *result) line(e entry) ([]byte, error) {
	line := make([]byte, e.length)
	_, err := r.lines.ReadAt(line, e.start)
	return line, err
}

// cells returns the cells of a row, one for each column of the library.
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

// similarity returns the Tanimoto coefficient with the nearest support molecule.
func (e entry) similarity() float32 { return max(e.Near.ToActive, e.Near.ToInactive) }
