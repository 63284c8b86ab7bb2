package ranking

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/trust"
)

// Columns that a ranked table has after those of the library, in this order. All but the first four are
// optional.
var (
	added            = []string{"rank", "probability", "depth", "in_support"}
	addedNear        = []string{"nearest_active", "nearest_active_tanimoto", "nearest_inactive", "nearest_inactive_tanimoto", "domain"}
	addedUncertainty = "uncertainty"
	addedSpread      = "spread"
	addedRefined     = "refined"
	PotencyColumns   = []string{"potency", "potency_low", "potency_high"}
	addedPredicted   = []string{"predicted", "predicted_low", "predicted_high"} // in the unit of the support set
	addedUnit        = "predicted_unit"                                         // if they have a unit
	addedPick        = "pick"
	addedSelectivity = "selectivity"
)

// AgainstColumns returns the names of the columns of probabilities in the unwanted assays with these names.
func AgainstColumns(names []string) []string {
	return each.Of(names, func(name string) string { return "probability_" + name })
}

// Extra is a set of further columns of the ranked table. Cells returns the cells of a row; nil leaves them
// empty.
type Extra struct {
	Names []string
	Cells func(Ranked) []string
}

// reserved are the names of all these columns except those of predicted values.
var reserved = slices.Concat(added, addedNear, []string{addedUncertainty, addedSpread, addedRefined, addedPick, addedSelectivity})

// A Score is the result for a row.
type Score struct {
	Probability float32   // of being active; with several assays, the selectivity
	LogOdds     float32   // of the probability; it orders rows whose probabilities are equal, such as 1
	Each        []float32 // probabilities of being active in several assays, the wanted one first; nil with one assay
	Depth       int32
	Mark        Mark
	Near        trust.Near // zero if it was not added
	Uncertainty float32    // 0 if the table has no such column
	Spread      float32    // 0 if the table has no such column
	Refined     bool       // it was scored again, with vectors of a pretrained encoder
	Potency     model.Potency
}

// Ties reports whether nothing but their numbers orders two rows.
func (s *Score) Ties(with Score) bool {
	return s.Probability == with.Probability && s.LogOdds == with.LogOdds
}

// Header returns the columns of the ranked table for a library with this header.
func (s *Spill) Header(header []string) []string {
	columns := append(slices.Clone(header), added...)
	if s.Named != nil {
		columns = append(columns, addedNear...)
	}
	if s.Scale != nil {
		columns = append(columns, PotencyColumns...)
		if s.Scale.Log {
			columns = append(columns, addedPredicted...)
		}
		if united(s.Scale) {
			columns = append(columns, addedUnit)
		}
	}
	if s.Uncertainty {
		columns = append(columns, addedUncertainty)
	}
	if s.Spread {
		columns = append(columns, addedSpread)
	}
	if s.Refined {
		columns = append(columns, addedRefined)
	}
	if s.Picked != nil {
		columns = append(columns, addedPick)
	}
	if len(s.Against) > 0 {
		columns = append(append(columns, AgainstColumns(s.Against)...), addedSelectivity)
	}
	for _, e := range s.Extra {
		columns = append(columns, e.Names...)
	}
	return columns
}

// appendCells appends the cells of the optional columns to a line.
func (s *Spill) appendCells(line []byte, r Ranked) []byte {
	if n := r.Near; s.Named != nil {
		line = append(append(line, ','), quoted(s.Named(n.Active))...)
		line = appendFraction(line, n.ToActive)
		line = append(append(line, ','), quoted(s.Named(n.Inactive))...)
		line = appendFraction(line, n.ToInactive)
		line = append(append(line, ','), Domain(n)...)
	}
	if s.Scale != nil {
		line = appendPotency(line, r.Potency, s.Scale)
	}
	if s.Uncertainty {
		line = appendFraction(line, r.Uncertainty)
	}
	if s.Spread {
		line = strconv.AppendFloat(append(line, ','), float64(r.Spread), 'g', 3, 32)
	}
	if s.Refined {
		line = append(append(line, ','), yes(r.Refined)...)
	}
	if s.Picked != nil {
		line = append(line, ',')
		if place := s.Picked[r.Number]; place > 0 {
			line = strconv.AppendInt(line, int64(place), 10)
		}
	}
	if len(s.Against) > 0 {
		for i := range s.Against {
			line = append(line, ',')
			if i+1 < len(r.Each) {
				line = strconv.AppendFloat(line, float64(r.Each[i+1]), 'g', 6, 32)
			}
		}
		line = strconv.AppendFloat(append(line, ','), float64(r.Probability), 'g', 6, 32)
	}
	for _, e := range s.Extra {
		cells := e.Cells(r)
		for i := range e.Names {
			line = append(line, ',')
			if i < len(cells) {
				line = append(line, quoted(cells[i])...)
			}
		}
	}
	return line
}

