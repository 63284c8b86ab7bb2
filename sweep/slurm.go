package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pacia/durable"
	"pacia/fault"
)

// Submit hands the runs of these indices to Slurm, as one job array that has no
// more tasks under way than all devices together have places. It returns what
// sbatch said. The script stays in dir.
func (p *Plan) Submit(ctx context.Context, dir string, indices []int, program []string) (string, error) {
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return "", &fault.Error{What: "there is no sbatch on this machine", Fix: "submit where Slurm is, or leave --engine slurm out"}
	}
	script, err := p.script(dir, indices, program)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "slurm.sh")
	err = durable.Write(path, func(f *os.File) error {
		_, err := f.WriteString(script)
		return err
	})
	if err != nil {
		return "", err
	}
	said, err := exec.CommandContext(ctx, sbatch, path).CombinedOutput()
	text := strings.TrimSpace(string(said))
	if err != nil {
		return "", &fault.Error{What: "sbatch does not take " + path, Err: errors.New(text), Fix: "see the options below slurm: in " + p.File}
	}
	return text, nil
}

// script returns the job script: each task makes the run of its number.
func (p *Plan) script(dir string, indices []int, program []string) (string, error) {
	file, err := filepath.Abs(p.File)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if strings.ContainsAny(dir, "\"\\\n%") {
		return "", &fault.Error{File: dir, What: "Slurm does not take such a folder's name", Fix: "choose another with --out"}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/bash")
	line("#SBATCH --job-name=%s", unfit.ReplaceAllString("pacia-"+p.Label, "_"))
	line("#SBATCH --array=%s%%%d", ranges(indices), len(p.Devices)*p.PerDevice)
	line(`#SBATCH --output="%s/logs/slurm-%%A_%%a.log"`, dir)
	for _, o := range p.Slurm {
		line("#SBATCH %s", o)
	}
	line("# Each task makes one run; where it is stopped, the same command submits it again.")
	var words []string
	for _, w := range append(append([]string{}, program...), "sweep", file, "--out", dir, "--retry", "--only") {
		words = append(words, quoted(w))
	}
	line("exec %s \"$SLURM_ARRAY_TASK_ID\"", strings.Join(words, " "))
	return b.String(), nil
}

// ranges writes 0, 1, 2, 5 as 0-2,5.
func ranges(indices []int) string {
	var parts []string
	for i := 0; i < len(indices); {
		j := i
		for j+1 < len(indices) && indices[j+1] == indices[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, fmt.Sprint(indices[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", indices[i], indices[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// quoted protects a word from the shell.
func quoted(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }

// TaskDevice is where a task of a job array computes: Slurm gives it a GPU of its
// own, which is the first one that it sees.
func (p *Plan) TaskDevice() string {
	if p.Devices[0] == "cpu" {
		return "cpu"
	}
	return "cuda"
}
