package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestStandardErrorAsJSON checks that every line of the standard error is a JSON object, also for
// errors in later flags, and that the results do not change.
func TestStandardErrorAsJSON(t *testing.T) {
	inFolder(t, "labelled.csv", "smiles;hit\nCCO;yes\nCCN;yes\nc1ccccc1;no\nc1ccccc1C;no\nC(;no\n")
	put(t, "library.csv", "smiles\nCCC\nCCCO\n")
	args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--method", "similarity"}
	plain := pacia(args...)
	logged := pacia(append(args, "--log-format", "json", "--verbose")...)
	if plain.code != 0 || logged.code != 0 {
		t.Fatalf("exit codes %d and %d\n%s%s", plain.code, logged.code, plain.err, logged.err)
	}
	messages := 0
	for line := range strings.Lines(logged.err) {
		var r struct{ Time, Level, Msg string }
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Time == "" || r.Msg == "" {
			t.Errorf("%v in the line %q", err, line)
		}
		if r.Level == "INFO" {
			messages++
			if !strings.Contains(plain.err, r.Msg) {
				t.Errorf("%q is not printed without --log-format", r.Msg)
			}
		}
	}
	if messages == 0 || messages != strings.Count(plain.err, "\n") {
		t.Errorf("%d of %d lines are JSON", messages, strings.Count(plain.err, "\n"))
	}
	const took = `in \d+\.\d s`
	if mask(plain.out, took) != mask(logged.out, took) {
		t.Errorf("the results differ:\n%s\n%s", plain.out, logged.out)
	}

	r := pacia("predict", "--log-format", "json", "--supports", "labelled.csv")
	var e struct {
		Level, Msg string
		Exit       int
	}
	if err := json.Unmarshal([]byte(r.err), &e); err != nil || e.Level != "ERROR" || e.Exit != exitBadInput || !strings.Contains(e.Msg, "--support") {
		t.Errorf("a wrong flag: %q (%v)", r.err, err)
	}
}

func TestQuietLeavesErrors(t *testing.T) {
	inFolder(t, "labelled.csv", "smiles;hit\nCCO;yes\nc1ccccc1;no\nC(;no\n")
	put(t, "library.csv", "smiles\nCCC\n")
	args := []string{"--quiet", "predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--method", "similarity"}
	if r := pacia(args...); r.code != 0 || r.err != "" || !strings.Contains(r.out, "ranked   1 molecules") {
		t.Errorf("exit code %d, standard error %q, standard output\n%s", r.code, r.err, r.out)
	}
	wantFault(t, "pacia: none.csv: cannot be read: no such file or directory; check the file", with(args, "--support", "none.csv")...)
	wantFault(t, "pacia: --quiet and --verbose exclude each other; leave one of them out", "version", "--verbose", "--quiet")
	wantFault(t, `pacia: --log-format: "xml" is not known; write text or json`, "version", "--log-format", "xml")
}
