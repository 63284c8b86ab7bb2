package table_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// rowsOf reads the remaining rows of a table. If reading ends in an error, it is the last element.
func rowsOf(r *table.Reader) (rows []string) {
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			return append(rows, "error "+err.Error())
		}
		rows = append(rows, fmt.Sprintf("%d %q", row.Line, row.Fields))
	}
}

// sameFromEverywhere compares the rows that Read returns from the beginning with those that Scan
// finds, and with those that Read returns after Skip to each of them.
func sameFromEverywhere(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func() *table.Reader {
		r, err := table.Open(context.Background(), path, nil, table.Options{})
		if badinput.Is(err) && strings.Contains(err.Error(), "cells where the header has") {
			t.Skip("most rows differ in width from the header")
		}
		if err != nil {
			t.Fatalf("%s: %v\n%q", name, err, text)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	all := rowsOf(open())
	scanned := open()
	if !scanned.CanSkip() {
		t.Fatalf("%s: rows cannot be skipped\n%q", name, text)
	}
	var places []table.Position
	if err := scanned.Scan(func(p table.Position) error { places = append(places, p); return nil }); err != nil {
		t.Fatal(err)
	}
	failed := len(all) > 0 && strings.HasPrefix(all[len(all)-1], "error ")
	if !failed && len(places) != len(all) {
		t.Fatalf("%s: %d places of %d rows\n%q\n%v\n%q", name, len(places), len(all), text, places, all)
	}
	for i, p := range places {
		if failed && i >= len(all)-1 {
			break // after an error, rows are not defined
		}
		r := open()
		if r.Skip(p); !slices.Equal(rowsOf(r), all[i:]) {
			r := open()
			r.Skip(p)
			t.Fatalf("%s: from row %d at %+v on\n%q\nwant\n%q\n%q", name, i, p, rowsOf(r), all[i:], text)
		}
	}
}

// TestRowsFromEverywhere: line ends in quotes, empty and blank rows, all kinds of line ends, byte
// order marks, bytes that are not UTF-8, and unclosed quotation marks.
func TestRowsFromEverywhere(t *testing.T) {
	for name, text := range map[string]string{
		"plain.csv":    "smiles,name\nCCO,a\nCCN,b\n\nCCC,c",
		"lines.csv":    "smiles,name\nCCO,\"a\nb, \"\"c\"\"\n\"\nCCN,\"x\"\r\n\"CCC\",\"\n\n\"\n",
		"blank.csv":    "smiles,name\n,\n , \nCCO,\n\"\",\"\"\n\"\n\",\nCCN,é\n\u00a0,\u2003\nCCC,\n",
		"no head.csv":  "CCO,\"a\nb\",1\nCCN,c,0\nCCC,d,1\n",
		"first.csv":    "name,smiles,label\n\"a\nb\",CCO,1\nc,CCN,0\n",
		"middle.csv":   "id,smiles,\"IC50\n(uM)\",n,remark\n1,CCO,2,3,x\n2,CCN,2,3,\"y\nz\"\n",
		"mark.csv":     "\ufeff\"smiles\",name\r\nCCO,1\r\n\r\nCCN,2\r\n",
		"latin.csv":    "smiles;name\nCCO;caf\xe9\nCCN;\xa0\n\xa0;\xa0\nCCC;x\n",
		"title.csv":    "Our library,\n,\nsmiles,name\nCCO,1\nCCN,2\n",
		"sep.csv":      "sep=;\nsmiles;name\nCCO;1\nCCN;2\n",
		"tabs.tsv":     "smiles\tname\nCCO\t3\" pipe\nCCN\t\"quoted\ttab\n and line\"\nCCC\t\"open \"x\" y\"\nCO\tz\n",
		"open.csv":     "smiles,name\nCCO,1\nCCN,\"open\nCCC,2\n",
		"bare.csv":     "smiles,name\nCCO,1\nCCN,a\"b\nCCC,2\n",
		"short.csv":    "smiles,name\nCCO,1\nCCN\nCCC,2\n",
		"list.smi":     "CCO ethanol\n\nCCN\n  \nCCC propane and more\n",
		"head.smi":     "SMILES Name\n\nCCO ethanol\n \t\nCCN \xe9\n",
		"none.csv":     "smiles,name\n",
		"bare.smi":     "CCO\nCCN\r\n\r\nCCC\r",
		"returned.csv": "smiles,name\nCCO,1\n\r",
	} {
		sameFromEverywhere(t, name, text)
	}
}

// TestCellsOfSeveralLines: such a cell is read as one in any column. If another mark closes a stray one by
// chance, the cell does not absorb a molecule.
func TestCellsOfSeveralLines(t *testing.T) {
	for text, want := range map[string]string{
		"smiles,remark,label\nCCO,\"a\nb\",1\nCCN,\"c\nd\ne\",0\n": `[smiles remark label] 2 ["CCO" "a\nb" "1"] 4 ["CCN" "c\nd\ne" "0"]`,
		"id,smiles,\"IC50\n(uM)\",n,remark\n1,CCO,2,3,x\n":         `[id smiles IC50 (uM) n remark] 3 ["1" "CCO" "2" "3" "x"]`,
		"name,smiles,label\n\"a\nb\",CCO,1\nc,CCN,0\n":             `[name smiles label] 2 ["a\nb" "CCO" "1"] 4 ["c" "CCN" "0"]`,
		"smiles,name\nCCO,\"a\nCCN,b\"\n":                          `[smiles name] 2 ["CCO" "\"a"] 3 ["CCN" "b\""]`,
		"name,smiles,label\n\"a,CCO,1\nc,CCN,0\nd\",CCC,1\n":       `[name smiles label] 2 ["\"a" "CCO" "1"] 3 ["c" "CCN" "0"] 4 ["d\"" "CCC" "1"]`,
	} {
		r, err := table.New("a.csv", strings.NewReader(text), table.Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%v %s", r.Header, strings.Join(rowsOf(r), " ")); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestRowsFromEverywhereAtRandom does the same with random texts.
func TestRowsFromEverywhereAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	pieces := []string{"CCO", "a", "\"", "\"\"", ",", ",", "\n", "\n", "\r\n", " ", "é", "\xe9", "\t", "1"}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		var text strings.Builder
		name, comma := "random.csv", ","
		if i%2 == 1 {
			name, comma = "random.tsv", "\t"
		}
		text.WriteString("smiles" + comma + "name\nCCO" + comma + "1\nCCN" + comma + "2\n")
		for range random.IntN(30) {
			piece := pieces[random.IntN(len(pieces))]
			if piece == "," {
				piece = comma
			}
			text.WriteString(piece)
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) { sameFromEverywhere(t, name, text.String()) })
	}
}

// TestCanSkip: a packed file, or one in another encoding, can only be read from the beginning.
func TestCanSkip(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("smiles,name\nCCO,1\n")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"wide.csv": "\xff\xfes\x00m\x00i\x00l\x00e\x00s\x00\n\x00C\x00\n\x00",
		"mac.csv":  "smiles,name\rCCO,1\rCCN,2\r",
		"gzip.csv": packed.String(),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := table.Open(context.Background(), path, nil, table.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.CanSkip() {
			t.Errorf("%s: rows can be skipped", name)
		}
		_ = r.Close()
	}
}
