package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hour is the report of harness/hour/first_hour.py.
type hour struct {
	Ended  string
	Checks []struct{ Check, Result, Reason string }
}

// made returns the checks with a given result, in their order.
func (h hour) made(result string) (names []string) {
	for _, c := range h.Checks {
		if c.Result == result {
			names = append(names, c.Check)
		}
	}
	return names
}

// firstHour runs the script with flags, and returns its report, output and error.
func firstHour(t *testing.T, flags ...string) (h hour, text string, failed error) {
	t.Helper()
	out, failed := exec.Command("../../harness/hour/first_hour.py", flags...).CombinedOutput()
	report, err := os.ReadFile(flags[slices.Index(flags, "--out")+1])
	if err == nil {
		err = json.Unmarshal(report, &h)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return h, string(out), failed
}

// script writes an executable shell script and returns its path.
func script(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFirstHourDry runs the checks that need no GPU, with this test binary as pacia.
func TestFirstHourDry(t *testing.T) {
	seconds(t)
	first, err := filepath.Abs("../../harness/hour/first_hour.py")
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
	t.Setenv(asPacia, "1")
	output, err := exec.Command(first, "--pacia", os.Args[0], "--config", "small.yaml", "--dry-run", "--out", "report.json").CombinedOutput()
	report, _ := os.ReadFile("report.json")
	var h hour
	if e := json.Unmarshal(report, &h); e != nil || err != nil || h.Ended != "all checks were made" {
		t.Fatalf("%v, %v, ended %s\n%s", err, e, h.Ended, output)
	}
	want := []string{"doctor and start", "stepper alone", "the same twice", "eager launches and the CPU", "replicas", "memory and threads"}
	if got := h.made("ok"); !slices.Equal(got, want) {
		t.Errorf("made are %q, want %q", got, want)
	}
	for _, c := range h.Checks {
		if c.Result != "ok" && (c.Result != "left out" || c.Reason == "") {
			t.Errorf("%s: %s: %s", c.Check, c.Result, c.Reason)
		}
	}
}

// hourTests makes a folder with a test program for each package, a shell script with this text.
func hourTests(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	for _, program := range []string{"ops/ops", "model/model", "model/pacia/pacia", "model/methods/methods", "train/train"} {
		script(t, filepath.Join(folder, program+".test"), text)
	}
	return folder
}

// fakePacia writes a program that reports a device in its first calls, and none later.
func fakePacia(t *testing.T, calls int) string {
	t.Helper()
	folder := t.TempDir()
	return script(t, filepath.Join(folder, "pacia"), `[ "$1" = doctor ] || exit 1
echo >>`+folder+`/calls
n=0; [ $(wc -l <`+folder+`/calls) -gt `+strconv.Itoa(calls)+` ] || n=1
echo "{\"cuda_devices\": $n, \"gpus\": [{\"memory_bytes\": 24000000000}]}"
`)
}

// TestFirstHourGoesOn checks that a failed check is reported and the others are made. Checks that
// take longer than the limit are left out.
func TestFirstHourGoesOn(t *testing.T) {
	seconds(t)
	out := filepath.Join(t.TempDir(), "report.json")
	tests := hourTests(t, `case $0 in
*ops.test) echo a kernel is wrong; exit 3 ;;
*train.test) exec sleep 60 ;;
*) echo '--- PASS: TestParity' ;;
esac
`)
	h, text, err := firstHour(t, "--pacia", fakePacia(t, 99), "--tests", tests, "--out", out, "--from", "tests of ops", "--limit", "1")
	if err == nil || !strings.Contains(text, "failed: tests of ops, ") {
		t.Errorf("got %v, want a failure that names the checks:\n%s", err, text)
	}
	results := map[string]string{"tests of ops": "failed", "tests of model": "ok", "tests of model/pacia": "ok", "tests of model/methods": "ok",
		"tests of train": "left out", "replicas": "failed", "memcheck": "left out", "Docker as two users": "left out"}
	reasons := map[string]string{"tests of ops": "a kernel is wrong", "tests of train": "took longer than 1 s", "memcheck": "compute-sanitizer is not on PATH"}
	for _, c := range h.Checks {
		if want := results[c.Check]; want != "" && c.Result != want {
			t.Errorf("%s: %s (%s), want %s", c.Check, c.Result, c.Reason, want)
		}
		if !strings.Contains(c.Reason, reasons[c.Check]) {
			t.Errorf("%s: %s, want %s", c.Check, c.Reason, reasons[c.Check])
		}
		delete(results, c.Check)
	}
	if len(results) > 0 {
		t.Errorf("missing are %v", results)
	}
}

// TestFirstHourEndsWithoutADevice checks that no check is made once the GPU does not respond.
func TestFirstHourEndsWithoutADevice(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	h, text, err := firstHour(t, "--pacia", fakePacia(t, 2), "--out", out)
	if want := "at stepper alone: the GPU no longer answers"; err == nil || h.Ended != want || len(h.Checks) != 2 {
		t.Errorf("%v, ended %q after %d checks, want %q after 2\n%s", err, h.Ended, len(h.Checks), want, text)
	}
}

// TestFirstHourInParts checks that results of an earlier call stay in the report, in their order.
func TestFirstHourInParts(t *testing.T) {
	seconds(t)
	out := filepath.Join(t.TempDir(), "report.json")
	pacia := fakePacia(t, 99)
	wrong, right := hourTests(t, "exit 1\n"), hourTests(t, "echo '--- PASS: Test'\n")
	run := func(tests string, flags ...string) hour {
		h, _, _ := firstHour(t, append([]string{"--pacia", pacia, "--out", out, "--tests", tests}, flags...)...)
		return h
	}
	run(wrong, "--only", "tests of ops", "--only", "tests of train")
	h := run(right, "--only", "tests of ops")
	if ok, failed := h.made("ok"), h.made("failed"); !slices.Equal(ok, []string{"tests of ops"}) || !slices.Equal(failed, []string{"tests of train"}) {
		t.Errorf("ok are %q, failed %q; want tests of ops, made again, and of train, kept", ok, failed)
	}
}

// TestSanitizersSeeEveryTensor checks that libtorch's own allocator, which hides errors from
// sanitizers, is off.
func TestSanitizersSeeEveryTensor(t *testing.T) {
	seconds(t)
	folder := t.TempDir()
	script(t, filepath.Join(folder, "compute-sanitizer"), `[ "$PYTORCH_NO_CUDA_MEMORY_CACHING" = 1 ] || exit 9
[ "$PACIA_TEST_DEVICE" = cuda ] || exit 8
echo "--- PASS: $*"
`)
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	out := filepath.Join(folder, "report.json")
	h, text, err := firstHour(t, "--pacia", fakePacia(t, 99), "--tests", hourTests(t, ""), "--out", out, "--from", "memcheck")
	want := []string{"memcheck", "initcheck", "synccheck", "racecheck", "memcheck of methods"}
	if got := h.made("ok"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, made are %q, want %q\n%s", err, got, want, text)
	}
}
