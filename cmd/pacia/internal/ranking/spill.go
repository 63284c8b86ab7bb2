package ranking

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"pacia/durable"
)

// added are the columns that a ranked table has besides its own.
var added = []string{"rank", "probability", "depth", "in_support"}

// A Mark says with which label a candidate is in the support set, too.
type Mark uint8

// The marks are bits.
const (
	InSupportInactive Mark = 1 << iota
	InSupportActive
)

func (m Mark) String() string { return []string{"", "inactive", "active", "both"}[m&3] }

// trailer is how many bytes follow a row on disk: its mark, and how many cells it has.
const trailer = 3

// A Spill holds scored rows on disk until all are known. Its file has no name:
// it is gone when the program is, however that ends.
type Spill struct {
	file *os.File
	out  *bufio.Writer
	line bytes.Buffer
	csv  *csv.Writer // into line
	end  int64
	rows [][]scored // in blocks, which are not copied as they become more
	n    int32      // of them
}

// block is how many rows memory is taken for at a time.
const block = 1 << 15

// scored is what memory holds of a row: 16 bytes.
type scored struct {
	offset      int64
	probability float32
	depth       int32
}

// NewSpill makes an empty one where out will be written.
func NewSpill(out string) (*Spill, error) {
	f, err := durable.Nameless(out)
	if err != nil {
		return nil, err
	}
	s := &Spill{file: f, out: bufio.NewWriterSize(f, 1<<20)}
	s.csv = csv.NewWriter(&s.line)
	return s, nil
}

// Close frees the disk.
func (s *Spill) Close() error { return s.file.Close() }

// Len returns the number of rows.
func (s *Spill) Len() int { return int(s.n) }

// row returns the scores of row i.
func (s *Spill) row(i int32) scored { return s.rows[i/block][i%block] }

// Add appends a row, which may lack cells that the header has in the end.
func (s *Spill) Add(fields []string, probability float32, depth int32, mark Mark) error {
	s.line.Reset()
	if err := s.csv.Write(fields); err != nil {
		return err
	}
	if s.csv.Flush(); s.csv.Error() != nil {
		return s.csv.Error()
	}
	s.line.Write([]byte{byte(mark), byte(len(fields)), byte(len(fields) >> 8)})
	if s.n%block == 0 {
		s.rows = append(s.rows, make([]scored, 0, block))
	}
	last := &s.rows[s.n/block]
	*last = append(*last, scored{s.end, probability, depth})
	s.n++
	n, err := s.line.WriteTo(s.out)
	s.end += n
	return err
}

// WriteRanked writes the table: the header and the rows with rank, probability,
// depth and mark appended, the most probable first, equal ones in the order in
// which they were added. What a probability is written as, shown says; the order is
// that of the probabilities that were added.
func (s *Spill) WriteRanked(w io.Writer, header []string, shown func(float32) float64) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	head := csv.NewWriter(out)
	if err := head.Write(append(slices.Clone(header), added...)); err != nil {
		return err
	}
	if head.Flush(); head.Error() != nil {
		return head.Error()
	}
	var line []byte
	for rank, i := range s.Order() {
		var err error
		var mark Mark
		if line, mark, err = s.read(i, line, len(header)); err != nil {
			return err
		}
		r := s.row(i)
		p := strconv.FormatFloat(shown(r.probability), 'g', 6, 32)
		if _, err := fmt.Fprintf(out, "%s,%d,%s,%d,%s\n", line, rank+1, p, r.depth, mark); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Order returns the row numbers by falling probability, equal ones as they were added.
func (s *Spill) Order() []int32 {
	order := make([]int32, s.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.row(b).probability, s.row(a).probability), cmp.Compare(a, b))
	})
	return order
}

// read returns row i without its line end, in buf if it fits, with so many columns.
func (s *Spill) read(i int32, buf []byte, columns int) ([]byte, Mark, error) {
	from, to := s.row(i).offset, s.end
	if i+1 < s.n {
		to = s.row(i + 1).offset
	}
	n := int(to - from)
	buf = slices.Grow(buf[:0], n)[:n]
	if _, err := s.file.ReadAt(buf, from); err != nil {
		return nil, 0, err
	}
	last := buf[n-trailer:]
	mark, cells := Mark(last[0]), int(last[1])|int(last[2])<<8
	buf = buf[:n-trailer-1]
	for ; cells < columns; cells++ {
		buf = append(buf, ',')
	}
	return buf, mark, nil
}

// Fields returns the cells of row i, as they were added.
func (s *Spill) Fields(i int32) ([]string, error) {
	if err := s.out.Flush(); err != nil {
		return nil, err
	}
	line, _, err := s.read(i, nil, 0)
	if err != nil {
		return nil, err
	}
	return csv.NewReader(bytes.NewReader(append(line, '\n'))).Read()
}

// Probability returns that of row i.
func (s *Spill) Probability(i int32) float32 { return s.row(i).probability }
