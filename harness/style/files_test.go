package style

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// moduleRoot returns the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// endings lists the extensions of text files; scripts and the Makefile have none.
var endings = map[string]bool{"": true, ".yml": true, ".go": true, ".cc": true, ".hh": true, ".h": true, ".cu": true, ".cuh": true,
	".py": true, ".md": true, ".yaml": true, ".js": true, ".html": true, ".golden": true, ".sh": true}

// tracked returns the text files that git tracks or would track, as paths below the root.
// Without git it returns all text files outside hidden folders.
func tracked(t *testing.T) (files []string) {
	t.Helper()
	root := moduleRoot(t)
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	list.Dir = root
	if out, err := list.Output(); err == nil {
		files = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	} else if err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		below, err := filepath.Rel(root, path)
		files = append(files, below)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	kept := files[:0]
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(root, file)); err == nil && endings[filepath.Ext(file)] {
			kept = append(kept, file)
		}
	}
	return kept
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
