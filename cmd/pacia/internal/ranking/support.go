package ranking

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pacia/fault"
)

// A Support is a set of labelled molecules.
type Support struct {
	Column string // that the labels are from
	SMILES []string
	Labels []uint8 // 0 inactive, 1 active
	Lines  []int   // in the file
	Empty  int     // molecules without a label, which are left out
}

// Counts returns how many molecules have label 0, and label 1.
func (s Support) Counts() (counts [2]int) {
	for _, label := range s.Labels {
		counts[label]++
	}
	return counts
}

// labelNames are what a column of labels may be called where there are
// several columns.
var labelNames = []string{"label", "active", "activity", "class", "y"}

// ReadSupport reads a table of labelled molecules: a column of SMILES and one
// of labels, 0 or 1. Errors about the file are *fault.Error.
func ReadSupport(path, smiles string) (Support, error) {
	t, err := Open(path, smiles)
	if err != nil {
		return Support{}, err
	}
	defer t.Close()
	label, err := t.labelColumn()
	if err != nil {
		return Support{}, err
	}
	s := Support{Column: t.Header[label]}
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return s, s.complete(path)
		}
		if err != nil {
			return Support{}, err
		}
		if err := s.add(row, t.SMILES, label); err != nil {
			err.File = path
			return Support{}, err
		}
	}
}

// labelColumn returns the one with a usual name, or the only one besides the
// SMILES.
func (t *Table) labelColumn() (int, error) {
	var named, others []int
	for i, h := range t.Header {
		switch {
		case i == t.SMILES:
		case slices.Contains(labelNames, strings.ToLower(strings.TrimSpace(h))):
			named = append(named, i)
		default:
			others = append(others, i)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	if len(named) == 0 && len(others) == 1 {
		return others[0], nil
	}
	return 0, &fault.Error{
		File: t.Name, Row: 1, What: "which column holds the labels is not clear from " + strings.Join(t.Header, ", "),
		Fix: "keep two columns, the SMILES and the labels, or call one column label",
	}
}

func (s *Support) add(row Row, smiles, label int) *fault.Error {
	text := strings.TrimSpace(row.Fields[label])
	if text == "" {
		s.Empty++
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || (v != 0 && v != 1) {
		return &fault.Error{
			Row: row.Line, Column: s.Column, What: fmt.Sprintf("label %q is not 0, 1 or empty", text),
			Fix: "write 1 for active, 0 for inactive, or leave the cell empty",
		}
	}
	s.SMILES = append(s.SMILES, row.Fields[smiles])
	s.Labels = append(s.Labels, uint8(v))
	s.Lines = append(s.Lines, row.Line)
	return nil
}

// complete reports a class without molecules.
func (s *Support) complete(path string) error {
	for label, name := range []string{"inactive", "active"} {
		if !slices.Contains(s.Labels, uint8(label)) {
			return &fault.Error{
				File: path, Column: s.Column, What: "there is no " + name + " molecule (label " + strconv.Itoa(label) + ")",
				Fix: "a support set needs one or more of each class",
			}
		}
	}
	return nil
}
