package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/harness/chains"
)

// TestEvalHistory: an evaluated task is left out of its past by its name and by its labels, also for its controls, and the
// figures, the rows and the differences to those without past assays state what was used.
func TestEvalHistory(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	past := pastOfEval(t, "smiles", "has_0", "copy of 1", "other")
	put(t, "past.csv", past)
	put(t, "rest.csv", pastOfEval(t, "smiles", "other"))
	eval := func(more ...string) (e evaluation) {
		t.Helper()
		args := strings.Fields("eval --set data.path=library.csv --set data.split=all --set episode.shots=4 --set episode.support=0 " +
			"--set episode.test_support=0 --set train.evaluation_draws=2 --json")
		if err := json.Unmarshal([]byte(ok(t, append(args, more...)...)), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	none, with := eval(), eval("--history", "past.csv", "--predictions", "p.csv")
	rest, keeps := eval("--history", "rest.csv"), eval("--history", "past.csv", "--keep-assay")
	if none.History != nil || with.History.Assays != 3 || with.History.Molecules != 42 || len(with.History.Tasks) != len(with.Test) {
		t.Fatalf("past assays %+v, and %+v without any", with.History, none.History)
	}
	for i, task := range with.Test {
		of := with.History.Tasks[i]
		if task.Task == "has_0" || task.Task == "has_1" {
			if len(of.Itself) != 1 || of.Assays != 2 || of.Measured != 42 {
				t.Errorf("the task itself is not left out: %+v", of)
			}
		} else if of.Assays != 3 {
			t.Errorf("other assays than the task are left out: %+v", of)
		}
	}
	if reflect.DeepEqual(with.Mean, none.Mean) {
		t.Error("the past assays change nothing")
	}
	put(t, "without-0.csv", pastOfEval(t, "smiles", "copy of 1", "other"))
	if other := eval("--history", "without-0.csv"); !reflect.DeepEqual(other.Test[0], with.Test[0]) {
		t.Errorf("an assay that is left out counts: %+v, and %+v where it is not in the file", with.Test[0], other.Test[0])
	}
	if keeps.History.Tasks[0].Assays != 3 || keeps.Test[0].Values[0] <= rest.Test[0].Values[0] {
		t.Errorf("with --keep-assay: %+v, %v", keeps.History.Tasks[0], keeps.Test[0].Values)
	}
	rows := readCSV(t, "p.csv")
	if at := slices.Index(rows[0], "past"); at != len(predictionColumns) || rows[1][at] != "2" || rows[0][at+1] != "past_active" {
		t.Errorf("columns %q, cells %q", rows[0], rows[1])
	}
	text := ok(t, "eval", "--set", "data.path=library.csv", "--set", "data.split=all", "--set", "episode.test_support=16",
		"--history", "past.csv")
	for _, want := range []string{"3 of 42 molecules, which have 294 of 294 molecules", "2 of 7 tasks are among them and left out"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// TestEvalHistoryAgainst: tables with past assays are paired with those without.
func TestEvalHistoryAgainst(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "past.csv", pastOfEval(t, "smiles", "other"))
	args := strings.Fields("eval --set data.path=library.csv --set data.split=all --sizes 16 --draws 2 --json")
	ok(t, append(args, "--results", "without")...)
	var b protocolTest
	with := ok(t, append(args, "--results", "with", "--against", "without", "--history", "past.csv")...)
	if err := json.Unmarshal([]byte(with), &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Against) != 1 || b.Against[0].Tasks != 7 || b.Against[0].StandardError <= 0 || b.History == nil || len(b.History.Tasks) != 7 {
		t.Errorf("paired %+v, past assays %+v", b.Against, b.History)
	}
}

// TestEvalHistoryRefused: past assays are inputs, and have no effect on other tests and other models.
func TestEvalHistoryRefused(t *testing.T) {
	exampleFolder(t)
	put(t, "past.csv", pastOfEval(t, "smiles", "other"))
	wantFault(t, "pacia: --history has no effect with --values; leave out one of them", "eval", "--values", "v.csv", "--history", "past.csv")
	wantFault(t, "pacia: --predictions past.csv would overwrite past.csv; write another name",
		"eval", "--set", "data.path=library.csv", "--history", "past.csv", "--predictions", "past.csv")
	trained(t, "run")
	wantFault(t, "pacia: --specific has no effect without past assays; also write --history, use a model that remembers some, or leave it out",
		"eval", "--checkpoint", "run/best.ckpt", "--specific")
	wantFault(t, "pacia: --history: the model does not compare molecules by past assays; leave it out; the model that ships and kernel do",
		"eval", "--checkpoint", "run/best.ckpt", "--history", "past.csv")
}

// pastOfEval returns a table with these columns of the chains: has_0, a copy of has_1 with other labels for none, and other.
func pastOfEval(t *testing.T, columns ...string) string {
	t.Helper()
	library := strings.Split(strings.TrimSpace(chains.Library()), "\n")
	header := strings.Split(library[0], ",")
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + "\n")
	for n, line := range library[1:] {
		cells := strings.Split(line, ",")
		of := map[string]string{"copy of 1": cells[slices.Index(header, "has_1")], "other": []string{"1", "0", "0", "1", "0"}[n%5]}
		for i, name := range header {
			of[name] = cells[i]
		}
		var row []string
		for _, name := range columns {
			row = append(row, of[name])
		}
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}
