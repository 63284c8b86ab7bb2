package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A result holds the exit code and the output of one command line.
type result struct {
	out, err string
	code     int
}

// pacia runs one command line in this process.
func pacia(args ...string) result {
	var out, err bytes.Buffer
	code := run(args, strings.NewReader(""), &out, &err)
	return result{out.String(), err.String(), code}
}

// golden compares text with testdata/NAME.golden.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test ./cmd/pacia -update writes it", err)
	}
	if text != string(want) {
		t.Errorf("%s differs (go test ./cmd/pacia -update writes it anew):\n got\n%s\nwant\n%s", file, text, want)
	}
}

// mask replaces text that differs from run to run and from machine to machine.
func mask(text string, patterns ...string) string {
	for _, p := range patterns {
		text = regexp.MustCompile(p).ReplaceAllString(text, "…")
	}
	return text
}

// wantFault checks that a command line fails as bad input, with line on its standard error.
func wantFault(t *testing.T, line string, args ...string) {
	t.Helper()
	r := pacia(args...)
	if r.code != exitBadInput || r.err != line+"\n" {
		t.Errorf("pacia %s: exit code %d, standard error\n  %q\nwant %d and\n  %q", strings.Join(args, " "), r.code, r.err, exitBadInput, line+"\n")
	}
	if r.out != "" {
		t.Errorf("pacia %s: bad input must leave the standard output empty, got %q", strings.Join(args, " "), r.out)
	}
}
