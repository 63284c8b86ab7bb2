package main

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/examples"
)

// scored runs pacia score on a text.
func scored(t *testing.T, text string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"score"}, args...), strings.NewReader(text), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// TestScore checks that each line of the standard input has its molecule's probability in predict, in the
// order of the lines. A line that is not a molecule has NaN.
func TestScore(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "smiles\nCCCCN\nCCCCO\nCCOCC\n")
	for _, way := range [][]string{nil, {"--method", "gp", "--prior", "2%"}} {
		all := way
		if way == nil { // the model that ships, which has vectors of MiniMol
			all = []string{"--refine", "0"}
		}
		ok(t, slices.Concat([]string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv"}, all)...)
		want := map[string]string{"?": "NaN", "": "NaN"}
		rows := readCSV(t, "ranked.csv")
		at := slices.Index(rows[0], "probability")
		for _, row := range rows[1:] {
			p, err := strconv.ParseFloat(row[at], 64)
			if err != nil {
				t.Fatal(err)
			}
			want[row[0]] = strconv.FormatFloat(p, 'f', 6, 64)
		}
		lines := []string{"CCCCN", "?", "CCCCO name", "", "CCOCC", "CCCCO"}
		code, out, errs := scored(t, strings.Join(lines, "\n")+"\n", append([]string{"--support", "support.csv"}, way...)...)
		if code != 0 {
			t.Fatalf("%v: code %d: %s", way, code, errs)
		}
		var predictions []string
		for _, line := range lines {
			predictions = append(predictions, want[strings.TrimSuffix(line, " name")])
		}
		if text := `{"version": 1, "payload": {"predictions": [` + strings.Join(predictions, ", ") + "]}}\n"; out != text {
			t.Errorf("%v: the answer is\n%swant\n%s", way, out, text)
		}
	}
}

// TestScoreOfALineAlone checks that a molecule's probability does not depend on the number of lines.
func TestScoreOfALineAlone(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "support.csv", examples.Support)
	once := strings.TrimPrefix(firstMolecules(examples.Library, 60), "smiles\n")
	predictions := func(text string) []float64 {
		var answer struct {
			Payload struct{ Predictions []float64 }
		}
		code, out, errs := scored(t, text, "--support", "support.csv")
		if err := json.Unmarshal([]byte(out), &answer); code != 0 || err != nil {
			t.Fatalf("code %d: %s (%v)", code, errs, err)
		}
		return answer.Payload.Predictions
	}
	want := predictions(once)
	got := predictions(once + strings.Repeat("CCO\n", 2_000))
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-5 {
			t.Fatalf("line %d has %v, and %v where fewer lines are scored", i, got[i], w)
		}
	}
}

// TestScoreOfNothing checks that an input without readable molecules gets a result, and that an
// unreadable file is an error.
func TestScoreOfNothing(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCN,0\n")
	for text, want := range map[string]int{"": 0, "?\n?\n": 2} {
		code, out, errs := scored(t, text, "--support", "support.csv", "--method", "similarity")
		var answer struct {
			Payload struct{ Predictions []float64 }
		}
		err := json.Unmarshal([]byte(strings.ReplaceAll(out, "NaN", strconv.Itoa(math.MaxInt32))), &answer)
		if code != 0 || err != nil || len(answer.Payload.Predictions) != want {
			t.Errorf("%q: code %d, %q, %s (%v)", text, code, out, errs, err)
		}
	}
	if code, out, errs := scored(t, "CCO\n", "--support", "none.csv"); code != 2 || out != "" || !strings.Contains(errs, "none.csv") {
		t.Errorf("without a support file: code %d, %q, %q", code, out, errs)
	}
}
