package runconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestLocation checks which of two files a run opens, from several folders.
func TestLocation(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	t.Chdir(here)
	began := Data{Path: "a.csv", AbsolutePath: filepath.Join(there, "a.csv")}
	put := func(path string) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := began.Location()
	if want := began.AbsolutePath + ", which does not exist any more, and this folder has no a.csv"; !badinput.Is(err) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("without a file: %v", err)
	}
	put("a.csv")
	for _, tt := range []struct {
		d    Data
		want string
	}{
		{began, "a.csv"},
		{Data{Path: "a.csv"}, "a.csv"}, // of an earlier version
		{Data{Path: "a.csv", AbsolutePath: filepath.Join(here, "a.csv")}, "a.csv"},
		{Data{Path: "embedded", AbsolutePath: began.AbsolutePath}, "embedded"},
		{Data{Path: began.AbsolutePath}, began.AbsolutePath},
	} {
		if got, err := tt.d.Location(); err != nil || got != tt.want {
			t.Errorf("%+v is at %q (%v), want %q", tt.d, got, err, tt.want)
		}
	}
	moved, err := began.Located()
	if want := filepath.Join(here, "a.csv"); err != nil || moved.AbsolutePath != want {
		t.Errorf("after moving: %q (%v), want %q", moved.AbsolutePath, err, want)
	}
	put(began.AbsolutePath)
	if got, err := began.Location(); err != nil || got != began.AbsolutePath {
		t.Errorf("with both files: %q (%v), want %q", got, err, began.AbsolutePath)
	}
	for _, path := range []string{"embedded", began.AbsolutePath} {
		if d, err := (Data{Path: path}).Located(); err != nil || d.AbsolutePath != "" {
			t.Errorf("%s: %q (%v), want none", path, d.AbsolutePath, err)
		}
	}
}
