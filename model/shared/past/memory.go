package past

import (
	"encoding/binary"
	"slices"
)

// Legend: M molecules, A assays.

// Assay is a past assay.
type Assay struct {
	Name  string `json:"name"`            // in its file
	File  string `json:"file"`            // name of the file, without its folder
	Added string `json:"added,omitempty"` // date, such as 2026-11-29
	// Valued assays have measured values, others labels alone.
	Valued bool `json:"valued,omitempty"`
	Sums
}

// Sums are of the labels of an assay, one for each molecule.
type Sums struct {
	Molecules int   `json:"molecules"`
	Actives   int   `json:"actives"`
	Ranks     int64 `json:"ranks"`   // the sum of their ranks
	Squares   int64 `json:"squares"` // the sum of the squares of their ranks
}

func (s *Sums) add(l Label) {
	rank := int64(l.Rank)
	s.Molecules, s.Ranks, s.Squares = s.Molecules+1, s.Ranks+rank, s.Squares+rank*rank
	if l.Active {
		s.Actives++
	}
}

// Parts is the number of different ranks of an assay, and one.
const Parts = 128

// Label is a molecule's label in a past assay.
type Label struct {
	Assay  int32
	Active bool
	Rank   uint8 // of its value in the assay, between 1 and Parts − 1, larger for actives; without values 1 or Parts − 1
}

// LabelOf returns a label without a value.
func LabelOf(active bool) Label {
	if active {
		return Label{Active: true, Rank: Parts - 1}
	}
	return Label{Rank: 1}
}

func (l Label) cell() byte {
	if l.Active {
		return l.Rank | Parts
	}
	return l.Rank
}

func labelOf(assay int, cell byte) Label {
	return Label{Assay: int32(assay), Active: cell&Parts != 0, Rank: cell &^ Parts}
}

// Memory holds the labels of M molecules in A past assays.
type Memory struct {
	Assays []Assay // [A]
	Stored         // what is kept beside them
	keys   []uint64
	ends   []uint64 // [M] molecule i has the bytes ends[i−1] to ends[i] of labels
	labels []byte   // for each label, the number of assays passed over as a varint, and a byte of activity and rank
}

// Stored is what a model's file keeps beside the labels.
type Stored struct {
	Weights Weights // how much they count
	Trials  []byte  // of assays, from which the weights were chosen; empty: none
	Taught  []byte  // the network that predicts labels of molecules without any (package taught); empty: none
}

// Usual are the weights of past assays that have none of their own. They were chosen on assays of ToxCast (docs/history.md).
var Usual = Weights{Profile: 6, Hits: 0.75, Agreement: 3}

// Weights are how much past assays count. The zero value stands for Usual.
type Weights struct {
	Profile   float64 `json:"profile"`   // of the cosine of two molecules' labels
	Hits      float64 `json:"hits"`      // of a molecule's mean label
	Agreement float64 `json:"agreement"` // of assays whose labels agree with the support set's
}

// Molecules returns M.
func (m *Memory) Molecules() int { return len(m.keys) }

// Keys returns the keys [M] of the molecules, ascending.
func (m *Memory) Keys() []uint64 { return m.keys }

// row returns the bytes of molecule i.
func (m *Memory) row(i int) []byte {
	from := uint64(0)
	if i > 0 {
		from = m.ends[i-1]
	}
	return m.labels[from:m.ends[i]]
}

// Part is the assays of a memory that count.
type Part struct {
	*Memory
	Numbers []int32 // [A] of each assay among those of all parts; −1: it does not count
}

// PartsOf returns the parts of memories with all their assays, except those that are left out, and the names of the assays that
// count, in the order of their numbers.
func PartsOf(memories []*Memory, without func(memory, assay int) bool) (parts []Part, assays []*Assay) {
	for i, m := range memories {
		p := Part{m, make([]int32, len(m.Assays))}
		for a := range m.Assays {
			p.Numbers[a] = -1
			if without == nil || !without(i, a) {
				p.Numbers[a] = int32(len(assays))
				assays = append(assays, &m.Assays[a])
			}
		}
		parts = append(parts, p)
	}
	return parts, assays
}

// Append appends the labels of the molecule with a key in assays that count, by their numbers.
func (p Part) Append(labels []Label, key uint64) []Label {
	i, known := slices.BinarySearch(p.keys, key)
	if !known {
		return labels
	}
	return p.appendRow(labels, i)
}

func (p Part) appendRow(labels []Label, i int) []Label {
	row := p.row(i)
	for at := 0; len(row) > 1; {
		passed, n := uint64(row[0]), 1
		if passed > 127 {
			passed, n = binary.Uvarint(row)
		}
		if n <= 0 || n >= len(row) || passed >= uint64(len(p.Numbers)-at) {
			break // of a forged file
		}
		at += int(passed)
		if number := p.Numbers[at]; number >= 0 {
			labels = append(labels, labelOf(int(number), row[n]))
		}
		at, row = at+1, row[n+1:]
	}
	return labels
}

// merged returns the label that stands for several of one molecule in one assay: the mean rank, and the activity of most.
func merged(labels []Label) Label {
	if len(labels) == 1 {
		return labels[0]
	}
	votes, ranks := 0, 0
	for _, l := range labels {
		ranks += int(l.Rank)
		votes--
		if l.Active {
			votes += 2
		}
	}
	l := labels[0]
	l.Rank = uint8((2*ranks + len(labels)) / (2 * len(labels)))
	l.Active = votes > 0 || votes == 0 && l.Rank > Parts/2
	return l
}
