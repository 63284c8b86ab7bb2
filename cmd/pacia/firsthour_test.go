package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hour is the report of bench/first_hour.py.
type hour struct {
	Ended  string
	Checks []struct{ Check, Result, Reason string }
}

// firstHour makes a dry run of it with this program, and returns its report, what it
// wrote, and its error.
func firstHour(t *testing.T, more ...string) (h hour, said string, failed error) {
	t.Helper()
	script, err := filepath.Abs("../../bench/first_hour.py")
	if err != nil {
		t.Fatal(err)
	}
	workplace(t)
	t.Setenv(asPacia, "1")
	out, failed := exec.Command(script, append([]string{"--pacia", os.Args[0], "--config", "small.yaml", "--dry-run", "--out", "report.json"},
		more...)...).CombinedOutput()
	text, err := os.ReadFile("report.json")
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return h, string(out), failed
}

// TestFirstHourDry: without a GPU all that needs none is checked.
func TestFirstHourDry(t *testing.T) {
	h, said, err := firstHour(t)
	if err != nil || h.Ended != "all checks were made" {
		t.Fatalf("%v, ended %s\n%s", err, h.Ended, said)
	}
	var ok, left []string
	for _, c := range h.Checks {
		if c.Result == "ok" {
			ok = append(ok, c.Check)
		} else {
			left = append(left, c.Check)
		}
		if c.Result != "ok" && (c.Result != "left out" || c.Reason == "") {
			t.Errorf("%s: %s: %s", c.Check, c.Result, c.Reason)
		}
	}
	want := "doctor and start, stepper alone, the same twice, eager launches and the CPU, memory and threads, replicas"
	if got := strings.Join(ok, ", "); got != want || len(left) != 10 {
		t.Errorf("made are %s, want %s; left out are %v", got, want, left)
	}
}

// TestFirstHourEndsAtAFailure: with the check, and the reason, in the report.
func TestFirstHourEndsAtAFailure(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "tests")
	if err := os.MkdirAll(filepath.Join(broken, "ops"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "ops/ops.test"), []byte("#!/bin/sh\necho a kernel is wrong\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	h, said, err := firstHour(t, "--tests", broken)
	if err == nil || h.Ended != "at tests of ops" || len(h.Checks) != 2 || !strings.Contains(h.Checks[1].Reason, "a kernel is wrong") ||
		!strings.Contains(said, "report.json has what was found") {
		t.Errorf("%v, ended %s, %v\n%s", err, h.Ended, h.Checks, said)
	}
}
