package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

func TestLayOutTables(t *testing.T) {
	dir := t.TempDir()
	put(t, source(dir, "tox21.csv.gz"), zipped("a,\"b, c\",mol_id,smiles\n1,,TOX1,CC\n0.0,1,TOX2,\"C,N\"\n"))
	made, err := layOutTables(t.Context(), dir, []File{{Name: "tox21.csv.gz"}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.ReadFile(made[0])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != "smiles,a,\"b, c\"\nCC,1,\n\"C,N\",0.0,1\n" {
		t.Errorf("got %q (%v)", got, err)
	}
	put(t, source(dir, "tox21.csv.gz"), "a,b\n1,2\n")
	if _, err := layOutTables(t.Context(), dir, []File{{Name: "tox21.csv.gz"}}); err == nil || !strings.HasSuffix(err.Error(),
		`tox21.csv.gz: row 1: no column holds SMILES among a, b; remove the file and fetch it again`) {
		t.Error(err)
	}
}

// TestATaskTwice: an archive with a file twice is refused before anything is moved.
func TestATaskTwice(t *testing.T) {
	dir := t.TempDir()
	put(t, source(dir, "list.json"), "{}")
	put(t, source(dir, "set.tar"), archive(t, "a/train/A.jsonl.gz", "b/train/B.jsonl.gz", "c/train/A.jsonl.gz"))
	_, err := layOutTasks(t.Context(), dir, []File{{Name: "set.tar"}, {Name: "list.json"}})
	if err == nil || !strings.Contains(err.Error(), "train/A.jsonl.gz is in it twice") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "train", "B.jsonl.gz")); err == nil {
		t.Error("some files were moved")
	}
}

// TestLayOutTasks: task files are taken from any folder of the archive, and
// nothing is written elsewhere.
func TestLayOutTasks(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "train", "mine"), "kept")
	put(t, source(dir, "list.json"), "{}")
	files := []File{{Name: "set.tar"}, {Name: "list.json"}}
	for _, pack := range []func(string) string{func(s string) string { return s }, zipped} {
		put(t, source(dir, "set.tar"), pack(archive(t, "fs-mol/train/A.jsonl.gz", "fs-mol/../../../test/B.jsonl.gz", "fs-mol/README", "fs-mol/other/C.jsonl.gz",
			"fs-mol/train/._A.jsonl.gz")))
		if _, err := layOutTasks(t.Context(), dir, files); err != nil {
			t.Fatal(err)
		}
		found := make(map[string]bool)
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				found[strings.TrimPrefix(path, dir+"/")] = true
			}
			return err
		})
		want := []string{"list.json", "source/list.json", "source/set.tar", "test/B.jsonl.gz", "train/A.jsonl.gz", "train/mine"}
		if got := slices.Sorted(maps.Keys(found)); err != nil || !slices.Equal(got, want) {
			t.Errorf("files %v (%v), want %v", got, err, want)
		}
	}
	whole := archive(t, "fs-mol/train/A.jsonl.gz")
	for text, want := range map[string]string{
		archive(t, "fs-mol/README"): "no task files in it", whole[:600]: "unexpected EOF", "nonsense": "unexpected EOF", "\x1f\x8bnonsense": "gzip: invalid header",
	} {
		put(t, source(dir, "set.tar"), text)
		_, err := layOutTasks(t.Context(), dir, files)
		if !badinput.Is(err) || !strings.HasSuffix(err.Error(), "set.tar: damaged archive: "+want+"; remove it and fetch it again") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestACutArchive: an archive without its end is refused, also where it is cut between two files.
func TestACutArchive(t *testing.T) {
	dir := t.TempDir()
	files := []File{{Name: "set.tar"}}
	whole := archive(t, "a/train/A.jsonl.gz", "a/train/B.jsonl.gz")
	first := len(archive(t, "a/train/A.jsonl.gz")) - 2*512
	const missing = "its end is missing"
	for at, want := range map[int]string{first: missing, len(whole) - 2*512: missing, first + 700: "unexpected EOF"} {
		put(t, source(dir, "set.tar"), whole[:at])
		_, err := layOutTasks(t.Context(), dir, files)
		if !badinput.Is(err) || !strings.HasSuffix(err.Error(), "set.tar: damaged archive: "+want+"; remove it and fetch it again") {
			t.Errorf("cut at %d of %d: %v", at, len(whole), err)
		}
		if _, err := os.Stat(filepath.Join(dir, "train")); err == nil {
			t.Errorf("cut at %d: files were laid out", at)
		}
	}
}

// TestLayOutBesideOthers: nothing is laid out where a file of another content would be replaced.
func TestLayOutBesideOthers(t *testing.T) {
	dir := t.TempDir()
	files := []File{{Name: "set.tar"}}
	put(t, source(dir, "set.tar"), archive(t, "a/test/A.jsonl.gz", "a/train/B.jsonl.gz"))
	put(t, filepath.Join(dir, "train", "B.jsonl.gz"), "mine")
	_, err := layOutTasks(t.Context(), dir, files)
	const want = "train/B.jsonl.gz: would be overwritten, and is not as pacia data fetch lays it out; move it away"
	if !badinput.Is(err) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "train", "B.jsonl.gz")); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q (%v)", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "test")); err == nil {
		t.Error("some files were moved")
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer does not fail
	_ = z.Close()
	return b.String()
}

// archive makes an archive of files that contain their names 600 times.
func archive(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		text := strings.Repeat(name, 600)
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text)) // a buffer does not fail
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSets(t *testing.T) {
	for _, s := range Sets {
		if Find(s.Name) == nil || len(s.Files) == 0 {
			t.Errorf("set %s cannot be found, or has no files", s.Name)
		}
		for _, f := range s.Files {
			if !strings.HasPrefix(f.URL, "https://") || f.MD5 != "" && len(f.MD5) != 32 {
				t.Errorf("%s: %+v", s.Name, f)
			}
		}
	}
	if Find("none") != nil {
		t.Error("a set that does not exist is found")
	}
}
