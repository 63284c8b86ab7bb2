package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchStaysInTheUsersFolder: bench/run passes DATA, FSMOL and flags as they are, which are relative to the
// folder in which it is called. Only the test program of PNA runs in its package.
func TestBenchStaysInTheUsersFolder(t *testing.T) {
	script, err := os.ReadFile("../bench/run")
	if err != nil {
		t.Fatal(err)
	}
	root, user := t.TempDir(), t.TempDir()
	fill(t, root, map[string]string{
		"bench/run":      string(script),
		"bin/pacia":      "",
		"gnn/pna/this":   "",
		"scripts/env.sh": "#!/bin/sh\n[ \"$6\" = ./gnn/pna ] || exit 1\nprintf '#!/bin/sh\\nls\\n' >\"$5\" && chmod +x \"$5\"\n",
		"python":         "#!/bin/sh\ncase $1 in\n*/all.py) pwd; \"$5\"; echo \"$@\" ;;\nesac\n",
	})
	for _, name := range []string{"bench/run", "bin/pacia", "scripts/env.sh", "python"} {
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(filepath.Join(root, "bench/run"), "--json", "rows.json")
	c.Dir = user
	c.Env = append(os.Environ(), "PYTHON="+filepath.Join(root, "python"), "DATA=tox21.csv.gz", "FSMOL=fsmol", "LIBRARY=")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"\n" + user + "\nthis\n", " --csv tox21.csv.gz ", " --fsmol fsmol ",
		" --json rows.json ", " data.path=tox21.csv.gz "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
}
