package ranking

import (
	"bufio"
	"errors"
	"hash/crc32"
	"io"
)

// Kept describes the kept rows of a part, which will be merged with those of other parts.
type Kept struct {
	Ranked int    `json:"ranked"` // number of ranked rows
	Bytes  int64  `json:"bytes"`  // length of the rows that were written
	Sum    uint32 `json:"crc32c"` // checksum of these bytes
	Scores Scores `json:"scores"` // of all rows

	LogOdds bool `json:"log_odds,omitempty"` // rows have their log-odds; those of earlier versions lack them
}

// Most limits the rows that [Spill.Keep] writes: the first Rows, further ones until New of them are not in the support
// set, and those with the score of the last one. The zero value stands for all rows.
type Most struct{ Rows, New int }

// Keep writes the first rows with their scores in the order of their ranks. No row can be added afterwards.
func (s *Spill) Keep(w io.Writer, most Most) (Kept, error) {
	if err := s.finish(); err != nil {
		return Kept{}, err
	}
	k := Kept{Ranked: s.n, Scores: s.Scores, LogOdds: true}
	sum := crc32.New(Castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	rank, unmarked := 0, 0
	var last scored
	err := s.merge(func(r *record) error {
		if rank++; most != (Most{}) {
			if rank > most.Rows && unmarked >= most.New && (r.probability != last.probability || r.logOdds != last.logOdds) {
				return errEnough
			}
			last = r.scored
			if _, score, _ := cut(r.text); score.Mark == 0 {
				unmarked++
			}
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

// MostBytes returns the largest length of this number of rows that Keep writes, with lines of at most this length.
func MostBytes(rows, longest int) int64 {
	return int64(rows) * int64(recordHead+longest+longestTrailer)
}

var errEnough = errors.New("there are enough rows")

// Take adds rows that Keep wrote elsewhere. They follow all rows added so far. Until it is closed, the Spill
// reads them in place: from must stay open.
func (s *Spill) Take(from io.ReaderAt, k Kept) error {
	if err := s.finish(); err != nil {
		return err
	}
	run := section{from: from, end: k.Bytes, first: int64(s.n), sum: &k.Sum, earlier: !k.LogOdds}
	if s.Longest > 0 {
		run.longest = int64(s.Longest) + longestTrailer
	}
	s.runs = append(s.runs, run)
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

// Take adds n molecules that Keep wrote elsewhere. They follow all molecules added so far.
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
