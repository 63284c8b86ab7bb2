package ranking

import (
	"bufio"
	"errors"
	"hash/crc32"
	"io"
)

// Kept is what was written of the rows of a part, to be merged with those of others.
type Kept struct {
	Ranked int    `json:"ranked"` // rows
	Bytes  int64  `json:"bytes"`  // of those that were written
	Sum    uint32 `json:"crc32c"` // of these bytes
	Scores Scores `json:"scores"` // of all rows
}

// Keep writes the first rows, most of them or all for 0, in the order of their ranks, with
// all that is known of them. No row can be added afterwards.
func (s *Spill) Keep(w io.Writer, most int) (Kept, error) {
	if err := s.finish(); err != nil {
		return Kept{}, err
	}
	k := Kept{Ranked: s.n, Scores: s.Scores}
	sum := crc32.New(Castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	rank := 0
	err := s.merge(func(r *record) error {
		if rank++; most > 0 && rank > most {
			return errEnough
		}
		k.Bytes += r.write(out, r.text)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	err = errors.Join(err, out.Flush())
	k.Sum = sum.Sum32()
	return k, err
}

var errEnough = errors.New("there are enough rows")

// Take adds what Keep wrote elsewhere: rows that come after all that were added so far.
// It is read until the Spill is closed.
func (s *Spill) Take(from io.ReaderAt, k Kept) error {
	if err := s.finish(); err != nil {
		return err
	}
	s.runs = append(s.runs, section{from: from, end: k.Bytes, first: int64(s.n), sum: &k.Sum})
	s.n += k.Ranked
	s.Scores.join(&k.Scores)
	return nil
}

// Keep writes the molecules, without a header, and returns the checksum of what it wrote.
func (v *Invalid) Keep(w io.Writer) (sum uint32, err error) {
	if err := v.Flush(); err != nil {
		return 0, err
	}
	of := crc32.New(Castagnoli)
	err = v.copyFrom(v.head, io.MultiWriter(w, of))
	return of.Sum32(), err
}

// Take adds n molecules that Keep wrote elsewhere. They come after all that were added so far.
func (v *Invalid) Take(from io.Reader, n int, sum uint32) error {
	if err := v.Flush(); err != nil {
		return err
	}
	v.n += n
	of := crc32.New(Castagnoli)
	if _, err := io.Copy(v.file, io.TeeReader(from, of)); err != nil {
		return err
	}
	if of.Sum32() != sum {
		return errDamaged
	}
	return nil
}
