package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// refused checks that bad input ends in one line that contains want.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	if r := pacia(args...); r.code != 2 || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
		t.Errorf("pacia %s: exit code %d, %q; want one line with %q", strings.Join(args, " "), r.code, r.err, want)
	}
}

// TestBaselinesFromTheCommandLine trains, measures and ranks with each baseline, and
// checks the errors of settings that exclude each other.
func TestBaselinesFromTheCommandLine(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCl,0\n")
	put(t, "candidates.csv", "smiles\nCCCCO\nCCCCN\nCCF\n")
	put(t, "multitask.yaml", strings.Replace(small, ", relation: {layers: 2, width: 8}", ", method: multitask", 1))
	put(t, "finetune.yaml", strings.Replace(small, "model: {", "model: {method: finetune, ", 1))
	for _, method := range []string{"finetune", "multitask"} {
		ok(t, "train", "--config", method+".yaml", "--out", method, "--set", "train.finetune.steps=2")
		var e evaluation
		if err := json.Unmarshal([]byte(ok(t, "eval", "--checkpoint", method+"/last.ckpt", "--json", "--finetune-steps", "1,2,12")), &e); err != nil {
			t.Fatal(err)
		}
		if len(e.FineTuned) != 3 || e.FineTuned[1].AUC != e.Mean[0] || e.FineTuned[2].Steps != 12 || e.FineTuned[2].AUC == e.Mean[0] ||
			e.AdaptSeconds <= 0 || e.FineTuned[0].AdaptSeconds <= 0 {
			t.Errorf("%s: eval gives %+v", method, e)
		}
		if table := ok(t, "eval", "--checkpoint", method+"/best.ckpt", "--finetune-steps", "1,2"); !strings.Contains(table, "gradient steps") {
			t.Errorf("%s: the table lacks the gradient steps:\n%s", method, table)
		}
		ok(t, "predict", "--checkpoint", method+"/best.ckpt", "--support", "support.csv", "--candidates", "candidates.csv", "--out", method+".csv")
		text, err := os.ReadFile(method + ".csv")
		if err != nil || strings.Count(string(text), "\n") != 4 {
			t.Errorf("%s: ranked are\n%s(%v)", method, text, err)
		}
	}
	refused(t, "train.finetune.steps: 0 steps", "eval", "--checkpoint", "multitask/last.ckpt", "--finetune-steps", "0")
	refused(t, "train.finetune.steps: -1", "eval", "--checkpoint", "finetune/last.ckpt", "--finetune-steps", "-1")
	refused(t, "model.relation.layers belongs to model.method=pacia or finetune or par, and model.method is multitask; leave it out",
		"train", "--config", "small.yaml", "--set", "model.method=multitask", "--out", "none")
	trained(t, "run")
	refused(t, "which makes no gradient steps on a support set; leave it out", "eval", "--checkpoint", "run/last.ckpt", "--finetune-steps", "1")
	if table := ok(t, "eval", "--checkpoint", "run/last.ckpt"); !strings.Contains(table, "adapting to a task took ") {
		t.Errorf("the table lacks the time of adapting:\n%s", table)
	}
}
