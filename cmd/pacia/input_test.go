package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pacia/config"
	"pacia/train"
)

// TestFilesThatNeverEnd checks that devices, pipes and files that are too large are refused before
// they are read.
func TestFilesThatNeverEnd(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "sparse", "\x00\x00\x00\x00\x08")
	if err := os.Truncate("sparse", 1<<40); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	const device = "/dev/zero: cannot be read: it is a device; "
	predict := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"train", "--set", "data.path=/dev/zero", "--out", "run"}, device + "check data.path"},
		{[]string{"train", "--set", "data.path=sparse", "--out", "run"}, "sparse: is larger than 1 GiB; check data.path"},
		{[]string{"train", "--config", "/dev/zero", "--out", "run"}, device + "name a file"},
		{[]string{"train", "--config", "sparse", "--out", "run"}, "sparse: is larger than 1 MiB; name another file"},
		{[]string{"sweep", "/dev/zero", "--out", "runs"}, device + "name a file"},
		{append(predict, "--checkpoint", "sparse"), "sparse: is larger than 2 GiB; name another file"},
		{append(predict, "--checkpoint", "pipe"), "pipe: cannot be read: it is not a regular file; name a file"},
		{append(predict, "--candidates", "/dev/zero"), device + "name a file"},
		{with(predict, "--support", "/dev/zero"), device + "name a file"},
		{append(predict, "--candidates", "sparse"), "sparse: is neither a text nor a workbook; give a CSV, TSV, SMILES, SD or .xlsx file"},
		{[]string{"pretrain", "/dev/zero", "--out", "runs"}, device + "name a file"},
	} {
		wantFault(t, "pacia: "+tt.want, tt.args...)
	}
	if left, _ := filepath.Glob("r*"); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
}

// TestStoppedBeforeAnythingCame checks that a run can be stopped while it reads its data from a
// pipe, to which a program never writes.
func TestStoppedBeforeAnythingCame(t *testing.T) {
	exampleFolder(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Options{Set: []string{"data.path=pipe"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = train.Run(ctx, cfg, "run", false, newTrainDisplay(&strings.Builder{}, &strings.Builder{}, cfg))
	if stopped := ended(err, "", "run"); exitCode(stopped) != exitInterrupted || stopped.Error() != "stopped while the data set was opened; nothing was begun" {
		t.Errorf("%v (%v)", stopped, err)
	}
}

// TestAdviceOnTrouble checks that an error of the machine is one line with advice, and that
// no line repeats a long input.
func TestAdviceOnTrouble(t *testing.T) {
	seconds(t)
	full := fmt.Errorf("episode 3: saving: %w", &os.PathError{Op: "write", Path: "run/last.ckpt", Err: syscall.ENOSPC})
	const want = "episode 3: saving: write run/last.ckpt: no space left on device; free some room there and give the command again (with --resume if a run had begun), or write to another place; what was there before is whole"
	if got := errorLine(full); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := errorLine(errors.New("a\nb")); got != "a" {
		t.Errorf("got %q", got)
	}
	if got := errorLine(errors.New(strings.Repeat("é", 1<<20))); len(got) > 2*longest {
		t.Errorf("a line of %d bytes", len(got))
	}
	long := strings.Repeat("x", 1<<20)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "label.csv", "smiles,active\nCCO,1\nCCN,"+long+"\n")
	put(t, "header.csv", "smiles,"+long+"\nCCO,1\n")
	for _, args := range [][]string{
		{"predict", "--support", "label.csv", "--candidates", "library.csv", "--out", "ranked.csv"},
		{"predict", "--support", "header.csv", "--candidates", "library.csv", "--out", "ranked.csv"},
		{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--smiles", long},
		{"train", "--set", "seed=" + long},
		{"train", "--set", "data.path=label.csv", "--out", "run"},
		{"train", "--set", "data.path=header.csv", "--out", "run"},
		{"train", "--set", long},
		{long},
	} {
		r := pacia(args...)
		if r.code != exitBadInput || len(r.err) > 2_500 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%.60s: exit code %d, %d bytes of %d lines: %.300s", args, r.code, len(r.err), strings.Count(r.err, "\n"), r.err)
		}
	}
}
