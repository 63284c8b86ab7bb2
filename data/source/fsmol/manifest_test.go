package fsmol

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestCheckOutputs: results replace tables that this program wrote, and neither inputs nor other files.
func TestCheckOutputs(t *testing.T) {
	none := func(string) error { return nil }
	file := func(name string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), nil, 0o600) }
	}
	for name, c := range map[string]struct {
		change  func(dir string) error
		against string // in the folder
		want    string
	}{
		"own tables":      {none, "none", ""},
		"the folder":      {none, ".", "which --against reads"},
		"a table":         {none, "a_eval_results.csv", "which --against reads"},
		"a link":          {func(dir string) error { return os.Symlink(dir, filepath.Join(dir, "link")) }, "link", "which --against reads"},
		"a changed table": {file("a_eval_results.csv"), "none", "is not as pacia eval wrote it"},
		"a foreign table": {file("b_eval_results.csv"), "none", "is not as pacia eval wrote it"},
		"another summary": {file(SummaryFile), "none", "is not as pacia eval wrote it"},
		"a folder in place": {
			func(dir string) error { return os.Mkdir(filepath.Join(dir, "b_eval_results.csv"), 0o700) }, "none",
			"is not as pacia eval wrote it",
		},
		"another manifest": {file(ManifestFile), "none", "cannot be used"},
	} {
		dir := t.TempDir()
		if err := errors.Join(WriteResults(dir, "a", nil), WriteSummary(filepath.Join(dir, SummaryFile), nil), c.change(dir)); err != nil {
			t.Fatal(err)
		}
		err := CheckOutputs(dir, []string{"a", "b"}, filepath.Join(dir, c.against))
		if (err == nil) != (c.want == "") || err != nil && (!badinput.Is(err) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestResultsAreChecked: a folder whose tables were changed or lost is refused, and one without a manifest is read.
func TestResultsAreChecked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a_eval_results.csv")
	if err := WriteResults(dir, "a", []Result{{Requested: 16}, {Requested: 16}}); err != nil {
		t.Fatal(err)
	}
	read := func() error {
		_, err := ReadRecords(t.Context(), dir)
		return err
	}
	if err := read(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(lines[0]+lines[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := read(); !badinput.Is(err) || !strings.Contains(err.Error(), "is not as pacia eval wrote it") {
		t.Errorf("a table without its last row: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, ManifestFile)); err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Errorf("without a manifest: %v", err)
	}
}
