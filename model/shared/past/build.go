package past

import (
	"encoding/binary"
	"slices"

	"pacia/internal/each"
)

// Legend: n rows of a table, M molecules.

// Column is a past assay of a table of molecules.
type Column struct {
	Name   string
	Valued bool
	Rows   []int32 // of the table
	Labels []Label // of these rows
}

// New returns the memory of the assays of a file, with the keys [n] of its rows, which may repeat. An assay that measured a molecule in
// several rows has the mean of its ranks, and the activity of most.
func New(file, added string, keys []uint64, columns []Column) *Memory {
	unique := slices.Compact(slices.Sorted(slices.Values(keys)))
	place := make([]int32, len(keys)) // of each row's molecule
	for row, key := range keys {
		at, _ := slices.BinarySearch(unique, key)
		place[row] = int32(at)
	}
	b := &builder{counts: make([]int, len(unique)+1)}
	assays := make([]Assay, len(columns))
	byAssay := make([][]placed, len(columns))
	for a, c := range columns {
		assays[a] = Assay{Name: c.Name, File: file, Added: added, Valued: c.Valued}
		byAssay[a] = b.column(c, place, &assays[a].Sums)
	}
	return b.memory(unique, byAssay, assays)
}

// placed is a label of the molecule at a place.
type placed struct {
	place int32
	cell  byte
}

// builder counts the labels of molecules.
type builder struct{ counts []int }

// column returns the labels of an assay, one for each molecule, in the order of molecules.
func (b *builder) column(c Column, place []int32, sums *Sums) (all []placed) {
	order := each.Order[int](len(c.Rows))
	slices.SortStableFunc(order, func(i, j int) int { return int(place[c.Rows[i]]) - int(place[c.Rows[j]]) })
	for len(order) > 0 {
		at := place[c.Rows[order[0]]]
		n := 1
		for n < len(order) && place[c.Rows[order[n]]] == at {
			n++
		}
		l := merged(each.Of(order[:n], func(i int) Label { return c.Labels[i] }))
		sums.add(l)
		b.counts[at]++
		all, order = append(all, placed{at, l.cell()}), order[n:]
	}
	return all
}

// memory turns the labels of assays into those of molecules.
func (b *builder) memory(keys []uint64, byAssay [][]placed, assays []Assay) *Memory {
	next, total := make([]int, len(keys)), 0
	for i := range keys {
		next[i], total = total, total+b.counts[i]
	}
	labels := make([]Label, total)
	for a, column := range byAssay {
		for _, p := range column {
			labels[next[p.place]] = labelOf(a, p.cell)
			next[p.place]++
		}
	}
	m := &Memory{Assays: assays}
	for i, key := range keys {
		m.add(key, labels[next[i]-b.counts[i]:next[i]])
	}
	return m
}

// add appends a molecule, unless it has no labels. The keys of molecules and the assays of labels must ascend.
func (m *Memory) add(key uint64, labels []Label) {
	if len(labels) == 0 {
		return
	}
	next := int32(0)
	for _, l := range labels {
		m.labels = append(binary.AppendUvarint(m.labels, uint64(l.Assay-next)), l.cell())
		next = l.Assay + 1
	}
	m.keys, m.ends = append(m.keys, key), append(m.ends, uint64(len(m.labels)))
}

// Compose returns one memory of the assays that count in parts. The weights, trials and what was taught are left out.
func Compose(parts []Part) *Memory {
	m := new(Memory)
	size := 0
	for _, p := range parts {
		size += len(p.labels)
		for a, number := range p.Numbers {
			if number >= 0 {
				m.Assays = append(m.Assays, p.Assays[a])
			}
		}
	}
	m.labels = make([]byte, 0, size)
	walk(parts, m.add)
	return m
}

// Molecules returns the number of molecules that assays of parts measured.
func Molecules(parts []Part) (n int) {
	walk(parts, func(_ uint64, labels []Label) {
		if len(labels) > 0 {
			n++
		}
	})
	return n
}

// walk calls use with the labels of each molecule of parts, perhaps none, in the order of keys. They are valid until it returns.
func walk(parts []Part, use func(key uint64, labels []Label)) {
	next := make([]int, len(parts))
	var labels []Label
	for {
		key, left := uint64(0), false
		for i, p := range parts {
			if next[i] < len(p.keys) && (!left || p.keys[next[i]] < key) {
				key, left = p.keys[next[i]], true
			}
		}
		if !left {
			return
		}
		labels = labels[:0]
		for i, p := range parts {
			if next[i] < len(p.keys) && p.keys[next[i]] == key {
				labels = p.appendRow(labels, next[i])
				next[i]++
			}
		}
		use(key, labels)
	}
}
