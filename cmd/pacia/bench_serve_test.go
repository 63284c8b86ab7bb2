package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// serveLines runs a served benchmark of the small settings on lines of input.
func serveLines(t *testing.T, lines string, args ...string) result {
	t.Helper()
	exampleFolder(t)
	var out, errs bytes.Buffer
	args = append([]string{"bench", "--config", "small.yaml", "--serve", "episodes.npz"}, args...)
	code := run(args, strings.NewReader(lines), &out, &errs)
	return result{out.String(), errs.String(), code}
}

func TestServeMeasuresEachCommand(t *testing.T) {
	r := serveLines(t, "step 1\nevaluate 1\nstep 0\n", "--steps", "2", "--every", "5")
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	answers := json.NewDecoder(strings.NewReader(r.out))
	var head ready
	var units [3]measurement
	for _, to := range []any{&head, &units[0], &units[1], &units[2]} {
		if err := answers.Decode(to); err != nil {
			t.Fatalf("%v in\n%s", err, r.out)
		}
	}
	if head.Steps != 2 || !slices.Equal(head.Tests, []string{"has_5", "has_6"}) || head.Shots != 2 || head.Parameters < 1 || head.Threads != 1 {
		t.Errorf("ready: %+v", head)
	}
	for i, u := range units {
		isStep := i != 1
		if u.Seconds <= 0 || u.Processor <= 0 || (u.Loss != nil) != isStep {
			t.Errorf("answer %d: %+v", i, u)
		}
	}
	// A test task has 42 molecules, 4 of them in the support set. Queries 0, 5, … 35 of 38 are ranked.
	if units[1].Queries != 8 {
		t.Errorf("%d queries ranked, want 8", units[1].Queries)
	}
}

func TestServeRefusesOtherLines(t *testing.T) {
	for _, line := range []string{"step", "step 2", "step -1", "evaluate 2", "sleep 1", ""} {
		r := serveLines(t, line+"\n", "--steps", "2")
		want := "is nothing to measure; write step 0 to 1 or evaluate 0 to 1\n"
		if r.code != exitBadInput || !strings.HasSuffix(r.err, want) {
			t.Errorf("%q: exit code %d, %q; want %d and %q", line, r.code, r.err, exitBadInput, want)
		}
	}
}

// TestServedEpisodes reads the file: two steps of two tasks and the two test
// tasks, with the arrays of a data.Batch.
func TestServedEpisodes(t *testing.T) {
	if r := serveLines(t, "", "--steps", "2"); r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	file, err := zip.OpenReader("episodes.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	values := map[string]string{} // bytes after an array's header
	for _, f := range file.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		_, values[strings.TrimSuffix(f.Name, ".npy")], _ = strings.Cut(string(text), "\n")
	}
	fields := []string{"sizes", "atoms", "row_ptr", "col", "bond", "mol_ptr", "query_task", "support_label", "query_label"}
	var want []string
	for _, batch := range []string{"step0.", "step1.", "test0.", "test1."} {
		for _, f := range fields {
			want = append(want, batch+f)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(values)); !slices.Equal(got, want) {
		t.Errorf("arrays %v, want %v", got, want)
	}
	for name, want := range map[string]string{
		"step1.sizes":         "\x02\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00", // 2 tasks, 4 support molecules, 2 shots
		"step1.support_label": "\x00\x00\x01\x01\x00\x00\x01\x01",
		"test0.sizes":         "\x01\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00",
	} {
		if values[name] != want {
			t.Errorf("%s is %q, want %q", name, values[name], want)
		}
	}
	if got := len(values["test1.query_label"]); got != 38 {
		t.Errorf("test task 1 has %d queries in the file, want 38", got)
	}
	if values["step0.atoms"] == values["step1.atoms"] {
		t.Error("both steps have the same molecules")
	}
}
