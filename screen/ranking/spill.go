package ranking

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"unsafe"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/atomicfile"
)

// A Mark holds the labels that a candidate has in the support set.
type Mark uint8

// The marks are bits.
const (
	InSupportInactive Mark = 1 << iota
	InSupportActive
)

func (m Mark) String() string { return []string{"", "inactive", "active", "both"}[m&3] }

// runBytes is the size of the rows in memory, in bytes, at which they are sorted and written to
// disk as a run.
const runBytes = 2 << 20

// A Spill sorts scored rows on disk: it writes sorted runs and merges them at the end. Memory holds one run,
// for any number of rows. Its file has no name, so it disappears with the process.
type Spill struct {
	// Named returns the name of a support molecule. If it is not nil, the ranked table has the columns of the
	// nearest support molecules.
	Named func(support int32) string

	// Uncertainty, Spread and Refined report whether the ranked table has these columns.
	Uncertainty, Spread, Refined bool

	// Scale is the scale of predicted values. If it is not nil, the ranked table has their columns.
	Scale *label.Scale

	Picked map[int]int // place among the picks, from 1, by the number of a row; nil: the table has no such column

	Against []string // names of the unwanted assays, whose probabilities the table has, with the selectivity

	Extra []Extra // further columns, which come last

	Top int // number of ranks that the ranked table has, beside the picks; 0: all, negative: none

	Scores Scores // of all rows

	Longest int // maximum length of the lines that Take adds, in bytes; 0: no limit

	siblingOf string // path of a file in the folder of the temporary file
	file      *os.File
	end       int64     // length of the file
	runs      []section // on disk
	n         int       // number of rows
	most      int       // maximum size of a run in memory, in bytes

	csv  *csv.Writer // into text
	text bytes.Buffer
	rows []scored // of the run in memory
}

// section is the place of a run in a file.
type section struct {
	from       io.ReaderAt
	start, end int64
	first      int64   // offset added to the numbers of its rows
	sum        *uint32 // checksum of its bytes; nil: not checked
	earlier    bool    // an earlier version wrote it, without log-odds
	longest    int64   // maximum length of the text of a row
}

// scored is a row in memory. Its number is its place in the order in which rows were added.
type scored struct {
	number      int64
	probability float32
	logOdds     float32
	depth       int32
	start, end  int32 // of its text in the run
}

// before orders rows by descending probability, rows with equal ones by their log-odds, and rows with
// equal log-odds by their numbers.
func (a scored) before(b scored) int {
	return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(b.logOdds, a.logOdds), cmp.Compare(a.number, b.number))
}

// NewSpill returns an empty Spill. Its file is in the folder of the path out.
func NewSpill(out string) (*Spill, error) {
	f, err := atomicfile.Nameless(out)
	if err != nil {
		return nil, err
	}
	s := &Spill{siblingOf: out, file: f, most: runBytes}
	s.begin()
	return s, nil
}

func (s *Spill) begin() {
	s.text.Grow(runBytes) // at once: growing in steps would leave garbage of twice the size
	s.csv = csv.NewWriter(&s.text)
}

// Close releases the space on disk.
func (s *Spill) Close() error { return s.file.Close() }

// Len returns the number of rows.
func (s *Spill) Len() int { return s.n }

// Add appends a row whose score has only these values.
func (s *Spill) Add(fields []string, probability float32, depth int32, mark Mark) error {
	return s.AddScore(fields, Score{Probability: probability, Depth: depth, Mark: mark})
}

// AddScore appends a row. It may have fewer cells than the final header.
func (s *Spill) AddScore(fields []string, score Score) error {
	start := s.text.Len()
	if err := s.csv.Write(table.PlainAll(fields)); err != nil {
		return err
	}
	if s.csv.Flush(); s.csv.Error() != nil {
		return s.csv.Error()
	}
	s.text.Truncate(s.text.Len() - 1) // without the line end
	return s.added(start, int64(s.n), score, len(fields))
}

// added appends the row whose text begins at start.
func (s *Spill) added(start int, number int64, score Score, cells int) error {
	s.text.Write(appendTrailer(s.text.AvailableBuffer(), score, cells))
	s.rows = append(s.rows, scored{number, score.Probability, score.LogOdds, score.Depth, int32(start), int32(s.text.Len())})
	s.n++
	s.Scores.add(score.Probability)
	if s.text.Len()+len(s.rows)*int(unsafe.Sizeof(scored{})) < s.most {
		return nil
	}
	return s.flush()
}

