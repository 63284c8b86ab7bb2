package assay_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// verdicts returns the verdict of each molecule by its name: a, i, u, m, or x if it was left out.
func verdicts(a *assay.Assay) map[string]string {
	got := map[string]string{}
	for i := range a.SMILES {
		got[a.Names[i]] = "m"
	}
	task := a.Tasks[0]
	for k, row := range task.Rows {
		got[a.Names[row]] = map[uint8]string{0: "i", 1: "a"}[task.Labels[k]]
	}
	for _, left := range task.Unlabelled {
		got[a.Names[left.Row]] = map[bool]string{true: "u", false: "x"}[left.Verdict == label.Undecided]
	}
	return got
}

// readForm reads a table in its file format.
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
	return assay.Read(t.Context(), r, assay.Options{Labels: by, SingleColumn: true})
}

// TestNoFormIsReadWrongly: a table written in any of many forms is read correctly, or refused with an
// error about the ambiguity. The test takes every eleventh of 11,760 forms, so that each
// form of a table is tried in one or two of the fourteen kinds of files.
func TestNoFormIsReadWrongly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	at, read, asked := 0, 0, map[string]int{}
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
			t.Errorf("%+v\n%q\n got %v\nwant %v\n%s", f, rows[:3], verdicts(a), want, notesOf(a))
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
	places := []string{"bracket", "suffix", "fused", "R", "middle", "assay", "micro", "cells", "column", "mixed", "row", "rows", "flag", "threshold"}
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
							if at++; at%11 != 0 {
								continue
							}
							if container == "SD file" && strings.HasPrefix(unit, "row") {
								continue // an SD file has no header
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
	if n < 1000 || read < n*3/4 {
		t.Errorf("%d forms; %d are read without a question", n, read)
	}
}

// TestWordsInAllForms does the same with words as labels, and other words for missing labels. It takes
// every fifth combination.
func TestWordsInAllForms(t *testing.T) {
	n := 0
	for _, words := range [][2]string{
		{"1", "0"}, {"1.0", "0.0"}, {"yes", "no"}, {"Y", "N"}, {"TRUE", "FALSE"}, {"Active", "Inactive"}, {"+", "-"}, {"+", "−"}, {"WAHR", "FALSCH"}, {"hit", "no hit"},
		{"positive", "negative"}, {"A", "I"},
	} {
		for _, none := range []string{"", "n.d.", "nt", "n/a", "-", "?", "not tested"} {
			if none == "-" && words[0] == "+" {
				continue // beside a plus, a dash is a label
			}
			for _, open := range []string{"Inconclusive", "unspecified", "+/-"} {
				for _, container := range []string{"text", "UTF-16", "workbook", "SD file"} {
					for _, delimiter := range []string{",", ";", "\t"} {
						if delimiter != "," && (container == "workbook" || container == "SD file") {
							continue
						}
						if n++; n%5 != 0 {
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
					}
				}
			}
		}
	}
	t.Logf("%d forms", n/5)
}
