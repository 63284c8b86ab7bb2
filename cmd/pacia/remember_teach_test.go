package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// pastOfSeries returns a table of 24 past assays of 240 molecules. They are active where a molecule has one of two groups, except for
// a tenth of the labels, or by chance.
func pastOfSeries(chance bool) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 1))
	b.WriteString("smiles")
	for a := range 24 {
		fmt.Fprintf(&b, ",past %d", a)
	}
	groups := []string{"Cl", "O", "C(=O)O", "N", "C#N", "S(=O)(=O)N", "C(F)(F)F", "Br"}
	for _, ring := range []string{"c1ccccc1", "c1ccncc1", "c1ccsc1", "C1CCCCC1", "c1ccc2ccccc2c1", "C1CCNCC1"} {
		for chain := range 5 {
			for g, group := range groups {
				fmt.Fprintf(&b, "\n%sC%s%s", ring, strings.Repeat("C", chain), group)
				for range 24 {
					active := g%4 < 2
					if chance {
						active = random.IntN(2) == 0
					} else if random.IntN(10) == 0 {
						active = !active
					}
					fmt.Fprintf(&b, ",%d", map[bool]int{true: 1}[active])
				}
			}
		}
	}
	return b.String() + "\n"
}

// TestRememberTeach: what past assays teach is kept if it helps, and then counts for molecules that they did not measure, also where
// teaching was stopped; what does not help is not kept.
func TestRememberTeach(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "past.csv", pastOfSeries(false))
	put(t, "chance.csv", pastOfSeries(true))
	remember := func(args ...string) (l rememberedAssays) {
		t.Helper()
		if err := json.Unmarshal([]byte(ok(t, append([]string{"remember", "--json"}, args...)...)), &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	j := remember("--history", "past.csv", "--teach", "--out", "taught").Teaching
	if j == nil || !j.Helps || j.Assays != 8 || j.Molecules < 50 || j.With.ROCAUC < j.Without.ROCAUC+2*j.Error.ROCAUC {
		t.Fatalf("the judgement of assays that teach: %+v", j)
	}
	if j := remember("--history", "chance.csv", "--teach", "--out", "chance").Teaching; j == nil || j.Helps || j.Assays != 8 {
		t.Errorf("the judgement of chance: %+v", j)
	}
	if l := remember("--history", "past.csv", "--out", "plain"); l.Teaching != nil {
		t.Errorf("a judgement without --teach: %+v", l.Teaching)
	}
	remember("--history", "chance.csv", "--out", "plain chance")
	if one, other := size(t, "chance"), size(t, "plain chance"); one != other {
		t.Errorf("what does not help takes %d bytes", one-other)
	}
	if folder, err := os.ReadDir("."); err != nil || strings.Contains(fmt.Sprint(folder), "taught.") {
		t.Errorf("checkpoints are left: %v, %v", folder, err)
	}
	put(t, "s.csv", "smiles,label\nCCCCCCOCCCl,1\nCCCCCOCCO,1\nCCOCCCN,0\nCCCOCCC#N,0\n")
	ranked := func(model string) [][]string {
		ok(t, strings.Fields("predict --support s.csv --candidates library.csv --out o.csv --refine 0 --checkpoint "+model)...)
		return readCSV(t, "o.csv")
	}
	if fmt.Sprint(ranked("taught")) == fmt.Sprint(ranked("plain")) {
		t.Error("what past assays teach changes no probability of molecules that they did not measure")
	}
	refused(t, "--teach: the molecules of past assays are in their files",
		strings.Fields("remember --teach --forget x --checkpoint plain --out x")...)
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
