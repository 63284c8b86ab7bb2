package ranking

import (
	"bufio"
	"errors"
	"hash/crc32"
	"io"
)

// Stored describes stored rows: those of a part, which will be merged with those of other parts, or of a whole library.
// It is the header of a file of rows.
type Stored struct {
	Ranked int    `json:"ranked"` // number of ranked rows
	Bytes  int64  `json:"bytes"`  // length of the rows that were written
	Sum    uint32 `json:"crc32c"` // checksum of these bytes
	Scores Scores `json:"scores"` // of all rows

	Numbers []string `json:"numbers,omitempty"` // names of the numbers of a row, in their order; none: see former.go
	Assays  int      `json:"assays,omitempty"`  // further numbers of a row: length of Score.Each

	LogOdds bool `json:"log_odds,omitempty"` // of earlier versions: see former.go
}

// mostNumbers is the maximum number of numbers of a stored row.
const mostNumbers = 100

// RowLimit limits the rows that [Spill.Store] writes: the first Rows, further ones until New of them are not in the support
// set, and those with the score of the last one. The zero value stands for all rows.
type RowLimit struct{ Rows, New int }

// Store writes the first rows with their scores in the order of their ranks, with the molecules that the model read or
// without. No row can be added afterwards.
func (s *Spill) Store(w io.Writer, most RowLimit, molecules bool) (Stored, error) {
	if err := s.finish(); err != nil {
		return Stored{}, err
	}
	numbers := s.numbering()
	k := Stored{Ranked: s.n, Scores: s.Scores, Numbers: numbers.names()}
	sum := crc32.New(Castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	rank, unmarked := 0, 0
	var last Score
	var text []byte
	err := s.merge(func(r *record) error {
		if rank++; most != (RowLimit{}) {
			if rank > most.Rows && unmarked >= most.New && !r.Ties(last) {
				return ErrEnough
			}
			if last = r.Score; r.Mark == 0 {
				unmarked++
			}
		}
		k.Assays = len(r.Each)
		molecule := r.molecule
		if !molecules {
			molecule = nil
		}
		text = append(appendText(numbers.append(text[:0], &r.Score), molecule), r.cells...)
		k.Bytes += writeRow(out, r.number, text)
		return nil
	})
	err = errors.Join(err, out.Flush())
	k.Sum = sum.Sum32()
	return k, err
}

// Within reports whether the length of the rows is possible where none has longer cells than this, in bytes.
func (k *Stored) Within(longest int) bool {
	length := formerLength(longest)
	if !k.former() {
		length = int64(recordHead + 4*(len(k.Numbers)+k.Assays) + 1 + longest)
	}
	return k.sound() && k.Bytes >= 0 && k.Bytes <= int64(k.Ranked)*length
}

// sound reports whether a row can have so many numbers.
func (k *Stored) sound() bool {
	return k.former() || len(k.Numbers) <= mostNumbers && k.Assays >= 0 && k.Assays <= MostAssays
}

// Append adds rows that Store wrote elsewhere. They follow all rows added so far. Until it is closed, the Spill
// reads them in place: from must stay open.
func (s *Spill) Append(from io.ReaderAt, k Stored) error {
	if err := s.finish(); err != nil {
		return err
	}
	if !k.sound() {
		return errDamaged
	}
	run := section{from: from, end: k.Bytes, numbers: numberingOf(k.Numbers), assays: k.Assays, sum: &k.Sum, longest: int64(s.Longest)}
	if k.former() {
		var err error
		if run, err = s.convert(from, k); err != nil {
			return err
		}
	}
	run.first = int64(s.n)
	s.runs = append(s.runs, run)
	s.n += k.Ranked
	s.Scores.join(&k.Scores)
	return nil
}

// Store writes the molecules, without a header, and returns the checksum of what it wrote.
func (v *Invalid) Store(w io.Writer) (sum uint32, err error) {
	if err := v.Flush(); err != nil {
		return 0, err
	}
	of := crc32.New(Castagnoli)
	err = v.copyFrom(v.head, io.MultiWriter(w, of))
	return of.Sum32(), err
}

// Append adds n molecules that Store wrote elsewhere. They follow all molecules added so far.
func (v *Invalid) Append(from io.Reader, n int, sum uint32) error {
	if err := v.Flush(); err != nil {
		return err
	}
	v.n += n
	from, check := checked(from, sum)
	if _, err := io.Copy(v.file, from); err != nil {
		return err
	}
	return check()
}
