package assay_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/rdkit"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// truth is one table of measurements, from which all others are made: active is below 1 uM.
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

// A form is one way to write the table.
type form struct {
	delimiter, decimal, thousands string
	unit                          string // its place
	sign                          string // its place
	container                     string
	whole                         bool // numbers are whole ones: 0.5 is left out
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

// rows are the table's cells, with the settings by which it is read.
func (f form) rows() (rows [][]string, s label.Settings) {
	s = label.Settings{Below: "1", Units: "uM"}
	name, unit := "IC50", ""
	micro := false // values are in uM
	switch f.unit {
	case "bracket":
		name = "IC50 (nM)"
	case "suffix":
		name = "IC50_nM"
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
	if f.unit == "row" {
		below := make([]string, len(header))
		below[len(header)-1] = "nM"
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

// written is a table in its container.
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

// verdicts are those of molecules by their names: a, i, u, m, or x for what was left out.
func verdicts(a *assay.Assay) map[string]string {
	got := map[string]string{}
	for i := range a.SMILES {
		got[a.Names[i]] = "m"
	}
	task := a.Tasks[0]
	for k, row := range task.Rows {
		got[a.Names[row]] = map[uint8]string{0: "i", 1: "a"}[task.Labels[k]]
	}
	for _, left := range task.Left {
		got[a.Names[left.Row]] = map[bool]string{true: "u", false: "x"}[left.Verdict == label.Undecided]
	}
	return got
}

// readForm reads a table in its container.
func readForm(t *testing.T, content []byte, s label.Settings) (*assay.Assay, error) {
	t.Helper()
	by, err := s.Parse()
	if err != nil {
		t.Fatal(err)
	}
	r, err := table.New("t", bytes.NewReader(content), table.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return assay.Read(t.Context(), r, assay.Options{Labels: by, One: true})
}

// TestNoFormIsReadWrongly: whatever way one table is written, it is read as it is, or refused
// with a question about what is ambiguous.
func TestNoFormIsReadWrongly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	read, asked := 0, map[string]int{}
	check := func(f form) {
		rows, s := f.rows()
		want := map[string]string{}
		for _, m := range truth {
			if want[m.name] = m.want; f.whole && m.nM == 0.5 {
				delete(want, m.name)
			}
		}
		a, err := readForm(t, written(t, rows, f.container, f.delimiter), s)
		switch {
		case err == nil && maps.Equal(verdicts(a), want):
			read++
		case err == nil:
			t.Errorf("%+v\n%q\n got %v\nwant %v\n%s", f, rows[:3], verdicts(a), want, said(a))
		case !badinput.Is(err) || !strings.Contains(err.Error(), "--decimal"):
			t.Errorf("%+v: %v", f, err)
		default:
			asked[f.decimal+f.thousands]++
			s.Decimal = f.decimal
			if a, err = readForm(t, written(t, rows, f.container, f.delimiter), s); err != nil || !maps.Equal(verdicts(a), want) {
				t.Errorf("%+v with --decimal %s\n got %v (%v)\nwant %v", f, f.decimal, a, err, want)
			}
		}
	}
	places := []string{"bracket", "suffix", "middle", "assay", "micro", "cells", "column", "mixed", "row", "flag", "threshold"}
	for _, container := range []string{"text", "UTF-16", "gzip", "workbook", "SD file"} {
		delimiters := []string{",", ";", "\t", "|"}
		if container == "workbook" || container == "SD file" {
			delimiters = delimiters[:1]
		}
		for _, delimiter := range delimiters {
			for _, numbers := range [][2]string{{".", ""}, {",", ""}, {".", ","}, {",", "."}, {",", " "}, {".", "'"}} {
				for _, unit := range places {
					for _, sign := range []string{"cells", "qualifier", "relation", "operator", "prefix"} {
						for _, whole := range []bool{false, true} {
							if container == "SD file" && unit == "row" {
								continue // which has no header
							}
							check(form{delimiter, numbers[0], numbers[1], unit, sign, container, whole})
						}
					}
				}
			}
		}
	}
	n := read
	for _, k := range slices.Sorted(maps.Keys(asked)) {
		n += asked[k]
		t.Logf("decimals and thousands %q: asked %d times", k, asked[k])
	}
	t.Logf("%d forms: %d read as they are, %d asked", n, read, n-read)
	if n < 2000 || read < n*3/4 {
		t.Errorf("%d forms, of which %d are read without a question", n, read)
	}
}

// TestWordsInAllForms does the same with labels that are words, beside what is no label.
func TestWordsInAllForms(t *testing.T) {
	n := 0
	for _, words := range [][2]string{
		{"1", "0"}, {"1.0", "0.0"}, {"yes", "no"}, {"Y", "N"}, {"TRUE", "FALSE"}, {"Active", "Inactive"}, {"+", "-"}, {"+", "−"}, {"WAHR", "FALSCH"}, {"hit", "no hit"},
		{"positive", "negative"}, {"A", "I"},
	} {
		for _, none := range []string{"", "n.d.", "nt", "n/a", "-", "?", "not tested"} {
			if none == "-" && words[0] == "+" {
				continue // where it is a label
			}
			for _, open := range []string{"Inconclusive", "unspecified", "+/-"} {
				for _, container := range []string{"text", "UTF-16", "workbook", "SD file"} {
					for _, delimiter := range []string{",", ";", "\t"} {
						if delimiter != "," && (container == "workbook" || container == "SD file") {
							continue
						}
						rows, want := [][]string{{"name", "smiles", "hit"}}, map[string]string{}
						for _, m := range truth {
							rows = append(rows, []string{m.name, m.smiles, map[string]string{"a": words[0], "i": words[1], "u": open, "m": none}[m.want]})
							want[m.name] = m.want
						}
						a, err := readForm(t, written(t, rows, container, delimiter), label.Settings{})
						if err != nil || !maps.Equal(verdicts(a), want) {
							t.Errorf("%q, %q and %q, %s, %q:\n got %v (%v)\nwant %v", words, none, open, container, delimiter, a, err, want)
						}
						n++
					}
				}
			}
		}
	}
	t.Logf("%d forms", n)
}
