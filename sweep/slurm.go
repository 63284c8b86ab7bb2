package sweep

import (
	"context"
	"path/filepath"

	"pacia/internal/slurm"
)

// Submit hands the runs of these indices to Slurm, as one job array that has no
// more tasks under way than all devices together have places. It returns what
// sbatch said. The script stays in dir.
func (p *Plan) Submit(ctx context.Context, dir string, indices []int, program []string) (string, error) {
	a, err := p.array(dir, indices, program)
	if err != nil {
		return "", err
	}
	return a.Submit(ctx, filepath.Join(dir, "slurm.sh"), "see the options below slurm: in "+p.File)
}

// array is the job array: each task makes the run of its number.
func (p *Plan) array(dir string, indices []int, program []string) (slurm.Array, error) {
	file, err := filepath.Abs(p.File)
	if err != nil {
		return slurm.Array{}, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return slurm.Array{}, err
	}
	return slurm.Array{
		Name: "pacia-" + p.Label, Tasks: indices, Most: len(p.Devices) * p.PerDevice, Logs: filepath.Join(dir, "logs"), Options: p.Slurm,
		Note:    "Each task makes one run; where it is stopped, the same command submits it again.",
		Command: append(append([]string{}, program...), "sweep", file, "--out", dir, "--retry", "--only"), Last: slurm.TaskNumber,
	}, nil
}

// TaskDevice is where a task of a job array computes: Slurm gives it a GPU of its
// own, which is the first one that it sees.
func (p *Plan) TaskDevice() string {
	if p.Devices[0] == "cpu" {
		return "cpu"
	}
	return "cuda"
}
