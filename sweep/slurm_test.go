package sweep

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScriptOfAJobArray(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{File: "it's.yaml", Label: "it's", Devices: []string{"cuda:0", "cuda:1"}, PerDevice: 2, Slurm: []string{"--gres=gpu:1", "--mem=8G"}}
	script := func(dir string, indices []int, program []string) (string, error) {
		a, err := p.array(dir, indices, program)
		if err != nil {
			return "", err
		}
		return a.Script()
	}
	got, err := script("runs/a", []int{0, 1, 2, 5, 7, 8}, []string{"/bin/pacia"})
	if err != nil {
		t.Fatal(err)
	}
	want := `#!/bin/bash
#SBATCH --job-name=pacia-it_s
#SBATCH --array=0-2,5,7-8%4
#SBATCH --output="HERE/runs/a/logs/slurm-%A_%a.log"
#SBATCH --gres=gpu:1
#SBATCH --mem=8G
# Each task makes one run; if it is stopped, the same command submits it again.
exec '/bin/pacia' 'sweep' 'HERE/it'\''s.yaml' '--out' 'HERE/runs/a' '--retry' '--only' "$SLURM_ARRAY_TASK_ID"
`
	if want = strings.ReplaceAll(want, "HERE", here); got != want {
		t.Errorf("the script is\n%s\nwant\n%s", got, want)
	}
	if p.TaskDevice() != "cuda" {
		t.Errorf("a task computes on %s", p.TaskDevice())
	}
	if _, err := script("runs/%a", nil, nil); err == nil || !strings.Contains(err.Error(), "Slurm does not accept this name of a folder") {
		t.Errorf("a folder with a percent sign: %v", err)
	}
}

// Submit returns sbatch's output and its errors.
func TestSubmit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	p := &Plan{File: "s.yaml", Label: "s", Devices: []string{"cpu"}, PerDevice: 1}
	submit := func() (string, error) { return p.Submit(context.Background(), dir, []int{0}, []string{"pacia"}) }
	if _, err := submit(); err == nil || err.Error() != "there is no sbatch on this machine; submit where Slurm is, or leave --engine slurm out" {
		t.Errorf("without sbatch: %v", err)
	}
	stub := func(script string) {
		if err := os.WriteFile(filepath.Join(dir, "sbatch"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	stub("echo Submitted batch job 7\n")
	if output, err := submit(); err != nil || output != "Submitted batch job 7" {
		t.Errorf("submitted: %q, %v", output, err)
	}
	stub("echo 'sbatch: error: invalid partition' >&2; exit 1\n")
	if _, err := submit(); err == nil || !strings.Contains(err.Error(), "slurm.sh: sbatch: error: invalid partition; see the options below slurm: in s.yaml") {
		t.Errorf("refused: %v", err)
	}
}
