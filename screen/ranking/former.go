package ranking

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"pacia/data/table"
	"pacia/model"
	"pacia/screen/trust"
)

// Rows that versions before 0.10 stored, from 0.9.0 on, have a head and a text: the cells as a line of CSV, probabilities in several
// assays (4 bytes each), and a trailer. The head has the number of the row (8 bytes), its probability (4), depth (4), the
// length of the text (4) and, if Stored.LogOdds, its log-odds (4). The trailer has the nearest molecules and their
// similarities (4 numbers of 4 bytes), the uncertainty, the spread, the potency and the ends of its interval (4 each), a
// byte of marks, and the number of cells (2).

const (
	formerHead, formerTrailer                       = 20, 39
	formerKnown, formerRefined, formerAssays, marks = 1 << 7, 1 << 6, 2, InSupportActive | InSupportInactive
)

// former reports whether an earlier version stored the rows.
func (k *Stored) former() bool { return len(k.Numbers) == 0 }

// formerLength returns the maximum length of a row whose cells are now stored in this number of bytes: quotation marks
// and a comma make a cell of one byte or more at most three times as long.
func formerLength(longest int) int64 {
	return int64(formerHead + 4 + 3*longest + 4*MostAssays + formerTrailer)
}

// convert writes rows of an earlier version as a run of this one.
func (s *Spill) convert(from io.ReaderAt, k Stored) (section, error) {
	run := section{from: s.file, start: s.end, end: s.end, numbers: s.numbering()}
	rows, check := checked(io.NewSectionReader(from, 0, k.Bytes), k.Sum)
	in, out := bufio.NewReaderSize(rows, 1<<16), bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.end), 1<<16)
	head := make([]byte, formerHead)
	if k.LogOdds {
		head = make([]byte, formerHead+4)
	}
	most := k.Bytes
	if s.Longest > 0 {
		most = min(most, formerLength(s.Longest))
	}
	var text, converted []byte
	for first := true; ; first = false {
		if _, err := io.ReadFull(in, head); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return run, ended(err)
		}
		n := int64(binary.LittleEndian.Uint32(head[16:]))
		if n < formerTrailer || n > most {
			return run, errDamaged
		}
		text = slices.Grow(text[:0], int(n))[:n]
		if _, err := io.ReadFull(in, text); err != nil {
			return run, ended(err)
		}
		score, cells, err := formerRow(head, text)
		if first {
			run.assays = len(score.Each)
		}
		if err != nil || len(score.Each) != run.assays {
			return run, errDamaged
		}
		converted = append(appendText(run.numbers.append(converted[:0], &score), ""), CellsFrom(cells)...)
		run.end += writeRow(out, int64(binary.LittleEndian.Uint64(head)), converted)
	}
	err := errors.Join(out.Flush(), check())
	s.end = run.end
	return run, err
}

// formerRow splits a row of an earlier version into its score and its cells.
func formerRow(head, text []byte) (s Score, cells []string, err error) {
	word := func(from []byte, i int) uint32 { return binary.LittleEndian.Uint32(from[4*i:]) }
	number := func(from []byte, i int) float32 { return math.Float32frombits(word(from, i)) }
	line, trailer := text[:len(text)-formerTrailer], text[len(text)-formerTrailer:]
	s.Score = model.Score{Probability: number(head, 2), Depth: int32(word(head, 3)),
		Uncertainty: number(trailer, 4), Spread: number(trailer, 5),
		Potency: model.Potency{Value: number(trailer, 6), Low: number(trailer, 7), High: number(trailer, 8)}}
	if len(head) > formerHead {
		s.LogOdds = number(head, 5)
	}
	mark := trailer[36]
	s.Near = trust.Near{Active: int32(word(trailer, 0)), Inactive: int32(word(trailer, 1)),
		ToActive: number(trailer, 2), ToInactive: number(trailer, 3), Known: mark&formerKnown != 0}
	s.Mark, s.Refined = Mark(mark)&marks, mark&formerRefined != 0
	assays := int(mark&^(formerKnown|formerRefined)) >> formerAssays
	if 4*assays > len(line) || assays > MostAssays {
		return s, nil, errDamaged
	}
	line, each := line[:len(line)-4*assays], line[len(line)-4*assays:]
	for i := range assays {
		s.Each = append(s.Each, number(each, i))
	}
	cells, err = table.ParseLine(line)
	if cells == nil {
		cells = []string{""} // the line of one empty cell
	}
	if len(cells) != int(binary.LittleEndian.Uint16(trailer[37:])) {
		err = errDamaged
	}
	return s, cells, err
}
