package fsmol

import (
	"path/filepath"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestCheckFolder: a folder may have the results of the same tasks, and other files.
func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	if err := CheckFolder(filepath.Join(dir, "new"), nil); err != nil {
		t.Error(err)
	}
	for _, task := range []string{"a", "b/c"} {
		if err := WriteResults(dir, task, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteSummary(filepath.Join(dir, "summary.csv"), nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tasks []string
		want  string
	}{
		{[]string{"b/c", "a", "d"}, ""},
		{[]string{"a"}, "b_c_eval_results.csv has results of a task that is not among the test tasks"},
	} {
		err := CheckFolder(dir, c.tasks)
		if (err == nil) != (c.want == "") || (err != nil && (!badinput.Is(err) || !strings.Contains(err.Error(), c.want))) {
			t.Errorf("%q: %v, want %q", c.tasks, err, c.want)
		}
	}
}
