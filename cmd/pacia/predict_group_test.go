package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGroup checks that rows of one scaffold have one group, with its size, the sum of its probabilities
// and its first row. Groups are numbered in the order of their best rows.
func TestGroup(t *testing.T) {
	workplace(t)
	put(t, "support.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCN,0\nc1ccccc1,0\n")
	put(t, "library.csv", "smiles\nCCO\nOCc1ccccc1\nCCCCCO\nc1ccccc1C\nC1CCCCC1O\nOc1ccccc1\n")
	args := []string{"predict", "--method", "gp", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--group"}
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
	if len(want) != 3 {
		t.Errorf("%d scaffolds, want benzene, cyclohexane and none", len(want))
	}
	for _, row := range rows[1:] {
		g := want[cell(row, "scaffold")]
		hits, err := strconv.ParseFloat(cell(row, "group_hits"), 64)
		if cell(row, "group") != g.number || cell(row, "group_size") != strconv.Itoa(g.size) || err != nil || math.Abs(hits-g.hits) > 0.01 {
			t.Errorf("%v, want the group %+v", row, g)
		}
	}
	// A column of the library with this name, in any case, is not the computed one.
	put(t, "own.csv", "smiles,Scaffold\nCCO,\nOCc1ccccc1,\nc1ccccc1C,\n")
	args[6] = "own.csv"
	out := ok(t, append(args, "scaffold")...)
	if want := "2 by column scaffold_2, the largest of 2 molecules"; !strings.Contains(out, want) {
		t.Errorf("the report lacks %q:\n%s", want, out)
	}
	refused(t, "no column to group by", append(args, "nothing")...)
}