// flush sorts the run in memory and appends it to the file.
func (s *Spill) flush() error {
	slices.SortFunc(s.rows, scored.before)
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.end), 1<<16)
	run := section{from: s.file, start: s.end, end: s.end}
	for _, r := range s.rows {
		run.end += r.write(out, s.text.Bytes()[r.start:r.end]) // Flush reports errors
	}
	if err := out.Flush(); err != nil {
		return err
	}
	s.runs, s.end = append(s.runs, run), run.end
	s.rows = s.rows[:0]
	s.text.Reset()
	return nil
}

// write writes a row and its text in the format of a run, and returns the number of bytes.
func (a scored) write(out *bufio.Writer, text []byte) int64 {
	var head [recordHead]byte
	binary.LittleEndian.PutUint64(head[0:], uint64(a.number))
	binary.LittleEndian.PutUint32(head[8:], math.Float32bits(a.probability))
	binary.LittleEndian.PutUint32(head[12:], uint32(a.depth))
	binary.LittleEndian.PutUint32(head[16:], uint32(len(text)))
	binary.LittleEndian.PutUint32(head[20:], math.Float32bits(a.logOdds))
	_, _ = out.Write(head[:])
	_, _ = out.Write(text)
	return recordHead + int64(len(text))
}

// finish writes the last run and frees its memory for merging. No row can be added afterwards.
func (s *Spill) finish() error {
	if s.rows == nil {
		return nil
	}
	err := s.flush()
	s.rows, s.text = nil, bytes.Buffer{}
	return err
}

// A Ranked is a row at its rank.
type Ranked struct {
	Rank   int    // from 1
	Number int    // place in the order in which rows were added, from 0
	Line   []byte // its cells as a line of CSV without the line end; valid until the next row
	Cells  int    // number of cells of the line, at most that of the header
	Score
}

// Each calls use with every row in descending order of probability and log-odds; rows for which both are equal
// stay in the order in which they were added. No row can be added afterwards. Each can be called again, and
// after the first call by several goroutines at once.
func (s *Spill) Each(use func(Ranked) error) error {
	if err := s.finish(); err != nil {
		return err
	}
	rank := 0
	return s.merge(func(r *record) error {
		rank++
		line, score, cells := cut(r.text)
		score.Probability, score.LogOdds, score.Depth = r.probability, r.logOdds, r.depth
		return use(Ranked{Rank: rank, Number: int(r.number), Line: line, Cells: cells, Score: score})
	})
}

// WriteRanked writes the ranked table: the header and the rows with the added columns, in the order of
// [Spill.Each]. Shown converts probabilities for display and does not affect the order. The function each,
// which may be nil, is called with every row, including those beyond [Spill.Top].
func (s *Spill) WriteRanked(w io.Writer, header []string, shown func(float32) float64, each func(Ranked)) error {
	out := bufio.NewWriterSize(w, 1<<20)
	head := csv.NewWriter(out)
	if err := head.Write(table.PlainAll(s.Header(header))); err != nil {
		return err
	}
	if head.Flush(); head.Error() != nil {
		return head.Error()
	}
	var line []byte
	err := s.Each(func(r Ranked) error {
		if each != nil {
			each(r)
		}
		if s.Top != 0 && r.Rank > s.Top && s.Picked[r.Number] == 0 {
			return nil
		}
		line = append(s.AppendRow(line[:0], r, len(header), shown), '\n')
		_, err := out.Write(line)
		return err
	})
	return errors.Join(err, out.Flush())
}

// AppendRow appends a row of the ranked table to a line, as CSV without the line end. Columns is the number of
// columns of the library.
func (s *Spill) AppendRow(line []byte, r Ranked, columns int, shown func(float32) float64) []byte {
	line = append(line, r.Line...)
	for ; r.Cells < columns; r.Cells++ {
		line = append(line, ',')
	}
	line = strconv.AppendInt(append(line, ','), int64(r.Rank), 10)
	line = strconv.AppendFloat(append(line, ','), shown(r.Wanted()), 'g', 6, 32)
	line = strconv.AppendInt(append(line, ','), int64(r.Depth), 10)
	line = append(append(line, ','), r.Mark.String()...)
	return s.appendCells(line, r)
}
