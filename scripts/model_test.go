package scripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModelKeepsItsSettings: scripts/model resumes a run only with the settings with which it began.
func TestModelKeepsItsSettings(t *testing.T) {
	script, err := os.ReadFile("model")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	fill(t, root, map[string]string{
		"scripts/model":     string(script),
		"bin/pacia":         "#!/bin/sh\necho \"$@\"\ncd \"$(dirname \"$0\")/..\" && mkdir -p runs/model && touch runs/model/last.ckpt\n",
		"fsmol/train/task":  "",
		"others/train/task": "",
	})
	for _, name := range []string{"scripts/model", "bin/pacia"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fsmol, others, begun := filepath.Join(root, "fsmol"), filepath.Join(root, "others"), filepath.Join(root, "runs/model.settings")
	for _, c := range []struct {
		args []string
		want string // in what it prints
	}{
		{[]string{fsmol, "seed=1"}, "train --preset model --out " + root + "/runs/model --set=data.path=" + fsmol + " --set=seed=1\n"},
		{[]string{fsmol, "seed=1"}, "--resume\n"},
		{[]string{fsmol, "seed=2"}, "began with other settings than data.path=" + fsmol + " seed=2: remove the folder"},
		{[]string{fsmol}, "began with other settings"},
		{[]string{others, "seed=1"}, "began with other settings"},
		{[]string{"without", fsmol, "seed=1"}, "began with other settings"},
		{[]string{"without", fsmol}, "--resume\n"},
	} {
		if c.args[0] == "without" { // as of an earlier version of the script
			c.args = c.args[1:]
			_ = os.Remove(begun)
		}
		out, err := run(nil, filepath.Join(root, "scripts/model"), c.args...)
		refused := strings.HasPrefix(c.want, "began")
		if !strings.Contains(out, c.want) || (err != nil) != refused || strings.Contains(out, "calibrate") == refused {
			t.Errorf("model %q: %q (%v), want %q", c.args, out, err, c.want)
		}
	}
}