// Domain returns the cell of the column domain: inside or outside.
func Domain(n trust.Near) string {
	if n.Inside() {
		return "inside"
	}
	return "outside"
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func appendFraction(line []byte, v float32) []byte {
	return strconv.AppendFloat(append(line, ','), float64(v), 'f', 3, 32)
}

func quoted(cell string) string {
	cell = table.Plain(cell)
	if cell == "" || !strings.ContainsAny(cell, ",\"\r\n") && strings.TrimSpace(cell) == cell {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// trailer is the length, in bytes, of the numbers after the cells of a row: the nearest molecules and their
// similarities (4 numbers of 4 bytes), the uncertainty, the spread, the potency and the ends of its interval
// (4 each), the mark with markKnown, markRefined and the length of Score.Each (1), and the number of cells (2).
const trailer = 39

// longestTrailer is the largest length of what follows the cells of a row.
const longestTrailer = trailer + 4*MostAssays

// markKnown is the bit of [trust.Near.Known], markRefined that of [Score.Refined]. The bits from markEach on are the length
// of [Score.Each], whose numbers (4 bytes each) precede the trailer.
const markKnown, markRefined, markEach = 1 << 7, 1 << 6, 2

// MostAssays is the maximum number of assays for which a row has probabilities.
const MostAssays = 7

// Wanted returns the probability of being active in the wanted assay.
func (s *Score) Wanted() float32 {
	if len(s.Each) > 0 {
		return s.Each[0]
	}
	return s.Probability
}

func appendTrailer(to []byte, s Score, cells int) []byte {
	n := s.Near
	for _, p := range s.Each {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(p))
	}
	for _, v := range []uint32{
		uint32(n.Active), uint32(n.Inactive), math.Float32bits(n.ToActive), math.Float32bits(n.ToInactive),
		math.Float32bits(s.Uncertainty), math.Float32bits(s.Spread),
		math.Float32bits(s.Potency.Value), math.Float32bits(s.Potency.Low), math.Float32bits(s.Potency.High),
	} {
		to = binary.LittleEndian.AppendUint32(to, v)
	}
	mark := byte(s.Mark) | byte(len(s.Each))<<markEach
	if n.Known {
		mark |= markKnown
	}
	if s.Refined {
		mark |= markRefined
	}
	return append(to, mark, byte(cells), byte(cells>>8))
}

// cut splits the text of a row into its line, its score and the number of its cells.
func cut(text []byte) (line []byte, s Score, cells int) {
	end := len(text) - trailer
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(text[end+4*i:]) }
	fraction := func(i int) float32 { return math.Float32frombits(at(i)) }
	last := text[len(text)-3:]
	s.Near = trust.Near{Active: int32(at(0)), Inactive: int32(at(1)), ToActive: fraction(2), ToInactive: fraction(3), Known: last[0]&markKnown != 0}
	s.Uncertainty, s.Spread, s.Mark = fraction(4), fraction(5), Mark(last[0])&(InSupportActive|InSupportInactive)
	s.Potency = model.Potency{Value: fraction(6), Low: fraction(7), High: fraction(8)}
	s.Refined = last[0]&markRefined != 0
	each := int(last[0]&^(markKnown|markRefined)) >> markEach
	if each > 0 && 4*each <= end {
		end -= 4 * each
		for i := range each {
			s.Each = append(s.Each, math.Float32frombits(binary.LittleEndian.Uint32(text[end+4*i:])))
		}
	}
	return text[:end], s, int(last[1]) | int(last[2])<<8
}

// Called returns the name of molecule i of the support set or, if it has none, its SMILES.
func (s *Support) Called(i int32) string {
	if i < 0 || int(i) >= len(s.Names) {
		return "" // only in damaged rows, which their checksum will reveal
	}
	if name := s.Names[i]; name != "" {
		return name
	}
	return s.SMILES[i]
}

// MostColumns is the maximum number of different columns of all files.
const MostColumns = 8192

// check returns an error for too many columns, and for a new column with the name of one that the ranked table
// adds.
func (t *Table) check() error {
	if len(t.Header) > MostColumns {
		return &badinput.Error{
			File: t.files[len(t.files)-1].Name, What: fmt.Sprintf("the files have more than %d different columns together", MostColumns),
			Fix: "rank them one by one, or leave out columns",
		}
	}
	if !t.options.Ranked {
		return nil
	}
	taken := each.If(t.Header[t.checked:], t.options.taken)
	if t.checked = len(t.Header); len(taken) == 0 {
		return nil
	}
	of := slices.IndexFunc(t.files, func(f *tableFile) bool { return slices.Contains(f.Header, taken[0]) })
	fault := &badinput.Error{File: t.files[max(0, of)].Name, Row: 1, Column: taken[0],
		What: "the ranked table gets a column of this name", Fix: "rename it"}
	if more := taken[1:]; len(more) > 0 {
		fault.What += ", and others called " + badinput.List(more)
		fault.Fix = "rename them"
	}
	return fault
}

// taken reports whether the ranked table adds a column of this name.
func (o *Options) taken(name string) bool {
	all := slices.Concat(reserved, o.Extra)
	if o.Numbers {
		all = slices.Concat(all, PotencyColumns, addedPredicted, []string{addedUnit})
	}
	return slices.Contains(all, name)
}
