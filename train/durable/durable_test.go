package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pacia/train/durable"
)

func TestWriteReplacesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	put := func(text string, failure error) error {
		return durable.Write(path, func(f *os.File) error {
			_, err := f.WriteString(text)
			return errors.Join(err, failure)
		})
	}
	check := func(when, want string) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s: the file holds %q (%v), want %q", when, got, err, want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: %d files are in the folder, want 1", when, len(entries))
		}
	}
	if err := put("long and first", nil); err != nil {
		t.Fatal(err)
	}
	check("new", "long and first")
	full := errors.New("disk full")
	if err := put("half", full); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
	check("after a failure", "long and first")
	// What a killed process left does not get into the file.
	if err := os.WriteFile(path+".tmp", []byte("left by a process that was killed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put("second", nil); err != nil {
		t.Fatal(err)
	}
	check("replaced", "second")
}

func TestWriteNeedsItsFolder(t *testing.T) {
	err := durable.WriteJSON(filepath.Join(t.TempDir(), "none", "file"), 1)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

func TestJSONIsIndentedAndEndsItsLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.json")
	if err := durable.WriteJSON(path, map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "{\n  \"a\": 1\n}\n"; err != nil || string(got) != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}
