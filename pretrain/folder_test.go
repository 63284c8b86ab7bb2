package pretrain

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pacia/internal/badinput"
)

// TestOneRunAFolder: a folder holds one pretraining. A refused pretraining makes no
// folder.
func TestOneRunAFolder(t *testing.T) {
	l := library(t)
	dir := filepath.Join(t.TempDir(), "out")
	o := quick(Context, 2)
	o.Layers = 64 // more than any molecule spans
	_, err := pretrain(t.Context(), o, l, dir, silent{})
	if want := "embedded: 1500 of 1500 molecules are too small to have a context; write fewer --layers, or another --task"; err == nil || err.Error() != want || !badinput.Is(err) {
		t.Errorf("error %v, want the fault %q", err, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused run made its folder")
	}
	if err := Free(dir); err != nil {
		t.Error(err)
	}
	for _, name := range []string{EncoderFile, SummaryFile, SkippedFile, StateFile} {
		kept := t.TempDir()
		if err := os.WriteFile(filepath.Join(kept, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, resume := range []bool{false, true} {
			if _, err := openLog(kept, resume); !badinput.Is(err) {
				t.Errorf("a folder with %s alone, to resume %v: %v", name, resume, err)
			}
		}
	}
	if _, err := pretrain(t.Context(), quick(Masking, 1), l, dir, silent{}); err != nil {
		t.Fatal(err)
	}
	before, _ := files(t, dir)
	if err := Free(dir); !badinput.Is(err) {
		t.Errorf("a folder that holds a pretraining is free: %v", err)
	}
	if _, err := pretrain(t.Context(), quick(Masking, 2), l, dir, silent{}); !badinput.Is(err) {
		t.Errorf("a second run in the folder: %v", err)
	}
	if after, _ := files(t, dir); !bytes.Equal(before, after) {
		t.Error("a second run changed the encoder")
	}
}
