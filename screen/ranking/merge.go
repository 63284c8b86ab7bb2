package ranking

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// recordHead is the length of the head of a row on disk, in bytes: its number (8), probability (4), depth (4), the
// length of its text (4) and its log-odds (4), which earlier versions did not keep. The text follows.
const recordHead, earlierHead = 24, 20

// A record is the next row of a run on disk.
type record struct {
	scored
	text  []byte
	from  *bufio.Reader
	first int64 // offset added to its number
	most  int64 // maximum length of its text
	head  int   // length of the head of a row
	check func() error
}

// mergeBytes is the total size of the read buffers of all runs.
const mergeBytes = 2 << 20

// merge calls use with all rows in the order of their ranks.
func (s *Spill) merge(use func(*record) error) error {
	var next records
	for _, run := range s.runs {
		size := min(max(mergeBytes/len(s.runs), 1<<12), 1<<20)
		r := run.open(size)
		if more, err := r.read(); err != nil {
			return err
		} else if more {
			next = append(next, r)
		}
	}
	heap.Init(&next)
	for len(next) > 0 {
		r := next[0]
		if err := use(r); err != nil {
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
	if _, err := io.ReadFull(r.from, head[:r.head]); err != nil {
		if errors.Is(err, io.EOF) {
			return false, r.check()
		}
		return false, ended(err)
	}
	r.number = r.first + int64(binary.LittleEndian.Uint64(head[0:]))
	r.probability = math.Float32frombits(binary.LittleEndian.Uint32(head[8:]))
	r.depth = int32(binary.LittleEndian.Uint32(head[12:]))
	n := int(binary.LittleEndian.Uint32(head[16:]))
	r.logOdds = math.Float32frombits(binary.LittleEndian.Uint32(head[20:])) // 0 in rows of earlier versions
	if n < trailer || int64(n) > r.most {
		return false, errDamaged
	}
	r.text = slices.Grow(r.text[:0], n)[:n]
	_, err = io.ReadFull(r.from, r.text)
	return true, ended(err)
}

// ended returns err, or errDamaged if the run ends within a row.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// open begins to read a run with a buffer of this size.
func (s section) open(size int) *record {
	from := io.Reader(io.NewSectionReader(s.from, s.start, s.end-s.start))
	r := &record{first: s.first, most: s.end - s.start, head: recordHead, check: func() error { return nil }}
	if s.earlier {
		r.head = earlierHead
	}
	if s.longest > 0 {
		r.most = min(r.most, s.longest)
	}
	if s.sum != nil {
		got := crc32.New(Castagnoli)
		from = io.TeeReader(from, got)
		r.check = func() error {
			if got.Sum32() != *s.sum {
				return errDamaged
			}
			return nil
		}
	}
	r.from = bufio.NewReaderSize(from, size)
	return r
}

// Castagnoli is the polynomial of the checksums of kept rows.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("the rows that were kept of a part are damaged: remove the folder of the parts, and give the command again")

// records is a heap of the next rows of all runs.
type records []*record

func (h records) Len() int           { return len(h) }
func (h records) Less(i, j int) bool { return h[i].before(h[j].scored) < 0 }
func (h records) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *records) Push(x any)        { *h = append(*h, x.(*record)) }

func (h *records) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
