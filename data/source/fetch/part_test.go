package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// begun makes a part and its note, as a killed process leaves them.
func begun(t *testing.T, dir, version string, content []byte) {
	t.Helper()
	put(t, partial(source(dir, "file")), string(content))
	if err := atomicfile.WriteSealed(noteOf(source(dir, "file")), note{Complete: "file", Version: version}); err != nil {
		t.Fatal(err)
	}
}

// TestForeignParts: a part without a note, a note of somebody else, and links in their places are neither used nor
// changed.
func TestForeignParts(t *testing.T) {
	for name, prepare := range map[string]func(dir, mine string){
		"a part without a note":     func(dir, _ string) { put(t, partial(source(dir, "file")), "mine") },
		"a note of somebody else":   func(dir, _ string) { put(t, noteOf(source(dir, "file")), "mine") },
		"a link without a note":     func(dir, mine string) { link(t, mine, partial(source(dir, "file"))) },
		"a link that leads nowhere": func(dir, mine string) { link(t, mine+"?", partial(source(dir, "file"))) },
		"a link with a note": func(dir, mine string) {
			begun(t, dir, `"v1"`, nil)
			if err := os.Remove(partial(source(dir, "file"))); err != nil {
				t.Fatal(err)
			}
			link(t, mine, partial(source(dir, "file")))
		},
	} {
		s := &server{content: content(1000), etag: `"v1"`}
		set, dir := start(t, s)
		mine := filepath.Join(t.TempDir(), "mine")
		put(t, mine, "mine")
		prepare(dir, mine)
		before, _ := os.ReadDir(filepath.Join(dir, "source"))
		_, err := fetch(set, dir)
		if !badinput.Is(err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
			t.Errorf("%s: the target is %q (%v)", name, text, err)
		}
		if text, err := os.ReadFile(partial(source(dir, "file"))); err == nil && string(text) != "mine" {
			t.Errorf("%s: the part is %q", name, text)
		}
		if after, _ := os.ReadDir(filepath.Join(dir, "source")); len(after) < len(before) {
			t.Errorf("%s: %v were there, now %v", name, before, after)
		}
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(to, path)); err != nil {
		t.Fatal(err)
	}
}

// TestTwoTransfers: a second transfer of one file is refused while the first runs, and in the end the file is whole.
func TestTwoTransfers(t *testing.T) {
	s := &server{content: content(300_000), etag: `"v1"`}
	set, dir := start(t, s)
	p, err := openPart(source(dir, "file"))
	if err == nil {
		t.Error("a part in a folder that is missing")
	}
	if err := os.MkdirAll(filepath.Join(dir, "source"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err = openPart(source(dir, "file")); err != nil {
		t.Fatal(err)
	}
	const busy = "file: another pacia data fetch gets this file; wait for it to end"
	if _, err := fetch(set, dir); !badinput.Is(err) || !strings.HasSuffix(err.Error(), busy) {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := fetch(set, dir); err != nil {
		t.Error(err)
	}
	has(t, dir, s.content)
}
