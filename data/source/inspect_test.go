package source

import (
	"context"
	"os"
	"slices"
	"testing"
)

func TestInspect(t *testing.T) {
	d := open(t, writeFile(t, "assays.csv", assays), t.TempDir())
	s, err := Inspect(d, "A/B")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "assays" || s.Molecules != 4 || len(s.Skipped) != 2 || s.Stored != d.Stored {
		t.Errorf("summary %+v", s)
	}
	// Atoms 3, 4, 5, 1; bonds 2, 3, 4, 0.
	if s.Atoms != (Spread{Mean: 3.25, Max: 5}) || s.Bonds != (Spread{Mean: 2.25, Max: 4}) {
		t.Errorf("atoms %v, bonds %v; want mean 3.25, largest 5 and 2.25, 4", s.Atoms, s.Bonds)
	}
	want := []TaskSummary{
		{Name: "A", Active: 2, Inactive: 1, Missing: 1, Part: "train"},
		{Name: "B", Active: 1, Inactive: 2, Missing: 1, Part: "test"},
	}
	if !slices.Equal(s.Tasks, want) {
		t.Errorf("tasks\n got %+v\nwant %+v", s.Tasks, want)
	}
}

func TestInspectWithoutSplit(t *testing.T) {
	d := open(t, writeFile(t, "assays.csv", assays), t.TempDir())
	s, err := Inspect(d, "auto")
	if err != nil || s.Split != nil || s.Tasks[0].Part != "" {
		t.Errorf("split %v, part %q (%v); want none and no error", s.Split, s.Tasks[0].Part, err)
	}
	if _, err := Inspect(d, "A/C"); err == nil {
		t.Error("a split with a task that does not exist gives no error")
	}
}

func TestOpenBuildsTheStoreOnce(t *testing.T) {
	path, cache := writeFile(t, "assays.csv", assays), t.TempDir()
	for _, built := range []bool{true, false} {
		d, err := Open(context.Background(), path, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		s := d.Stored
		if err := d.Close(); err != nil || s.Built != built {
			t.Errorf("Open: %+v (%v), want built now: %v", s, err, built)
		}
		if info, err := os.Stat(s.Path); err != nil || info.Size() != s.Bytes {
			t.Errorf("the store: %v (%v), want a file of %d bytes", info, err, s.Bytes)
		}
	}
}
