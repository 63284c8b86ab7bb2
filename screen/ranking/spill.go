package ranking

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"unsafe"

	"pacia/internal/atomicfile"
	"pacia/model"
)

// runBytes is the size of the rows in memory, in bytes, at which they are sorted and written to
// disk as a run.
const runBytes = 2 << 20

// A Spill sorts scored rows on disk: it writes sorted runs and merges them at the end. Memory holds one run,
// for any number of rows. Its file has no name, so it disappears with the process.
type Spill struct {
	Layout

	// Top is the number of first ranks that the ranked table has. 0 stands for all, and a negative number for none. Picks
	// are in it at any rank.
	Top int

	Scores Scores // of all rows

	Longest int // maximum length of the cells of a row that Append adds, in bytes; such a row has no molecule; 0: no limit

	siblingOf string // path of a file in the folder of the temporary file
	file      *os.File
	end       int64     // length of the file
	runs      []section // on disk
	n         int       // number of rows
	runBytes  int       // maximum size of a run in memory, in bytes

	numbers numbering // of the rows
	assays  int       // length of Score.Each of the rows
	score   Score     // of the row that is added
	cells   Cells     // of the row that is added
	text    []byte    // of the run in memory: numbers, molecule and cells of its rows
	rows    []scored  // of the run in memory
}

// An order is by what rows are sorted. Number is the place in the order in which rows were added.
type order struct {
	number      int64
	probability float32
	logOdds     float32
}

// before orders rows by descending probability, rows with equal ones by their log-odds, and rows with
// equal log-odds by their numbers.
func (a order) before(b order) int {
	return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(b.logOdds, a.logOdds), cmp.Compare(a.number, b.number))
}

// scored is a row in memory.
type scored struct {
	order
	start, end int32 // of its text in the run
}

// NewSpill returns an empty Spill. Its file is in the folder of the path out.
func NewSpill(out string) (*Spill, error) {
	f, err := atomicfile.Nameless(out)
	if err != nil {
		return nil, err
	}
	return newSpill(out, f, Layout{}, runBytes), nil
}

func newSpill(siblingOf string, f *os.File, l Layout, most int) *Spill {
	return &Spill{siblingOf: siblingOf, file: f, Layout: l, runBytes: most,
		text: make([]byte, 0, runBytes)} // at once: growing in steps would leave garbage of twice the size
}

// Close releases the space on disk.
func (s *Spill) Close() error { return s.file.Close() }

// Len returns the number of rows.
func (s *Spill) Len() int { return s.n }

// Add appends a row whose score has only these values.
func (s *Spill) Add(fields []string, probability float32, depth int32, mark Mark) error {
	score := model.Score{Probability: probability, Depth: depth}
	return s.AddScore(Row{Fields: fields}, Score{Score: score, Mark: mark})
}

// AddScore appends a row. It may have fewer cells than the final header. All rows have probabilities in as many assays.
func (s *Spill) AddScore(row Row, score Score) error {
	s.cells = s.cells[:0]
	for _, cell := range row.Fields {
		s.cells = appendText(s.cells, cell)
	}
	return s.add(int64(s.n), score, row.SMILES, s.cells)
}

// add appends a row to the run in memory.
func (s *Spill) add(number int64, score Score, molecule string, cells Cells) error {
	if s.score = score; s.numbers == nil {
		s.numbers, s.assays = s.numbering(), len(score.Each)
	}
	start := len(s.text)
	s.text = append(appendText(s.numbers.append(s.text, &s.score), molecule), cells...)
	s.rows = append(s.rows, scored{order{number, score.Probability, score.LogOdds}, int32(start), int32(len(s.text))})
	s.n++
	s.Scores.add(score.Probability)
	if len(s.text)+len(s.rows)*int(unsafe.Sizeof(scored{})) < s.runBytes {
		return nil
	}
	return s.flush()
}

// flush sorts the run in memory and appends it to the file.
func (s *Spill) flush() error {
	slices.SortFunc(s.rows, func(a, b scored) int { return a.before(b.order) })
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.end), 1<<16)
	run := section{from: s.file, start: s.end, end: s.end, numbers: s.numbers, assays: s.assays}
	for _, r := range s.rows {
		run.end += writeRow(out, r.number, s.text[r.start:r.end]) // Flush reports errors
	}
	if err := out.Flush(); err != nil {
		return err
	}
	s.runs, s.end = append(s.runs, run), run.end
	s.rows, s.text = s.rows[:0], s.text[:0]
	return nil
}

// finish writes the last run and frees its memory for merging. No row can be added afterwards.
func (s *Spill) finish() error {
	if s.rows == nil {
		return nil
	}
	err := s.flush()
	s.rows, s.text = nil, nil
	return err
}

// A Ranked is a row at its rank.
type Ranked struct {
	Rank     int    // from 1
	Number   int    // place in the order in which rows were added, from 0
	Cells    Cells  // valid until the next row; see [Spill.CellsAt]
	Molecule []byte // SMILES that the model read, valid until the next row; empty in results that were saved
	Score

	place place
}

// ErrEnough ends [Spill.Each].
var ErrEnough = errors.New("there are enough rows")

// Each calls use with every row in descending order of probability and log-odds; rows for which both are equal
// stay in the order in which they were added. No row can be added afterwards. Each can be called again, and
// after the first call by several goroutines at once. It ends early, without an error, if use returns ErrEnough.
func (s *Spill) Each(use func(Ranked) error) error {
	if err := s.finish(); err != nil {
		return err
	}
	rank := 0
	return s.merge(func(r *record) error {
		rank++
		return use(Ranked{Rank: rank, Number: int(r.number), Cells: r.cells, Molecule: r.molecule, Score: r.Score, place: r.place})
	})
}

// A place is where the cells of a row are on disk.
type place struct {
	run, length int32
	start       int64
}

// CellsAt reads the cells of a row again.
func (s *Spill) CellsAt(r *Ranked) (Cells, error) {
	cells := make(Cells, r.place.length)
	_, err := s.runs[r.place.run].from.ReadAt(cells, r.place.start)
	return cells, err
}

// Length returns the length of the cells of a row on disk, in bytes.
func (r *Ranked) Length() int64 { return int64(r.place.length) }
