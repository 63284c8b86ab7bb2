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

// A Mark says with which label a candidate is also in the support set.
type Mark uint8

// The marks are bits.
const (
	InSupportInactive Mark = 1 << iota
	InSupportActive
)

func (m Mark) String() string { return []string{"", "inactive", "active", "both"}[m&3] }

// runBytes is how much of the rows memory holds: when it is full, they are sorted and
// go to the disk as a run.
const runBytes = 2 << 20

// A Spill holds scored rows on disk until all are known: in sorted runs, which are
// merged in the end. Memory holds one run, however many rows there are. Its file has no
// name: it is gone when the program is, however that ends.
type Spill struct {
	// Named says what support molecules are called, where the ranked table is to have
	// the columns of what is near; nil: it has none of them.
	Named func(support int32) string

	// Uncertainty and Spread are whether the ranked table has these columns.
	Uncertainty, Spread bool

	// Scale is that of predicted values, where the ranked table has their columns; nil: it has not.
	Scale *label.Scale

	Picked map[int]int // by the number of a row, its place among the picks, from 1; nil: there is no such column

	Against []string // names of assays that are not wanted: the ranked table has their probabilities, and the selectivity

	Extra []Extra // columns that come last

	Top int // ranks that the ranked table has, beside the picks; 0: all, less: none

	Scores Scores // of all rows

	siblingOf string // the path of a file in the folder of the one without a name
	file      *os.File
	end       int64     // of the file
	runs      []section // on disk
	n         int       // rows
	most      int       // bytes of a run

	csv  *csv.Writer // into text
	text bytes.Buffer
	rows []scored // of the run in memory
}

// section is where a run lies in a file.
type section struct {
	from       io.ReaderAt
	start, end int64
	first      int64   // is added to the numbers of its rows
	sum        *uint32 // of its bytes; nil: they are not looked at
}

// scored is a row with the number by which rows were added.
type scored struct {
	number      int64
	probability float32
	depth       int32
	start, end  int32 // of its text in the run
}

// before orders rows by falling probability, equal ones as they were added.
func (a scored) before(b scored) int {
	return cmp.Or(cmp.Compare(b.probability, a.probability), cmp.Compare(a.number, b.number))
}

// NewSpill makes an empty one where out will be written.
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
	s.text.Grow(runBytes) // at once, or twice as much would be left behind
	s.csv = csv.NewWriter(&s.text)
}

// Close frees the disk.
func (s *Spill) Close() error { return s.file.Close() }

// Len returns the number of rows.
func (s *Spill) Len() int { return s.n }

// Add appends a row without more than these.
func (s *Spill) Add(fields []string, probability float32, depth int32, mark Mark) error {
	return s.AddScore(fields, Score{Probability: probability, Depth: depth, Mark: mark})
}

// AddScore appends a row, which may lack cells that the header has in the end.
func (s *Spill) AddScore(fields []string, score Score) error {
	start := s.text.Len()
	if err := s.csv.Write(table.PlainAll(fields)); err != nil {
		return err
	}
	if s.csv.Flush(); s.csv.Error() != nil {
		return s.csv.Error()
	}
	s.text.Truncate(s.text.Len() - 1) // the line end is not kept
	return s.added(start, int64(s.n), score, len(fields))
}

// added takes in the row whose text begins at start.
func (s *Spill) added(start int, number int64, score Score, cells int) error {
	s.text.Write(appendTrailer(s.text.AvailableBuffer(), score, cells))
	s.rows = append(s.rows, scored{number, score.Probability, score.Depth, int32(start), int32(s.text.Len())})
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
		run.end += r.write(out, s.text.Bytes()[r.start:r.end]) // Flush reports
	}
	if err := out.Flush(); err != nil {
		return err
	}
	s.runs, s.end = append(s.runs, run), run.end
	s.rows = s.rows[:0]
	s.text.Reset()
	return nil
}

// write writes a row with its text as a run has it, and returns how many bytes that are.
func (a scored) write(out *bufio.Writer, text []byte) int64 {
	var head [recordHead]byte
	binary.LittleEndian.PutUint64(head[0:], uint64(a.number))
	binary.LittleEndian.PutUint32(head[8:], math.Float32bits(a.probability))
	binary.LittleEndian.PutUint32(head[12:], uint32(a.depth))
	binary.LittleEndian.PutUint32(head[16:], uint32(len(text)))
	_, _ = out.Write(head[:])
	_, _ = out.Write(text)
	return recordHead + int64(len(text))
}

// finish ends the adding: merging takes the room of the run in memory.
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
	Number int    // of the row, counted from 0 as they were added
	Line   []byte // its cells as a line of CSV without its end; to be used before the next row
	Cells  int    // of the line, at most as many as the header has
	Score
}

// Each calls use with every row, the most probable first, equal ones in the order in
// which they were added. No row can be added afterwards. It can be called again, and
// after the first time by several goroutines at once.
func (s *Spill) Each(use func(Ranked) error) error {
	if err := s.finish(); err != nil {
		return err
	}
	rank := 0
	return s.merge(func(r *record) error {
		rank++
		line, score, cells := cut(r.text)
		score.Probability, score.Depth = r.probability, r.depth
		return use(Ranked{Rank: rank, Number: int(r.number), Line: line, Cells: cells, Score: score})
	})
}

// WriteRanked writes the table: the header and the rows with rank, probability,
// depth and mark appended, in the order of Each. What a probability is written as, shown
// says; the order is that of the probabilities that were added. each is told every row, of
// those beyond [Spill.Top] as well; it may be nil.
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

// AppendRow appends a row of the ranked table, as a line of CSV without its end, to a
// line. Its own columns are so many.
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
