package serve_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestOutcomeOfPotency: results are active by the threshold of the support set, its median, and not by their own.
func TestOutcomeOfPotency(t *testing.T) {
	url := startWith(t, bare, nil)
	a := decode(t, post(t, url+"/v1/rank", field{name: "potency", value: "IC50 (nM)"}, field{name: "wait", value: "false"},
		field{"support", "s.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,30\nCCCCO,90\nCCN,3000\nCCCN,>10000\nCCCCN,8000\n"},
		field{"library", "l.csv", "smiles\nCCCCCO\nCCCCCN\nCC(C)O\nCC(C)N\n"}))
	job := done(t, url+"/v1/jobs/"+a.ID)
	for results, want := range map[string]string{
		"CCCCCO,50000\nCCCCCN,60000\nCC(C)O,70000\nCC(C)N,80000\n": `"known":4,"actives":0`,
		"CCCCCO,1 uM\nCCCCCN,60000\nCC(C)O,7\nCC(C)N,8\n":          `"known":4,"actives":3`,
	} {
		text := body(t, post(t, job+"/outcome", field{"support", "r.csv", "smiles,IC50 (nM)\n" + results}))
		if !strings.Contains(text, want) {
			t.Errorf("the outcome is %s, want %s", text, want)
		}
	}
}

// TestRankByPotency: the field potency names the column that is learnt as numbers. Rows have the predicted
// value on its scale and in the unit of the column, each within its interval, and the best come first. The
// answer states the expected number of actives.
func TestRankByPotency(t *testing.T) {
	url := start(t, nil)
	r := post(t, url+"/v1/rank", field{name: "potency", value: "IC50 (nM)"},
		field{"support", "s.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,30\nCCCCO,90\nCCN,3000\nCCCN,>10000\nCCCCN,8000\n"},
		field{"library", "l.csv", "smiles\nCCCCCO\nCCCCCN\nCC(C)O\nCC(C)N\n"})
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		First []struct {
			Potency, Predicted *struct {
				Value     float64
				Low, High *float64
			}
		}
		Expected []struct{ First int }
	}
	if err := json.Unmarshal(text, &a); err != nil || len(a.First) != 4 {
		t.Fatalf("%v: %s", err, text)
	}
	last := 99.0
	for _, row := range a.First {
		p, q := row.Potency, row.Predicted
		if p == nil || q == nil || p.Value > last || q.Value <= 0 || p.Low != nil && *p.Low > p.Value || q.High != nil && *q.High < q.Value {
			t.Fatalf("rows are not in the order of their potency, or lack it: %s", text)
		}
		last = p.Value
	}
	if len(a.Expected) != 1 || a.Expected[0].First != 4 {
		t.Errorf("expected actives %+v, want those of all four molecules", a.Expected)
	}
	r = post(t, url+"/v1/rank", field{name: "potency", value: "dose"}, field{"support", "s.csv", "smiles,dose\nCCO,1\nCCN,3\n"}, field{"library", "l.csv", "smiles\nCO\n"})
	if text, _ = io.ReadAll(r.Body); !strings.Contains(string(text), "not known whether small or large values") {
		t.Errorf("values without a known side: %s", text)
	}
}
