package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
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
		if text := `{"version": 1, "payload": {"predictions": [` + strings.Join(predictions, ", ") + `]}, "metadata": {"domain": ["`; !strings.HasPrefix(out, text) {
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

// answered reads the answer of pacia score, with null for NaN.
func answered(t *testing.T, text string, args ...string) (payload, metadata map[string][]any) {
	t.Helper()
	var answer struct{ Payload, Metadata map[string][]any }
	code, out, errs := scored(t, text, args...)
	if err := json.Unmarshal([]byte(strings.ReplaceAll(out, "NaN", "null")), &answer); code != 0 || err != nil {
		t.Fatalf("%v: code %d: %s %s (%v)", args, code, out, errs, err)
	}
	return answer.Payload, answer.Metadata
}

// TestScoreLists checks the lists beside predictions: potencies, several assays, domain and uncertainty. Each has an
// element for each line, also if no line is a molecule.
func TestScoreLists(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,IC50 (nM),active\nCCO,10,1\nCCCO,20,1\nCCN,9000,0\nCCCN,>10000,0\n")
	put(t, "counter.csv", "smiles,active\nCCO,0\nCCCO,1\nCCN,0\nCCCN,1\n")
	for _, c := range []struct{ args, payload, metadata string }{
		{"--label active", "predictions", "domain uncertainty"},
		{"--potency IC50_(nM)", "potency potency_high potency_low predictions", "domain uncertainty"},
		{"--label active --against counter.csv", "predictions probability probability_counter", "domain uncertainty"},
		{"--label active --method gp", "predictions", "domain"},
	} {
		args := []string{"--support", "support.csv"}
		for word := range strings.FieldsSeq(c.args) {
			args = append(args, strings.ReplaceAll(word, "_", " "))
		}
		for _, text := range []string{"CCCCO\n?\nCCCCN\n", "?\n?\n?\n"} {
			payload, metadata := answered(t, text, args...)
			if got := strings.Join(slices.Sorted(maps.Keys(payload)), " "); got != c.payload {
				t.Errorf("%s of %q: the payload has %s, want %s", c.args, text, got, c.payload)
			}
			if got := strings.Join(slices.Sorted(maps.Keys(metadata)), " "); got != c.metadata && text[0] != '?' {
				t.Errorf("%s: the metadata have %s, want %s", c.args, got, c.metadata)
			}
			for name, list := range payload {
				if len(list) != 3 || list[1] != nil || (list[0] == nil || list[2] == nil) && text[0] != '?' && name != "potency_low" {
					t.Errorf("%s of %q: %s is %v", c.args, text, name, list)
				}
			}
		}
	}
	payload, _ := answered(t, "CCCCO\nCCCCN\n", "--support", "support.csv", "--potency", "IC50 (nM)")
	if a, b := payload["potency"][0].(float64), payload["potency"][1].(float64); a < b+0.5 || a > 9 {
		t.Errorf("the predicted pIC50 are %v and %v", a, b)
	}
}

// TestScoreInPrograms checks that the endpoint of REINVENT 4 in docs/programs.md names a list of the payload, as its
// component requires, and flags of pacia score.
func TestScoreInPrograms(t *testing.T) {
	root, _ := docsPages(t)
	text, err := os.ReadFile(filepath.Join(root, "docs/programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```toml\n(.*?)```").FindStringSubmatch(string(text))
	if block == nil || !strings.Contains(block[1], "[[component.ExternalProcess.endpoint]]\n") {
		t.Fatal("docs/programs.md has no endpoint of REINVENT 4")
	}
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^params\.(\w+) = (.*)$`).FindAllStringSubmatch(block[1], -1) {
		found[m[1]] = m[2]
	}
	if found["property"] != `["predictions"]` || !strings.HasSuffix(found["executable"], `/pacia"`) || len(found) != 3 {
		t.Errorf("the endpoint has %v", found)
	}
	exampleFolder(t)
	put(t, "measured.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := strings.Fields(strings.ReplaceAll(strings.Trim(found["args"], `"`), "/data/", ""))
	if args[0] != "score" {
		t.Fatalf("the endpoint runs %v", args)
	}
	if payload, _ := answered(t, "CCO\nCCN\n", args[1:]...); len(payload["predictions"]) != 2 {
		t.Errorf("%v answers %v", args, payload)
	}
}

// TestScoreOfLinesThatAreNotText: such a line is NaN, and the others have the scores that they have without it.
func TestScoreOfLinesThatAreNotText(t *testing.T) {
	inFolder(t, "support.csv", "smiles,label\nCCCCO,1\nCCCCN,0\n")
	args := []string{"--support", "support.csv", "--method", "similarity"}
	want, _ := answered(t, "CCO\n?\nCCN\n", args...)
	for _, odd := range []string{"C\x00C", "\x00", "\x1b[1m", "C\xff", "C\x7fC", "µ", "\ufffe"} {
		got, _ := answered(t, "CCO\n"+odd+"\nCCN\n", args...)
		if a, b := got["predictions"], want["predictions"]; len(a) != 3 || a[0] != b[0] || a[1] != nil || a[2] != b[2] || a[0] == nil {
			t.Errorf("%q: %v, want %v", odd, a, b)
		}
	}
}

// TestScoreWithoutTMPDIR: the error names what can be changed.
func TestScoreWithoutTMPDIR(t *testing.T) {
	inFolder(t, "s.csv", "smiles,hit\nCCO,+\nCCN,-\n")
	t.Setenv("TMPDIR", "none")
	var out, err bytes.Buffer
	code := run([]string{"score", "--method", "similarity", "--support", "s.csv"}, strings.NewReader("CCCO\n"), &out, &err)
	want := "pacia: none: cannot write into the folder: no such file or directory; set TMPDIR to a folder for temporary files\n"
	if code != exitBadInput || err.String() != want {
		t.Errorf("exit code %d, %q; want %q", code, err.String(), want)
	}
}
