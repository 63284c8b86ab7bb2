package pretrain

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"pacia/data/assay"
	"pacia/internal/badinput"
)

// mark is one label.
type mark struct {
	molecule, assay int32
	active          uint8 // 0 or 1
}

// labels holds the labels of n molecules in T assays. Most pairs have no label.
type labels struct {
	assays []string // [T]
	ptr    []int32  // [n+1] marks of a molecule
	marks  []mark   // in the order of the molecules
}

// of returns the labels of a molecule.
func (l *labels) of(row int32) []mark { return l.marks[l.ptr[row]:l.ptr[row+1]] }

// none stands for a missing number, such as the row of a molecule that is left out.
const none = -1

func (r *reader) numberOf(name string) int32 {
	if r.number == nil {
		r.number = map[string]int32{}
	}
	n, known := r.number[name]
	if !known {
		n = int32(len(r.assays))
		r.number[name], r.assays = n, append(r.assays, name)
	}
	return n
}

// addTable adds the labels of a table. first is the number of its first molecule. Every column
// becomes an assay, also a column of names without labels.
func (r *reader) addTable(a *assay.Assay, first int32) error {
	for _, name := range a.Header {
		switch {
		case name == a.Column:
		case strings.EqualFold(name, "label"):
			r.numberOf(nameOf(a.File))
		default:
			r.numberOf(name)
		}
	}
	begun := len(r.marks)
	for i := range a.Tasks {
		t := &a.Tasks[i]
		number := r.numberOf(t.Name)
		for k, row := range t.Rows {
			r.marks = append(r.marks, mark{first + row, number, t.Labels[k]})
		}
	}
	own := r.marks[begun:]
	if len(own) == 0 {
		return &badinput.Error{File: a.File, What: "no labels beside the SMILES", Fix: "give a column of 0 and 1 for each assay, or another --task"}
	}
	slices.SortStableFunc(own, func(a, b mark) int { return int(a.molecule) - int(b.molecule) })
	return nil
}

// once leaves out repeated molecules, because a molecule must not be both learnt from and
// held out. The labels of repeats are joined. Of two labels in one assay the first is kept.
func (r *reader) once() (repeated int) {
	seen := make(map[string]int32, len(r.smiles))
	now := make([]int32, len(r.smiles))
	kept := int32(0)
	for i, s := range r.smiles {
		if first, known := seen[s]; known {
			now[i] = first
			continue
		}
		seen[s], now[i] = kept, kept
		r.smiles[kept], r.at[kept] = s, r.at[i]
		kept++
	}
	repeated = len(r.smiles) - int(kept)
	r.smiles, r.at = r.smiles[:kept], r.at[:kept]
	r.renumber(now)
	return repeated
}

// renumber changes the molecule numbers of the labels. It drops labels of molecules that become none.
func (r *reader) renumber(now []int32) {
	type pair struct{ molecule, assay int32 }
	seen := make(map[pair]bool, len(r.marks))
	rest := r.marks[:0]
	for _, m := range r.marks {
		m.molecule = now[m.molecule]
		if at := (pair{m.molecule, m.assay}); m.molecule != none && !seen[at] {
			seen[at] = true
			rest = append(rest, m)
		}
	}
	r.marks = rest
}

func (r *reader) leave(out []bool) {
	now, kept := make([]int32, len(r.smiles)), int32(0)
	for i := range r.smiles {
		if now[i] = none; !out[i] {
			now[i] = kept
			r.smiles[kept], r.at[kept] = r.smiles[i], r.at[i]
			kept++
		}
	}
	r.smiles, r.at = r.smiles[:kept], r.at[:kept]
	r.renumber(now)
}

// sparse sorts the labels by the rows of a store with n molecules.
func (r *reader) sparse(index []int32, n int) *labels {
	r.renumber(index)
	l := &labels{assays: r.assays, ptr: make([]int32, n+1), marks: make([]mark, len(r.marks))}
	for _, m := range r.marks {
		l.ptr[m.molecule+1]++
	}
	for i := range n {
		l.ptr[i+1] += l.ptr[i]
	}
	next := append([]int32(nil), l.ptr...)
	for _, m := range r.marks {
		l.marks[next[m.molecule]] = m
		next[m.molecule]++
	}
	return l
}

func (r *reader) hash() string {
	h := sha256.New()
	for _, s := range r.smiles {
		_, _ = fmt.Fprintln(h, s)
	}
	for _, a := range r.assays {
		_, _ = fmt.Fprintf(h, "%q\n", a)
	}
	_ = binary.Write(h, binary.LittleEndian, r.marks)
	return fmt.Sprintf("%x", h.Sum(nil))
}
