package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGroup checks that rows of one scaffold have one group, with its size, the sum of its probabilities
// and its first row. Groups are numbered in the order of their best rows. Molecules without rings are in none.
func TestGroup(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCN,0\nc1ccccc1,0\n")
	put(t, "library.csv", "smiles\nCCO\nOCc1ccccc1\nCCCCCO\nc1ccccc1C\nC1CCCCC1O\nOc1ccccc1\n")
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--group"}
	ok(t, append(args, "scaffold")...)
	rows := readCSV(t, "ranked.csv")
	cell := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	type group struct {
		number string
		size   int
		hits   float64
	}
	want := map[string]*group{}
	for _, row := range rows[1:] {
		g := want[cell(row, "scaffold")]
		if cell(row, "scaffold") == "" {
			if got := cell(row, "group") + cell(row, "group_size") + cell(row, "group_hits") + cell(row, "representative"); got != "yes" {
				t.Errorf("%v has the group %q", row, got)
			}
			continue
		}
		if g == nil {
			g = &group{number: strconv.Itoa(len(want) + 1)}
			want[cell(row, "scaffold")] = g
			if cell(row, "representative") != "yes" {
				t.Errorf("%v is the first of its scaffold, and represents nothing", row)
			}
		} else if cell(row, "representative") != "" {
			t.Errorf("%v is not the first of its scaffold", row)
		}
		p, err := strconv.ParseFloat(cell(row, "probability"), 64)
		if err != nil {
			t.Fatal(err)
		}
		g.size++
		g.hits += p
	}
	if len(want) != 2 {
		t.Errorf("%d scaffolds, want benzene and cyclohexane", len(want))
	}
	for _, row := range rows[1:] {
		g := want[cell(row, "scaffold")]
		if g == nil {
			continue
		}
		hits, err := strconv.ParseFloat(cell(row, "group_hits"), 64)
		if cell(row, "group") != g.number || cell(row, "group_size") != strconv.Itoa(g.size) || err != nil || math.Abs(hits-g.hits) > 0.01 {
			t.Errorf("%v, want the group %+v", row, g)
		}
	}
	// Probabilities that are not calibrated do not add up to a number of actives.
	ok(t, append(args, "scaffold", "--method", "similarity")...)
	rows = readCSV(t, "ranked.csv")
	for _, row := range rows[1:] {
		if cell(row, "group_hits") != "" || (cell(row, "group_size") == "") != (cell(row, "scaffold") == "") {
			t.Errorf("with --method similarity: %v", row)
		}
	}
	// A column of the library with this name, in any case, is not the computed one.
	put(t, "own.csv", "smiles,Scaffold\nCCO,\nOCc1ccccc1,\nc1ccccc1C,\n")
	args[4] = "own.csv"
	out := ok(t, append(args, "scaffold")...)
	if want := "1 by column scaffold_2, the largest of 2 molecules; 1 molecule in none"; !strings.Contains(out, want) {
		t.Errorf("the report lacks %q:\n%s", want, out)
	}
	refused(t, "no column to group by", append(args, "nothing")...)
}

// TestColumnsAddUp checks that each --columns counts, as each --where does.
func TestColumnsAddUp(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCCO,1\nCCN,0\n")
	put(t, "library.csv", "smiles\nCCO\nOCc1ccccc1\n")
	args := []string{"predict", "--method", "similarity", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
	ok(t, append(args, "--columns", "properties", "--columns", "alerts,scaffold")...)
	header := readCSV(t, "ranked.csv")[0]
	for _, name := range []string{"qed", "pains", "scaffold"} {
		if !slices.Contains(header, name) {
			t.Errorf("the table lacks the column %s: %v", name, header)
		}
	}
	refused(t, `the columns "weight" are not known; write some of properties,alerts,scaffold`,
		append(args, "--columns", "properties", "--columns", "weight")...)
}
