package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const notes = "notes of mine, that no program wrote\n"

// TestOutputs runs each line of writers where its output is an input, where a foreign file or a link lies in the place
// of one, and beside files with the names of temporary ones. Nothing that was there before may change.
func TestOutputs(t *testing.T) {
	seconds(t)
	dir, mirror := writersFolder(t)
	t.Setenv(asPacia, "1") // for the runs of a sweep
	for _, w := range writers {
		w.line = strings.ReplaceAll(w.line, "$MIRROR", mirror)
		t.Run(strings.ReplaceAll(w.line, mirror, ""), func(t *testing.T) { w.try(t, dir) })
	}
}

func (w writer) try(t *testing.T, from string) {
	args := strings.Fields(w.line)
	made := w.undisturbed(t, from, args)
	for _, file := range made {
		refused := !strings.Contains(file, "source/") // where users put what they have fetched
		w.where(t, from, "a foreign file is "+file, args, refused, func() { putAt(t, file, notes) })
		w.where(t, from, "a link to a foreign file is "+file, args, refused, func() {
			put(t, "notes.txt", notes)
			linkAt(t, "notes.txt", file)
		})
		w.where(t, from, "a link to an input is "+file, args, refused, func() { linkAt(t, "library.csv", file) })
	}
	for i, arg := range args {
		if !strings.HasPrefix(arg, "out") && arg != "page.html" {
			continue
		}
		for _, input := range strings.Fields("library.csv support.csv small.yaml run/best.ckpt tasks assays run .") {
			if input == "run" && slices.Contains(args, "--resume") {
				continue // it is continued
			}
			isFile := filepath.Ext(input) != "" && filepath.Ext(arg) != ""
			changed := slices.Clone(args)
			changed[i] = input
			w.where(t, from, "the output is "+input, changed, isFile, func() {})
		}
	}
	w.beside(t, from, args, made)
}

// undisturbed runs the command twice and returns some of the files that it makes, one of each kind.
func (w writer) undisturbed(t *testing.T, from string, args []string) (made []string) {
	t.Helper()
	copied(t, from)
	before := contents(t)
	if r := pacia(args...); r.code != 0 {
		t.Fatalf("undisturbed: %s", r.err)
	}
	after := contents(t)
	if len(after) == len(before) {
		t.Error("nothing is written")
	}
	kinds := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(after)) {
		kind := filepath.Dir(file) + filepath.Ext(file)
		if _, there := before[file]; !there && !kinds[kind] && !hashed.MatchString(file) {
			kinds[kind] = true
			made = append(made, file)
		}
	}
	before = contents(t)
	r := pacia(args...)
	if refused := r.code == exitBadInput; refused != w.once || r.code != 0 && !refused {
		t.Errorf("given again: exit code %d, %s", r.code, r.err)
	}
	if w.once {
		unchanged(t, "given again", before)
	}
	return made
}

// hashed matches files whose names have hashes or times, so that nobody else chooses them, and empty locks.
var hashed = regexp.MustCompile(`\.graphs$|tfevents|(^|/|\.)lock$`)

// where runs the command in a folder that prepare has changed. With refused it has to be bad input.
func (w writer) where(t *testing.T, from, what string, args []string, refused bool, prepare func()) {
	t.Helper()
	copied(t, from)
	prepare()
	before := contents(t)
	r := pacia(args...)
	if refused && (r.code != exitBadInput || strings.Count(r.err, "pacia: ") != 1) {
		t.Errorf("where %s: exit code %d, want %d and one fault: %s", what, r.code, exitBadInput, r.err)
	}
	unchanged(t, "where "+what, before)
}

// beside runs the command beside files and folders with the names of temporary ones.
func (w writer) beside(t *testing.T, from string, args, made []string) {
	t.Helper()
	copied(t, from)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	neighbours := []string{
		filepath.Join(temporary, "pacia-scratch-mine", "notes.txt"), filepath.Join(temporary, "pacia-scratch-files.20261128.tmp", "notes.txt"),
	}
	for _, name := range append(slices.Clone(made), "out", "out.csv") {
		if strings.HasPrefix(name, "out/") && w.empty() || strings.Contains(name, "seed=") {
			continue // the folder has to be empty or absent
		}
		for _, end := range []string{".20261128.tmp", ".1234abcd.tmp", ".abcdefgh.tmp", ".tmp", ".part", "~"} {
			if end != ".part" || !strings.Contains(name, "source/") { // data fetch refuses a part that it did not begin
				neighbours = append(neighbours, name+end)
			}
		}
	}
	for _, name := range neighbours {
		putAt(t, name, notes)
	}
	for i, arg := range args {
		if arg == "library.csv" || arg == "support.csv" {
			args[i] = arg + ".20261128.tmp"
			if err := os.Rename(arg, args[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := contents(t)
	if r := pacia(args...); r.code != 0 {
		t.Errorf("beside files with the names of temporary ones: exit code %d, %s", r.code, r.err)
	}
	unchanged(t, "beside files with the names of temporary ones", before)
	for _, name := range neighbours[:2] {
		if text, err := os.ReadFile(name); err != nil || string(text) != notes {
			t.Errorf("%s is %q (%v)", name, text, err)
		}
	}
}

// empty reports whether the output is a folder that has to be empty.
func (w writer) empty() bool { return slices.Contains(w.to, "TO") }

// copied changes to a copy of a folder.
func copied(t *testing.T, from string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

func putAt(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, path, text)
}

func linkAt(t *testing.T, to, path string) {
	t.Helper()
	to, err := filepath.Abs(to)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if err == nil {
		err = os.Symlink(to, path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// contents returns hashes of all files in the working folder, and the targets of links. Caches are left out.
func contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type()&fs.ModeSymlink != 0:
			all[path], err = os.Readlink(path)
			return err
		case d.IsDir() && path == "cache":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func unchanged(t *testing.T, what string, before map[string]string) {
	t.Helper()
	after := contents(t)
	for path, was := range before {
		if now, there := after[path]; !there {
			t.Errorf("%s: %s is gone", what, path)
		} else if now != was {
			t.Errorf("%s: %s has changed", what, path)
		}
	}
}

// archiveOf returns a tar archive of a folder.
func archiveOf(t *testing.T, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}
