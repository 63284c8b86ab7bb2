package data

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a file with the graph stores in a folder of the test.
func open(t testing.TB, path, cache string) *Dataset {
	t.Helper()
	d, err := Open(context.Background(), path, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// newTask returns a task with classes of the given sizes, mixed, whose rows
// differ from their positions.
func newTask(inactive, active int) *Task {
	task := &Task{Name: "assay", Labels: make([]uint8, inactive+active)}
	for _, i := range without(Rand(1, "labels", 0), inactive+active, active) {
		task.Labels[i] = 1
	}
	for i := range task.Labels {
		task.Rows = append(task.Rows, int32(100+3*i))
	}
	return task
}
