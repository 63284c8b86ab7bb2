package sweep

import (
	"context"
	"path/filepath"

	"pacia/internal/slurm"
)

// Submit submits the runs of these indices to Slurm, as one job array. Its limit of
// running tasks is PerDevice times the number of devices. Submit returns the output of
// sbatch. The script stays in dir.
func (p *Plan) Submit(ctx context.Context, dir string, indices []int, program []string) (string, error) {
	a, err := p.array(dir, indices, program)
	if err != nil {
		return "", err
	}
	return a.Submit(ctx, filepath.Join(dir, "slurm.sh"), "see the options below slurm: in "+p.File)
}

// array returns the job array. Each task makes the run of its number.
func (p *Plan) array(dir string, indices []int, program []string) (slurm.Array, error) {
	file, err := filepath.Abs(p.File)
	if err != nil {
		return slurm.Array{}, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return slurm.Array{}, err
	}
	return slurm.Array{
		Name: "pacia-" + p.Label, Tasks: indices, MaxRunning: len(p.Devices) * p.PerDevice, Logs: filepath.Join(dir, "logs"), Options: p.Slurm,
		Note:    "Each task makes one run; if it is stopped, the same command submits it again.",
		Command: append(append([]string{}, program...), "sweep", file, "--out", dir, "--retry", "--only"), Last: slurm.TaskNumber,
	}, nil
}

// TaskDevice returns the device of a task of a job array. Slurm assigns a GPU to the task,
// which is the first one that the task can use.
func (p *Plan) TaskDevice() string {
	if p.Devices[0] == "cpu" {
		return "cpu"
	}
	return "cuda"
}
