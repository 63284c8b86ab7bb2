package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/metrics"
)

// several returns the flags of checkpoints.
func several(files ...string) (args []string) {
	for _, file := range files {
		args = append(args, "--checkpoint", file)
	}
	return args
}

// decoded runs a command with --json.
func decoded[T any](t *testing.T, args ...string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(ok(t, append(args, "--json")...)), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEvalOfEqualMembers: a model together with itself has the figures of the model alone, its controls as well.
func TestEvalOfEqualMembers(t *testing.T) {
	exampleFolder(t)
	trained(t, "run", "--set", "model.encoder=fingerprint")
	const file = "run/last.ckpt"
	one := decoded[evaluation](t, "eval", "--checkpoint", file)
	two := decoded[evaluation](t, append([]string{"eval"}, several(file, file)...)...)
	if len(one.Adaptivity.Depths) == 0 || two.Adaptivity.Depths != nil {
		t.Errorf("depths %v of one model, %v of two", one.Adaptivity.Depths, two.Adaptivity.Depths)
	}
	for _, e := range []*evaluation{&one, &two} {
		e.Adaptivity.Depths, e.Categories = nil, nil
		for _, f := range e.Test {
			f.Adaptivity.Depths = nil
		}
	}
	equal := reflect.DeepEqual(one.Test, two.Test) && reflect.DeepEqual(one.Adaptivity, two.Adaptivity)
	if !equal || one.Queries != two.Queries || !two.SameData {
		t.Errorf("alone %+v, twice %+v", one, two)
	}
	m := member{file, 6, true}
	if one.Checkpoint != file || one.Checkpoints != nil || two.Checkpoint != "" || !slices.Equal(two.Checkpoints, []member{m, m}) {
		t.Errorf("named %+v and %+v", one.subject, two.subject)
	}
	text := ok(t, append([]string{"eval"}, several(file, file)...)...)
	const title = "mean of 2 models: run/last.ckpt after episode 6, run/last.ckpt after episode 6, on library with "
	if !strings.HasPrefix(text, title) || strings.Contains(text, "note:") {
		t.Errorf("the table is\n%s", text)
	}
}

// TestEvalAveragesProbabilities: of models of different methods and encoders, the rows have the mean of the probabilities, and the
// figures are those of the means, also by FS-Mol's protocol and against a member alone.
func TestEvalAveragesProbabilities(t *testing.T) {
	seconds(t)
	shipped, err := filepath.Abs("../../weights/fsmol.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	folder(t)
	trained(t, "joined", byProtocol("model.encoder=minimol+fingerprint")...)
	trained(t, "counts", byProtocol("model.encoder=fingerprint", "train.episodes=4")...)
	files := []string{"joined/last.ckpt", shipped, "counts/last.ckpt"}
	results := []string{"eval", "--set", "data.path=tasks", "--sizes", "16", "--draws", "2", "--results"}
	var alone [][][]string
	for i, file := range files {
		name := strconv.Itoa(i)
		ok(t, append(append(results, name, "--predictions", name+".csv"), several(file)...)...)
		alone = append(alone, predictionRows(t, name+".csv"))
	}
	b := decoded[protocolTest](t, append(append(results, "all", "--predictions", "all.csv", "--against", "1"), several(files...)...)...)
	if len(b.Checkpoints) != 3 || b.Checkpoints[1].SameData || !b.Checkpoints[2].SameData || b.SameData {
		t.Errorf("members %+v", b.Checkpoints)
	}
	mean := meanDelta(t, predictionRows(t, "all.csv"), alone...)
	if got := b.Sizes[0].Mean.Value(metrics.NameDeltaAUPRC); math.Abs(got-mean) > 1e-9 {
		t.Errorf("ΔAUPRC %v, of the averaged probabilities %v", got, mean)
	}
	if want := mean - meanDelta(t, alone[1], alone[1]); len(b.Against) != 1 || math.Abs(b.Against[0].Difference-want) > 1e-9 {
		t.Errorf("against a member: %+v, want %v", b.Against, want)
	}
	if a := b.Sizes[0].Adaptivity; a == nil || reflect.DeepEqual(a.Swapped, a.Own) || a.Foreign == nil {
		t.Errorf("controls %+v", a)
	}
	text := ok(t, append(append(results, "again", "--set", "train.adaptivity=never"), several(files[0], shipped)...)...)
	if !strings.Contains(text, "\nnote: "+shipped+" was trained on other files\n") {
		t.Errorf("the table is\n%s", text)
	}
	plain := []string{"eval", "--set", "data.path=tasks", "--set", "train.adaptivity=never", "--predictions"}
	e := decoded[evaluation](t, append(append(plain, "both.csv"), several(files[0], files[0])...)...)
	rows := predictionRows(t, "both.csv")
	if got, want := e.Mean.Value(metrics.NameDeltaAUPRC), meanDelta(t, rows, rows); math.Abs(got-want) > 1e-9 {
		t.Errorf("plain ΔAUPRC %v, of the rows %v", got, want)
	}
}

// meanDelta averages the probabilities of tables of predictions row by row, compares them with those of got, and returns the
// ΔAUPRC of the means: over the tasks, of each over its draws.
func meanDelta(t *testing.T, got [][]string, tables ...[][]string) float64 {
	t.Helper()
	number := func(text string) float64 {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	type set struct {
		labels []uint8
		scores []float64
	}
	sets, differ := map[[2]string]*set{}, 0.0
	for i, row := range got {
		sum := 0.0
		for _, table := range tables {
			if !slices.Equal(table[i][:8], row[:8]) {
				t.Fatalf("row %d: %q, %q", i, table[i], row)
			}
			sum += number(table[i][8]) / float64(len(tables))
			differ = max(differ, math.Abs(number(table[i][8])-number(row[8])))
		}
		if math.Abs(sum-number(row[8])) > 1e-6 {
			t.Errorf("row %d: %q, want the mean %v", i, row, sum)
		}
		key := [2]string{row[0], row[1]}
		if sets[key] == nil {
			sets[key] = new(set)
		}
		sets[key].labels, sets[key].scores = append(sets[key].labels, row[7][0]-'0'), append(sets[key].scores, number(row[8]))
	}
	if len(tables) > 1 && differ < 1e-3 {
		t.Errorf("the models differ by %v at most: nothing was compared", differ)
	}
	mean := 0.0
	for _, s := range sets { // every task has the same number of draws
		mean += metrics.Measure(s.labels, s.scores).Value(metrics.NameDeltaAUPRC) / float64(len(sets))
	}
	return mean
}

// TestKnownToMembers: a molecule is known if one member knows it. Whether it is new is not recorded where a member without a record
// was trained on other data; of one that was trained on this file, the labels of its training tasks are its record.
func TestKnownToMembers(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "new.csv", newAssays())
	put(t, "kernel.yaml", strings.Replace(small, ", relation: {layers: 2, width: 8}", ", method: kernel, encoder: fingerprint", 1))
	ok(t, "train", "--config", "kernel.yaml", "--out", "kernel")
	ok(t, "train", "--set", "data.path=library.csv", "--set", "data.split=0-4/5-6", "--set", "data.cache=cache", "--set", "model.method=gp",
		"--set", "episode.shots=2", "--out", "gp")
	trained(t, "there", "--set", "model.encoder=fingerprint")
	trained(t, "here", "--set", "model.encoder=fingerprint", "--set", "data.path=new.csv", "--set", "data.ignore=MW",
		"--set", "data.split=even/short", "--set", "train.selection=last", "--set", "train.validation_tasks=0",
		"--set", "train.tasks_per_step=1", "--set", "data.smiles=Structure")
	count := func(want map[string]int, errors string, files ...string) (e evaluation) {
		t.Helper()
		args := []string{"eval", "--set", "data.path=new.csv", "--set", "data.ignore=MW", "--predictions", "p.csv", "--json"}
		r := pacia(append(args, several(files...)...)...)
		if err := json.Unmarshal([]byte(r.out), &e); err != nil || !strings.Contains(r.err, errors) {
			t.Fatalf("%v: %v, standard error %s", files, err, r.err)
		}
		got := map[string]int{}
		for _, row := range predictionRows(t, "p.csv") {
			if row[0] == "even" {
				got[row[9]] = 1
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v: known is %v, want %v", files, got, want)
		}
		return e
	}
	kernel, there, here := "kernel/last.ckpt", "there/last.ckpt", "here/last.ckpt"
	const known, of = "24 of 40 molecules are known from training", " of the models that have a record of it"
	one := count(map[string]int{"true": 1, "false": 1}, known+"\n", kernel)
	two := count(map[string]int{"true": 1, "false": 1}, known+"\n", kernel, kernel)
	if one.Adaptivity.Known != two.Adaptivity.Known || one.Adaptivity.Known == 0 || two.Adaptivity.Elsewhere {
		t.Errorf("alone %+v, twice %+v", one.Adaptivity, two.Adaptivity)
	}
	beside := count(map[string]int{"true": 1, "false": 1}, known+"\n", kernel, "gp/last.ckpt")
	if beside.Adaptivity.Known != one.Adaptivity.Known || beside.Adaptivity.Elsewhere {
		t.Errorf("beside a method without training %+v", beside.Adaptivity)
	}
	if e := count(map[string]int{"": 1}, "", there); !e.Adaptivity.Elsewhere {
		t.Errorf("without a record %+v", e.Adaptivity)
	}
	if e := count(map[string]int{"true": 1, "": 1}, known+of, kernel, there); !e.Adaptivity.Elsewhere {
		t.Errorf("beside a model without a record %+v", e.Adaptivity)
	}
	e := count(map[string]int{"true": 1}, "here/last.ckpt was trained on 1 of the test tasks: even", kernel, here)
	if e.Adaptivity.Elsewhere || e.Adaptivity.Known != e.Adaptivity.Queries || e.Adaptivity.Static == nil {
		t.Errorf("beside a model that was trained on the file %+v", e.Adaptivity)
	}
}

// TestEvalRefusesMembers: some tests are of one model, and models must read the same molecules.
func TestEvalRefusesMembers(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	trained(t, "counts", "--set", "model.encoder=fingerprint")
	put(t, "past.csv", pastOfEval(t, "smiles", "other"))
	both := append([]string{"eval", "--set", "data.path=missing.csv"}, several("run/last.ckpt", "run/last.ckpt")...)
	wantFault(t, "pacia: --values measures one model, and there are 2 --checkpoint; name one",
		append(both, "--values", "v.csv", "--rounds", "3")...)
	wantFault(t, "pacia: --finetune-steps measures one model, and there are 2 --checkpoint; name one",
		append(both, "--finetune-steps", "1")...)
	wantFault(t, "pacia: --history: the model does not compare molecules by past assays; leave it out; the model that ships and kernel do",
		append(both, "--history", "past.csv")...)
	wantFault(t, "pacia: the checkpoints read different inputs, such as graphs and fingerprints; "+
		"use checkpoints with the same model.encoder and the same kind of data", append(both, "--checkpoint", "counts/last.ckpt")...)
	wantFault(t, "pacia: --predictions run/last.ckpt would overwrite run/last.ckpt; write another name",
		append([]string{"eval", "--predictions", "run/last.ckpt"}, several("run/best.ckpt", "run/last.ckpt")...)...)
}
