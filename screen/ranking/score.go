package ranking

import (
	"encoding/binary"
	"math"

	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/trust"
)

// A Mark holds the labels that a candidate has in the support set.
type Mark uint8

// The marks are bits.
const (
	InSupportInactive Mark = 1 << iota
	InSupportActive
)

func (m Mark) String() string { return []string{"", "inactive", "active", "both"}[m&3] }

// A Score is the result for a row. Its numbers are in the list of columns (columns.go), with which they are stored.
type Score struct {
	model.Score            // with several assays, the probability and its log-odds are those of the selectivity
	Each        []float32  // probabilities of being active in several assays, the wanted one first; nil with one assay
	Mark        Mark       // label in the support set
	Near        trust.Near // zero if it was not added
	Refined     bool       // it was scored again, with vectors of a pretrained encoder
}

// MostAssays is the maximum number of assays for which a row has probabilities.
const MostAssays = 7

// Wanted returns the probability of being active in the wanted assay.
func (s *Score) Wanted() float32 {
	if len(s.Each) > 0 {
		return s.Each[0]
	}
	return s.Probability
}

// Ties reports whether nothing but their numbers orders two rows.
func (s *Score) Ties(with Score) bool {
	return s.Probability == with.Probability && s.LogOdds == with.LogOdds
}

// A numbering is the order of the numbers in stored rows, as indices in the list of columns. Those that this version
// does not know are −1.
type numbering []int

// numbering returns the numbering of this version for a ranking.
func (l *Layout) numbering() (all numbering) {
	for i := range columns {
		if c := &columns[i]; c.Number != nil && (!c.Rare || c.Has(l)) {
			all = append(all, i)
		}
	}
	return all
}

// numberingOf returns the numbering of stored rows whose numbers have these names.
func numberingOf(names []string) numbering {
	all := make(numbering, len(names))
	for k, name := range names {
		all[k] = -1
		for i := range columns {
			if columns[i].Name == name && columns[i].Number != nil {
				all[k] = i
			}
		}
	}
	return all
}

// names returns the names of the numbers.
func (n numbering) names() []string { return each.Of(n, func(i int) string { return columns[i].Name }) }

// append appends the numbers of a score, in 4 bytes each, and its probabilities in several assays.
func (n numbering) append(to []byte, s *Score) []byte {
	for _, i := range n {
		var v uint32
		switch at := columns[i].Number(s).(type) {
		case *float32:
			v = math.Float32bits(*at)
		case *int32:
			v = uint32(*at)
		case *Mark:
			v = uint32(*at)
		case *bool:
			if *at {
				v = 1
			}
		}
		to = binary.LittleEndian.AppendUint32(to, v)
	}
	for _, p := range s.Each {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(p))
	}
	return to
}

// read reads the numbers of a score and its probabilities in this number of assays, from as many bytes as it needs.
func (n numbering) read(from []byte, assays int, s *Score) {
	*s = Score{}
	for k, i := range n {
		if i < 0 {
			continue
		}
		v := binary.LittleEndian.Uint32(from[4*k:])
		switch at := columns[i].Number(s).(type) {
		case *float32:
			*at = math.Float32frombits(v)
		case *int32:
			*at = int32(v)
		case *Mark:
			*at = Mark(v) & (InSupportActive | InSupportInactive)
		case *bool:
			*at = v != 0
		}
	}
	for k := range assays {
		s.Each = append(s.Each, math.Float32frombits(binary.LittleEndian.Uint32(from[4*(len(n)+k):])))
	}
}
