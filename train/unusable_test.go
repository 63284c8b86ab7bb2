package train

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
)

// TestUnusableCheckpointsAreFaults also shows that a run does not resume from
// them, and leaves its folder as it found it.
func TestUnusableCheckpointsAreFaults(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	trainFake(t, c, dir, false)
	path := filepath.Join(dir, rundir.LastFile)
	whole := readFile(t, path)
	again := func(change func(map[string]string)) string {
		t.Helper()
		f, err := safetensors.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		change(f.Metadata)
		other := filepath.Join(t.TempDir(), "other")
		if err := safetensors.Write(other, f.Metadata, f.Tensors); err != nil {
			t.Fatal(err)
		}
		return readFile(t, other)
	}
	flipped := []byte(whole)
	flipped[len(flipped)-5] ^= 1
	for _, tt := range []struct{ name, content, want string }{
		{"empty", "", "damaged"},
		{"cut in the header", whole[:100], "damaged"},
		{"cut in the data", whole[:len(whole)-1], "damaged"},
		{"a changed bit", string(flipped), "checksum"},
		{"another file", "smiles,a\nCC,1\n", "damaged"},
		{"another version", again(func(m map[string]string) { m["version"] = "2" }), `version "2", this program reads version 1`},
		{"no version", again(func(m map[string]string) { delete(m, "version") }), `version ""`},
		{"unknown settings", again(func(m map[string]string) { m["config"] += "speed: 3\n" }), "speed"},
		{"no settings", again(func(m map[string]string) { delete(m, "config") }), "settings cannot be read"},
		{"no run", again(func(m map[string]string) { m["run"] = "{" }), "settings cannot be read"},
	} {
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		before := files(t, dir)
		_, err := runWith(context.Background(), newFake, c, dir, true, &recorder{})
		if !badinput.Is(err) || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want a fault of one line that starts with the file and holds %q", tt.name, err, tt.want)
		}
		if !reflect.DeepEqual(files(t, dir), before) {
			t.Errorf("%s: the folder was changed", tt.name)
		}
		if _, _, err := load(path); !badinput.Is(err) {
			t.Errorf("%s: Load gives %v, want a fault", tt.name, err)
		}
	}
	if _, err := checkpoint.Open(filepath.Join(dir, "none.ckpt")); !badinput.Is(err) {
		t.Errorf("a missing checkpoint gives %v", err)
	}
}
