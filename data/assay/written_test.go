package assay_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"pacia/data/label"
	"pacia/data/rdkit"
)

// truth is the table of measurements from which all others are made. Active is below 1 uM.
var truth = []struct {
	name, smiles, sign string
	nM                 float64
	want               string // a active, i inactive, u not decided, m without a label
}{
	{"A1", "CC(=O)Nc1ccc(O)cc1", "=", 4, "a"}, {"A2", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "=", 250, "a"}, {"A3", "Oc1ccc(Cl)cc1Cl", "=", 0.5, "a"},
	{"A4", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "<", 10, "a"}, {"A5", "CC(=O)Oc1ccccc1C(=O)O", "=", 900, "a"},
	{"I1", "c1ccc2[nH]ccc2c1", "=", 1500, "i"}, {"I2", "CCN(CC)CCOC(=O)c1ccc(N)cc1", "=", 12500, "i"}, {"I3", "COc1ccc2[nH]cc(CCN)c2c1", ">", 10000, "i"},
	{"I4", "CC1=CC(=O)C=CC1=O", "=", 3250, "i"}, {"I5", "Clc1ccc(cc1)C(c1ccccc1)N1CCNCC1", "=", 40000, "i"},
	{"U1", "O=C1CCCN1", ">", 100, "u"}, {"M1", "CCCCCCCCO", "", 0, "m"},
}

// A form defines one way to write the table.
type form struct {
	delimiter, decimal, thousands string
	unit                          string // where the unit is written
	sign                          string // where the sign is written
	container                     string // the file format
	whole                         bool   // numbers are whole ones: 0.5 is left out
}

// number writes a value.
func (f form) number(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	whole, after, fraction := strings.Cut(text, ".")
	if f.thousands != "" && len(whole) > 3 {
		whole = whole[:len(whole)-3] + f.thousands + whole[len(whole)-3:]
	}
	if fraction {
		return whole + f.decimal + after
	}
	return whole
}

// rows returns the table's cells, and the settings to read it with.
func (f form) rows() (rows [][]string, s label.Settings) {
	s = label.Settings{Below: "1", Units: "uM"}
	name, unit := "IC50", ""
	micro := false // values are in uM
	switch f.unit {
	case "bracket":
		name = "IC50 (nM)"
	case "suffix":
		name = "IC50_nM"
	case "fused":
		name = "ic50nm"
	case "R":
		name = "IC50..nM."
	case "middle":
		name = "IC50 (nM, n=3)"
	case "assay":
		name = "Kinase: IC50 (nM) [Target: X]"
	case "micro":
		name, micro = "IC50 [µM] mean", true
	case "flag":
		s.ValueUnit = "nM"
	case "threshold":
		s.Below, s.Units = "1000", "nM"
	case "cells":
		unit = " nM"
	}
	header := []string{"name", "smiles"}
	sign := map[string]string{"qualifier": name + " Qualifier", "relation": "Relation", "operator": "Operator", "prefix": "Prefix"}[f.sign]
	if sign != "" {
		header = append(header, sign)
	}
	header = append(header, name)
	if f.unit == "column" || f.unit == "mixed" {
		header = append(header, "Units")
	}
	rows = append(rows, header)
	if f.unit == "row" || f.unit == "rows" {
		below := make([]string, len(header))
		below[len(header)-1] = map[string]string{"row": "nM", "rows": "[nM]"}[f.unit]
		rows = append(rows, below)
	}
	for i, m := range truth {
		if f.whole && m.nM == 0.5 {
			continue
		}
		row := []string{m.name, m.smiles}
		v, of := m.nM, "nM"
		if micro || f.unit == "mixed" && i%2 == 1 {
			v, of = m.nM/1000, "uM"
		}
		cell := ""
		if m.want != "m" {
			if cell = f.number(v) + unit; sign == "" && m.sign != "=" {
				cell = m.sign + cell
			}
		}
		if sign != "" {
			row = append(row, m.sign)
		}
		row = append(row, cell)
		if f.unit == "column" || f.unit == "mixed" {
			row = append(row, of)
		}
		rows = append(rows, row)
	}
	return rows, s
}

var blocks = map[string]string{}

// written returns the content of a table as a file.
func written(t *testing.T, rows [][]string, container, delimiter string) []byte {
	t.Helper()
	var out bytes.Buffer
	switch container {
	case "workbook":
		f := excelize.NewFile()
		for r, row := range rows {
			for c, cell := range row {
				at, _ := excelize.CoordinatesToCellName(c+1, r+1)
				var value any = cell
				if v, err := strconv.ParseFloat(cell, 64); err == nil && strconv.FormatFloat(v, 'f', -1, 64) == cell {
					value = v
				}
				if err := f.SetCellValue("Sheet1", at, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.Write(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	case "SD file":
		for _, row := range rows[1:] {
			if row[1] == "" {
				continue
			}
			if blocks[row[1]] == "" {
				block, err := rdkit.ToBlock(t.Context(), row[1])
				if err != nil {
					t.Fatal(err)
				}
				blocks[row[1]] = block
			}
			out.WriteString(row[0] + blocks[row[1]])
			for i, cell := range row {
				if i != 1 && cell != "" {
					_, _ = fmt.Fprintf(&out, ">  <%s>\n%s\n\n", rows[0][i], cell)
				}
			}
			out.WriteString("$$$$\n")
		}
		return out.Bytes()
	}
	w := csv.NewWriter(&out)
	w.Comma = []rune(delimiter)[0]
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	text := out.Bytes()
	switch container {
	case "UTF-16":
		wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(text)
		if err != nil {
			t.Fatal(err)
		}
		return wide
	case "gzip":
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return packed.Bytes()
	}
	return text
}
