package atomicfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pacia/internal/atomicfile"
)

func TestWriteReplacesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	put := func(text string, failure error) error {
		return atomicfile.Write(path, func(f *os.File) error {
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
	// A temporary file of a killed process is not locked.
	leaveBehind(t, path)
	if err := put("second", nil); err != nil {
		t.Fatal(err)
	}
	check("replaced", "second")
}

// TestWritersDoNotDisturbEachOther checks that while several goroutines write one path,
// each file that is read has the content of one writer, and that at the end no other
// files are left.
func TestWritersDoNotDisturbEachOther(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	const size = 10_000
	var writers sync.WaitGroup
	for letter := range 8 {
		writers.Go(func() {
			text := bytes.Repeat([]byte{byte('a' + letter)}, size/2)
			for range 10 {
				err := atomicfile.Write(path, func(f *os.File) error {
					_, first := f.Write(text)
					_, second := f.Write(text)
					return errors.Join(first, second)
				})
				if err != nil {
					t.Error(err)
				}
				got, err := os.ReadFile(path)
				if err != nil || len(got) != size || bytes.Count(got, got[:1]) != size {
					t.Errorf("the file holds %d bytes (%v), want %d of one letter", len(got), err, size)
				}
			}
		})
	}
	writers.Wait()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are in the folder, want 1: %v", len(entries), entries)
	}
}

func TestWriteLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	others := []string{
		"file.tmp", "file.old.tmp", "file.20261128.tmp", "file.0123abcd.tmp", "file.abcdefgh.tmp", "file.0123ABCD.tmp", "other.0123abcd.tmp",
		filepath.Base(leaveBehind(t, filepath.Join(dir, "other"))), filepath.Base(leaveBehind(t, filepath.Join(dir, "file"))) + ".gz",
	}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicfile.WriteJSON(filepath.Join(dir, "file"), 1); err != nil {
		t.Fatal(err)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
}

// TestWriteInTheWorkingFolder writes a path without a folder, and checks that the file has
// the permissions of any new file.
func TestWriteInTheWorkingFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	leaveBehind(t, "file")
	if err := atomicfile.WriteJSON("file", 1); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("usual", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var modes []fs.FileMode
	entries, err := os.ReadDir(".")
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			modes = append(modes, info.Mode())
		}
	}
	if err != nil || len(modes) != 2 || modes[0] != modes[1] {
		t.Errorf("the folder holds %v with permissions %v (%v), want file and usual, alike", entries, modes, err)
	}
}

func TestWriteNeedsItsFolder(t *testing.T) {
	err := atomicfile.WriteJSON(filepath.Join(t.TempDir(), "none", "file"), 1)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

func TestJSONIsIndentedAndEndsItsLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.json")
	if err := atomicfile.WriteJSON(path, map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "{\n  \"a\": 1\n}\n"; err != nil || string(got) != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// leaveBehind makes a temporary file of path as a killed process leaves it, and returns its name.
func leaveBehind(t *testing.T, path string) (name string) {
	t.Helper()
	failure := errors.New("stop")
	err := atomicfile.Write(path, func(f *os.File) error {
		name = f.Name()
		return failure
	})
	if !errors.Is(err, failure) {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
