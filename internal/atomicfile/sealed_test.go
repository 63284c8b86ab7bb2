package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pacia/internal/atomicfile"
)

// TestSealed checks that every changed bit and every cut of a sealed file is detected.
func TestSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	type plan struct {
		Rows  int
		Words []string
	}
	want := plan{2048, []string{"a", "b\n"}}
	if err := atomicfile.WriteSealed(path, want); err != nil {
		t.Fatal(err)
	}
	var got plan
	if err := atomicfile.ReadSealed(path, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v (%v), want %+v", got, err, want)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(changed []byte, what string, at int) {
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.ReadSealed(path, &got); !errors.Is(err, atomicfile.ErrSeal) {
			t.Errorf("%s %d: %v, want ErrSeal", what, at, err)
		}
	}
	for i := range text {
		check(text[:i], "cut at byte", i)
		for bit := range 8 {
			changed := append([]byte(nil), text...)
			changed[i] ^= 1 << bit
			check(changed, "bit", 8*i+bit)
		}
	}
	if err := atomicfile.ReadSealed(filepath.Join(t.TempDir(), "none"), &got); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
