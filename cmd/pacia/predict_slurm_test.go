package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShardsBySlurm ranks with scripts in place of Slurm's programs. sbatch runs the tasks at once,
// except one, which is killed; squeue waits for them.
func TestShardsBySlurm(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	put(t, "candidates.csv", long(2000))
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv"}
	ok(t, append(args, "--out", "one.csv")...)
	bin := t.TempDir()
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/bash\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program("sbatch", `
tasks=$(sed -n 's/^#SBATCH --array=//p' "$1")
grep -q '^#SBATCH --mem=1G$' "$1" || { echo "no memory is asked for"; exit 1; }
cd "$(sed -n 's/^#SBATCH --chdir="\(.*\)"$/\1/p' "$1")"
for task in 0 1 2; do
	case $tasks in 0-2|$task) ;; *) continue ;; esac
	log=$(sed -n 's/^#SBATCH --output="\(.*\)"$/\1/p' "$1"); log=${log/\%A/7}; log=${log/\%a/$task}
	if [[ $tasks == 0-2 && $task == 1 ]]; then echo "slurmstepd: error: *** JOB 7 CANCELLED DUE TO TIME LIMIT ***" >"$log"; continue; fi
	SLURM_CPUS_ON_NODE=1 SLURM_ARRAY_TASK_ID=$task bash "$1" >"$log" 2>&1
done
echo "$tasks" >>`+bin+`/tasks
echo Submitted batch job 7`)
	program("squeue", `[[ -e `+bin+`/asked ]] && { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }
touch `+bin+`/asked
echo RUNNING`)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv(asPacia, "1")
	args = append(args, "--out", "parts.csv", "--shards", "3", "--engine", "slurm", "--sbatch=--mem=1G")
	r := pacia(args...)
	if want := "1 of 3 parts were not ranked, the first of them part 2: slurmstepd: error: *** JOB 7 CANCELLED DUE TO TIME LIMIT ***; the same command ranks them, and keeps the others\n"; r.code != exitTrouble || !strings.HasSuffix(r.err, want) {
		t.Fatalf("a task is cancelled: exit code %d, %s", r.code, r.err)
	}
	if r = pacia(args...); r.code != 0 || !strings.Contains(r.err, "2 of 3 parts ranked before\n") {
		t.Fatalf("again: exit code %d, %s", r.code, r.err)
	}
	sameFiles(t)
	if tasks, _ := os.ReadFile(filepath.Join(bin, "tasks")); string(tasks) != "0-2\n1\n" {
		t.Errorf("tasks %q were submitted", tasks)
	}
}
