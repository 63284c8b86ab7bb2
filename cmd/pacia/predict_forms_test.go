package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// forms returns the folder with the files of package table's tests.
func forms(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../data/table/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestPredictWithFilesAsPeopleHaveThem ranks a library of four files in three forms by an
// Excel workbook with measurements.
func TestPredictWithFilesAsPeopleHaveThem(t *testing.T) {
	dir := forms(t)
	exampleFolder(t)
	for _, name := range []string{"excel.xlsx", "one_bad.sdf", "spaces.smi", "excel_de.csv", "plain.smi"} {
		if err := os.Symlink(filepath.Join(dir, name), name); err != nil {
			t.Fatal(err)
		}
	}
	r := pacia("predict", "--method", "similarity", "--support", "excel.xlsx", "--label", "ic50 (µm)", "--active-below", "7000", "--unit", "nM",
		"--out", "ranked.csv", "--candidates", "one_bad.sdf", "spaces.smi", "excel_de.csv", "--candidates", "plain.smi")
	const reported = `excel.xlsx: sheet "Messung" (--sheet), header in row 3 (--header), values in µM, by the column's name (--value-unit), a salt is read as its parent (--as-drawn)
excel.xlsx: label IC50 (µM): 3 active (below 7000 nM), 2 inactive
one_bad.sdf: SD file, Latin-1 (Windows-1252) (--encoding)
plain.smi: tabs (--delimiter), no header (--header)
spaces.smi: white space (--delimiter), no header (--header)
excel_de.csv: semicolons (--delimiter), Latin-1 (Windows-1252) (--encoding)
`
	if r.code != 0 || r.err != reported {
		t.Fatalf("exit code %d, standard error\n%s\nwant\n%s", r.code, r.err, reported)
	}
	rows := readCSV(t, "ranked.csv")
	if got := strings.Join(rows[0], "|"); got != "smiles|name|IC50 (µM)|hit|remark|file|rank|probability|depth|in_support|nearest_active|nearest_active_tanimoto|nearest_inactive|nearest_inactive_tanimoto|domain" {
		t.Errorf("columns %s", got)
	}
	seen := map[string]int{}
	for _, row := range rows[1:] {
		label := map[string]string{"Ibup": "active", "L-Al": "active", "Natr": "active", "Para": "inactive", "2,4-": "inactive"}[row[1][:4]]
		if row[9] != label || row[0] == "" {
			t.Errorf("%q: want a molecule that is %s in the support set", row, label)
		}
		seen[row[5]]++
		if row[5] == "excel_de.csv" && strings.HasPrefix(row[1], "Natr") && !slices.Equal(row[:5], []string{"CC(=O)[O-].[Na+]", "Natriumacetat", "6,75", "no", "µM; frisch"}) {
			t.Errorf("cells were changed: %q", row)
		}
	}
	if len(rows) != 18 || seen["one_bad.sdf"] != 2 || seen["spaces.smi"] != 5 || seen["excel_de.csv"] != 5 || seen["plain.smi"] != 5 {
		t.Errorf("%d rows, of files %v", len(rows)-1, seen)
	}
	if got := readCSV(t, "ranked.invalid.csv"); len(got) != 2 || strings.Join(got[0], " ") != "row smiles reason name file" || got[1][0] != "2" || got[1][3] != "Ibuprofen" || got[1][4] != "one_bad.sdf" {
		t.Errorf("unread: %q", got)
	}
	if !strings.Contains(r.out, "\nfirst    ") {
		t.Errorf("the report does not name the first compounds:\n%s", r.out)
	}
}

// TestPredictLeavesOutAndReports checks that rows of a support set that cannot be used are left out
// and reported, if enough rows remain.
func TestPredictLeavesOutAndReports(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "id;smiles;IC50\na;CCO;<0,5 µM\nb;OCC;>10\nc;CC(;1\nd;CCN;25\ne;CCCl;>1\nf;CCBr;\ng;CCCCCl;2\n")
	put(t, "l.csv", "smiles\nOCC\nCCCCO.Cl\n")
	r := pacia("predict", "--method", "similarity", "--support", "s.csv", "--active-below", "5", "--unit", "uM", "--candidates", "l.csv", "--out", "r.csv", "--largest-fragment")
	const reported = `s.csv: semicolons (--delimiter), commas are before decimals: <0,5 µM is 0.5 (--decimal), values in uM, as the threshold (--value-unit)
s.csv: 2 rows are of one molecule: each molecule counts once, with the label of most of its rows; the widest, rows 2, 3 (a): median 5.25 of 2 values, 0.5 to 10 (rows 2, 3; --repeats)
s.csv: warning: rows 2 and 3 (a) are one molecule with both labels, and left out (--repeats)
s.csv: label IC50: 1 active (below 5 uM), 1 inactive, 1 not decided (row 6 (e)), 1 without a label
s.csv: row 4 (c) left out, it cannot be read: SMILES Parse Error: syntax error while parsing: CC(
`
	if r.code != 0 || r.err != reported {
		t.Errorf("exit code %d, standard error\n%s\nwant\n%s", r.code, r.err, reported)
	}
	if rows := readCSV(t, "r.csv"); len(rows) != 3 || rows[1][4] != "" || rows[1][0] != "CCCCO.Cl" || rows[2][4] != "both" {
		t.Errorf("ranked: %q", rows)
	}
	wantFault(t, "pacia: s.csv: row 4: the molecule cannot be read: SMILES Parse Error: syntax error while parsing: CC(; correct or remove it",
		"predict", "--method", "similarity", "--support", "s.csv", "--active-below", "5", "--unit", "uM", "--candidates", "l.csv", "--out", "r.csv", "--on-invalid", "fail")
	wantFault(t, `pacia: s.csv: row 2, column IC50: label "<0,5 µM" is a measurement, and 5 of 6 cells are like it; define what is active with --active-below or --active-above and --unit, or choose another column with --label`,
		"predict", "--method", "similarity", "--support", "s.csv", "--candidates", "l.csv", "--out", "r.csv")
	wantFault(t, `pacia: s.csv: row 1: no column "Ki" for labels among id, smiles, IC50`,
		"predict", "--method", "similarity", "--support", "s.csv", "--label", "Ki", "--candidates", "l.csv", "--out", "r.csv")
	wantFault(t, "pacia: the standard input can be read once only; write - for one file",
		"predict", "--method", "similarity", "--support", "-", "--candidates", "-", "--out", "r.csv")
	wantFault(t, "pacia: s.csv: column IC50: there is no active molecule: active is below 0.1 uM, values in uM, as the threshold; 1 row not decided, such as row 2 (a); 1 row without a label; a support set needs one or more of each class",
		"predict", "--method", "similarity", "--support", "s.csv", "--active-below", "0.1 uM", "--candidates", "l.csv", "--out", "r.csv")
}

