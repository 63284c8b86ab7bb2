package pretrain

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"pacia/data/csvfile"
	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// mark is one label.
type mark struct {
	molecule, assay int32
	active          uint8 // 0 or 1
}

// labels are those of n molecules in T assays: of most pairs there is none.
type labels struct {
	assays []string // [T]
	ptr    []int32  // [n+1] marks of a molecule
	marks  []mark   // in the order of the molecules
}

// of returns those of a molecule.
func (l *labels) of(row int32) []mark { return l.marks[l.ptr[row]:l.ptr[row+1]] }

// assayColumns reads the labels of a table.
type assayColumns struct {
	*reader
	table  *csvfile.Reader
	smiles int     // column
	assay  []int32 // of each column; none, or not known yet
	kept   int     // marks before this table
	begun  bool
}

// The assay of a column that is none.
const none = -1

func (c *assayColumns) begin() {
	c.begun, c.kept, c.assay = true, len(c.marks), make([]int32, len(c.table.Header))
	for i, name := range c.table.Header {
		if c.assay[i] = none; i != c.smiles {
			c.assay[i] = c.numberOf(name)
		}
	}
}

// numberOf an assay: one of several files has the name "label", and is called as its
// file is.
func (c *assayColumns) numberOf(name string) int32 {
	if name = strings.TrimSpace(name); strings.EqualFold(name, "label") {
		name = nameOf(c.table.Name)
	}
	if c.number == nil {
		c.number = map[string]int32{}
	}
	n, known := c.number[name]
	if !known {
		n = int32(len(c.assays))
		c.number[name], c.assays = n, append(c.assays, name)
	}
	return n
}

// read takes in the labels of a row. A column of names or numbers, known by what it is
// called, is none.
func (c *assayColumns) read(row []string, molecule int32) error {
	if !c.begun {
		c.begin()
	}
	for i, cell := range row {
		if i >= len(c.assay) || c.assay[i] == none || cell == "" {
			continue
		}
		verdict, ok := label.Word(cell)
		switch {
		case ok && verdict <= label.Active:
			c.marks = append(c.marks, mark{molecule, c.assay[i], uint8(verdict)})
		case ok: // not measured, or not decided
		case table.NameLike(c.table.Header[i]):
			c.drop(i)
		default:
			return &badinput.Error{File: c.table.Name, Row: c.table.Line(i), Column: c.table.Header[i],
				What: fmt.Sprintf("label %s is not 0, 1 or empty", badinput.Quote(cell)), Fix: "write 0, 1 or leave the cell empty, or take the column out"}
		}
	}
	return nil
}

// drop takes back a column.
func (c *assayColumns) drop(column int) {
	rest := c.marks[:c.kept]
	for _, m := range c.marks[c.kept:] {
		if m.assay != c.assay[column] {
			rest = append(rest, m)
		}
	}
	c.marks, c.assay[column] = rest, none
}

// done checks that a table which was asked for labels had some.
func (c *assayColumns) done() error {
	if c.labels && len(c.marks) == c.kept {
		return &badinput.Error{File: c.table.Name, What: "no labels beside the SMILES", Fix: "give a column of 0 and 1 for each assay, or another --task"}
	}
	return nil
}

// once leaves out molecules that stand there again: one must not be learnt from and
// held out at once. Its labels are joined; of two in one assay the first counts.
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

// renumber gives the labels other molecules; none drops them.
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

// leave takes molecules out.
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

// reason says why a molecule cannot be used, and in which file it stands.
func (r *reader) reason(i int, err error) string {
	if r.at[i].file == "" {
		return err.Error()
	}
	return fmt.Sprintf("%s: %v", r.at[i].file, err)
}

// hash is of the molecules and their labels.
func (r *reader) hash() string {
	h := sha256.New()
	for _, s := range r.smiles {
		_, _ = fmt.Fprintln(h, s)
	}
	for _, a := range r.assays {
		_, _ = fmt.Fprintf(h, "%q\n", a)
	}
	_ = binary.Write(h, binary.LittleEndian, r.marks)
	return hex.EncodeToString(h.Sum(nil))
}
