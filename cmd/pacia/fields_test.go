package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pacia/screen/request"
)

// TestFlagsBesideOthers checks that a flag without an effect is refused.
func TestFlagsBesideOthers(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("s.csv", []byte("smiles,label\nCCO,1\nCCN,0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	predict := []string{"predict", "--support", "s.csv", "--candidates", "s.csv", "--out", "r.csv"}
	next := []string{"next", "--support", "s.csv", "--candidates", "s.csv", "--out", "r.csv"}
	score := []string{"score", "--support", "s.csv"}
	without := func(flags string) string {
		return " has no effect without " + flags + "; also write " + flags + ", or leave it out"
	}
	measured, unmeasured := without("--active-below, --active-above or --potency"), without("--active-below or --active-above")
	for _, tt := range []struct {
		command []string
		flags   []string
		want    string
	}{
		{[]string{"eval"}, []string{"--method", "gp"}, "--method" + without("--values")},
		{[]string{"eval"}, []string{"--fold", "valid"}, "--fold" + without("--values")},
		{[]string{"eval"}, []string{"--rounds", "5"}, "--rounds" + without("--values")},
		{[]string{"eval"}, []string{"--explore", "1"}, "--explore" + without("--rounds")},
		{[]string{"eval"}, []string{"--values", "v", "--explore", "1"}, "--explore" + without("--rounds")},
		{[]string{"eval"}, []string{"--values", "v", "--rounds", "2", "--explore", "1,NaN"}, "--explore NaN is out of range; write 0 to 1000"},
		{[]string{"eval"}, []string{"--values", "v", "--rounds", "2", "--sizes", "16"}, "--sizes has no effect with --rounds; leave out one of them"},
		{[]string{"eval"}, []string{"--values", "v", "--results", "r"}, "--results has no effect with --values; leave out one of them"},
		{[]string{"eval"}, []string{"--values", "v", "--method", "gp", "--checkpoint", "c"}, "--method has no effect with --checkpoint; leave out one of them"},
		{[]string{"eval"}, []string{"--results", "r", "--finetune-steps", "1"}, "--finetune-steps has no effect with --results; leave out one of them"},
		{predict, []string{"--unit", "uM"}, "--unit" + measured},
		{predict, []string{"--value-unit", "uM"}, "--value-unit" + measured},
		{predict, []string{"--decimal", ","}, "--decimal" + without("--active-below, --active-above, --potency or --where")},
		{next, []string{"--sign-column", "s"}, "--sign-column" + measured},
		{score, []string{"--unit-column", "u"}, "--unit-column" + measured},
		{score, []string{"--type", "IC50"}, "--type" + measured},
		{[]string{"data", "inspect", "s.csv"}, []string{"--type-column", "t"}, "--type-column" + unmeasured},
		{predict, []string{"--sbatch=--mem=2G"}, "--sbatch" + without("--shards")},
		{predict, []string{"--method", "gp", "--refine", "5"}, "--refine has no effect: the model does not compare vectors of MiniMol; leave it out"},
		{next, []string{"--sbatch=--mem=2G"}, "--sbatch is a flag of pacia predict; leave it out"},
		{[]string{"bench"}, []string{"--every", "3"}, "--every" + without("--serve")},
	} {
		wantFault(t, "pacia: "+tt.want, append(append([]string(nil), tt.command...), tt.flags...)...)
	}
}

// TestFlagsOfRequests: the commands that a field names have its flag, also for the shell's completion.
func TestFlagsOfRequests(t *testing.T) {
	for name, c := range map[string]*cobra.Command{"predict": newPredict(), "next": newNext(), "score": newScore()} {
		for _, f := range request.Fields() {
			flag, _ := f.Flag()
			if found := c.Flags().Lookup(flag); f.HasFlag(name) && (found == nil || !strings.Contains(found.Usage, f.Usage("`")[:4])) {
				t.Errorf("%s has no flag for %s", name, f.Name)
			}
		}
	}
}
