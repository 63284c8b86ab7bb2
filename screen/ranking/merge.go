package ranking

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

// section is the place of a run in a file.
type section struct {
	from       io.ReaderAt
	start, end int64
	numbers    numbering // of its rows
	assays     int       // length of their Score.Each
	first      int64     // offset added to the numbers of its rows
	sum        *uint32   // checksum of its bytes; nil: not checked
	longest    int64     // maximum length of the cells of a row, which has no molecule; 0: no limit
}

// A record is the next row of a run on disk.
type record struct {
	order
	Score
	molecule []byte
	cells    Cells
	place    place // of the cells

	section
	text  []byte
	from  *bufio.Reader
	at    int64 // offset of the next row in the file
	check func() error
}

// recordHead is the length of the head of a row on disk, in bytes: its number (8) and the length of what follows (4):
// its numbers (4 bytes each), its molecule and its cells (see [Cells]).
const recordHead = 12

// writeRow writes a row and returns the number of bytes. Out is flushed later, and then returns errors.
func writeRow(out *bufio.Writer, number int64, text []byte) int64 {
	var head [recordHead]byte
	binary.LittleEndian.PutUint64(head[0:], uint64(number))
	binary.LittleEndian.PutUint32(head[8:], uint32(len(text)))
	_, _ = out.Write(head[:])
	_, _ = out.Write(text)
	return recordHead + int64(len(text))
}

// mergeBytes is the total size of the read buffers of all runs.
const mergeBytes = 2 << 20

// merge calls use with all rows in the order of their ranks, until it returns ErrEnough.
func (s *Spill) merge(use func(*record) error) error {
	var next records
	for i, run := range s.runs {
		size := min(max(mergeBytes/len(s.runs), 1<<12), 1<<20)
		r := run.open(i, size)
		if more, err := r.read(); err != nil {
			return err
		} else if more {
			next = append(next, r)
		}
	}
	heap.Init(&next)
	for len(next) > 0 {
		r := next[0]
		if err := use(r); errors.Is(err, ErrEnough) {
			return nil
		} else if err != nil {
			return err
		}
		more, err := r.read()
		switch {
		case err != nil:
			return err
		case more:
			heap.Fix(&next, 0)
		default:
			heap.Pop(&next)
		}
	}
	return nil
}

// read reads the next row of the run. It returns false at the end of the run.
func (r *record) read() (more bool, err error) {
	var head [recordHead]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return false, r.check()
		}
		return false, ended(err)
	}
	n, fixed := int64(binary.LittleEndian.Uint32(head[8:])), int64(4*(len(r.numbers)+r.assays))
	if n <= fixed || r.at+recordHead+n > r.end || r.longest > 0 && n > fixed+1+r.longest {
		return false, errDamaged
	}
	r.text = slices.Grow(r.text[:0], int(n))[:n]
	if _, err = io.ReadFull(r.from, r.text); err != nil {
		return false, ended(err)
	}
	r.numbers.read(r.text, r.assays, &r.Score)
	r.order = order{r.first + int64(binary.LittleEndian.Uint64(head[0:])), r.Probability, r.LogOdds}
	molecule, cells, sound := next(r.text[fixed:])
	if r.molecule, r.cells = molecule, cells; !sound || r.cells.count() < 0 || r.longest > 0 && len(molecule) > 0 {
		return false, errDamaged
	}
	r.at += recordHead + n
	r.place.length, r.place.start = int32(len(cells)), r.at-int64(len(cells))
	return true, nil
}

// ended returns err, or errDamaged if the run ends within a row.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// open begins to read run i with a buffer of this size.
func (s section) open(i, size int) *record {
	from := io.Reader(io.NewSectionReader(s.from, s.start, s.end-s.start))
	r := &record{section: s, at: s.start, check: func() error { return nil }}
	r.place.run = int32(i)
	if s.sum != nil {
		from, r.check = checked(from, *s.sum)
	}
	r.from = bufio.NewReaderSize(from, size)
	return r
}

// checked returns a reader of the same bytes. After the last one, check returns errDamaged if they have another checksum.
func checked(from io.Reader, sum uint32) (_ io.Reader, check func() error) {
	got := crc32.New(Castagnoli)
	return io.TeeReader(from, got), func() error {
		if got.Sum32() != sum {
			return errDamaged
		}
		return nil
	}
}

// Castagnoli is the polynomial of the checksums of stored rows.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("the rows that were kept of a part are damaged: remove the folder of the parts, and give the command again")

// records is a heap of the next rows of all runs.
type records []*record

func (h records) Len() int           { return len(h) }
func (h records) Less(i, j int) bool { return h[i].before(h[j].order) < 0 }
func (h records) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *records) Push(x any)        { *h = append(*h, x.(*record)) }

func (h *records) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