// TestPredictReadsEachFileAsAsked: a flag about the form of files may be for one of them.
func TestPredictReadsEachFileAsAsked(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCN,0\n")
	put(t, "l.csv", "price list\nof today\nsmiles;price\nOCC;5\nCCCCN;7\n")
	args := []string{"predict", "--method", "similarity", "--support", "s.csv", "--candidates", "l.csv", "--out", "r.csv"}
	ok(t, append(args, "--header", "l.csv=3", "--delimiter", "l.csv=semicolon")...)
	if rows := readCSV(t, "r.csv"); len(rows) != 3 || rows[0][1] != "price" {
		t.Errorf("ranked: %q", rows)
	}
	t.Setenv(asPacia, "1")
	ok(t, append(args, "--header", "l.csv=3", "--delimiter", "l.csv=semicolon", "--shards", "2")...)
	refused(t, `s.csv: row 3: a molecule, "CCCCO", and not the names of columns; write the row of the header; --header is for all files, and --header FILE=ROW for one`,
		append(args, "--header", "3")...)
	refused(t, `options are given for "m.csv", which is not one of the files; write FILE=VALUE with the name of a file`, append(args, "--header", "m.csv=3")...)
	// A name with an equals sign, and a name that two files have.
	text := "price list\nof today\nsmiles;price\nOCC;5\nCCCCN;7\n"
	put(t, "a=b.csv", text)
	putAt(t, "d/s.csv", text)
	ok(t, "predict", "--method", "similarity", "--support", "s.csv", "--candidates", "a=b.csv", "--out", "r.csv",
		"--header", "a=b.csv=3", "--delimiter", "a=b.csv=semicolon")
	two := []string{"predict", "--method", "similarity", "--support", "s.csv", "--candidates", "d/s.csv", "--out", "r.csv", "--header"}
	ok(t, append(two, "d/s.csv=3", "--delimiter", "d/s.csv=semicolon")...)
	refused(t, `d/s.csv: `, append(two, "s.csv=1", "--delimiter", "d/s.csv=comma")...)
	put(t, "o.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCN,0\n")
	putAt(t, "e/s.csv", text)
	two[4], two[6] = "o.csv", "e/s.csv"
	refused(t, `options are given for "s.csv", which is the name of e/s.csv and of d/s.csv; write FILE=VALUE with the path of one`,
		append(two, "s.csv=3", "--candidates", "d/s.csv")...)
}

// TestPredictInAPipe reads the library from the standard input, and writes the
// ranking to the standard output.
func TestPredictInAPipe(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,hit\nCCO,+\nCCN,-\n")
	var out, err bytes.Buffer
	code := run([]string{"predict", "--method", "similarity", "--support", "s.csv", "--candidates", "-", "--out", "-"}, strings.NewReader("CCCO first\nCCCN second\n"), &out, &err)
	if lines := strings.Split(out.String(), "\n"); code != 0 || len(lines) != 4 || !strings.HasPrefix(lines[0], "smiles,name,rank,probability,depth,in_support,nearest_active,") || !strings.HasPrefix(lines[1], "CCCO,first,1,") {
		t.Errorf("exit code %d, standard output\n%s", code, out.String())
	}
	if !strings.Contains(err.String(), "standard input: white space (--delimiter), no header (--header)\n") || !strings.Contains(err.String(), "ranked   2 molecules in ") {
		t.Errorf("standard error\n%s", err.String())
	}
}

// TestPredictWithAByteOrderMark checks that with --bom both files begin with the mark, and do not
// differ otherwise.
func TestPredictWithAByteOrderMark(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,active\nCCCO,1\nCCN,0\n")
	put(t, "l.csv", "smiles,IC50 (µM)\nCCO,5\nCC(,1\n")
	args := []string{"predict", "--method", "similarity", "--support", "s.csv", "--candidates", "l.csv", "--out", "ranked.csv"}
	written := func(args ...string) string {
		ok(t, args...)
		var all []string
		for _, name := range []string{"ranked.csv", "ranked.invalid.csv"} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
		return strings.Join(all, "|")
	}
	plain := written(args...)
	if got, want := written(append(args, "--bom")...), "\ufeff"+strings.Replace(plain, "|", "|\ufeff", 1); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
