package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"pacia/internal/slurm"
	"pacia/internal/ui"
	"pacia/screen/shards"
)

// submit submits the parts that are not ranked to Slurm, and waits for them. If an earlier call
// was stopped, it first waits for the job of that call.
func (p *prediction) submit(ctx context.Context, dir string, command []string, log io.Writer) error {
	plan := p.shards.plan
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	left := len(plan.Todo())
	look := func() {
		if now := len(plan.Todo()); now < left {
			left = now
			ui.Say(log, "%d of %s ranked\n", len(plan.Parts)-left, ui.Count(len(plan.Parts), "part"))
		}
	}
	if before := plan.Job(); before != "" {
		if err := slurm.Wait(ctx, before, look); err != nil {
			return err
		}
	}
	todo := plan.Todo()
	if len(todo) == 0 {
		return nil
	}
	array := slurm.Array{
		Name: "pacia-" + filepath.Base(p.Out), Tasks: todo, Logs: filepath.Join(full, "logs"), Chdir: here, Options: p.SBatch,
		Note:    "Each task ranks one part; if it is stopped, the same command submits it again.",
		Command: command, Last: `--workers "${SLURM_CPUS_ON_NODE:-0}" --part ` + slurm.TaskNumber,
	}
	submitted, err := array.Submit(ctx, filepath.Join(full, "slurm.sh"), "see the options of --sbatch")
	if err != nil {
		return err
	}
	job := slurm.JobOf(submitted)
	if err := plan.SetJob(job); err != nil {
		return err
	}
	ui.Say(log, "%s: %s; if this command is stopped, the job continues, and the same command waits for it\n", submitted, ui.Count(len(todo), "part"))
	if err := slurm.Wait(ctx, job, look); err != nil {
		return err
	}
	var failed []shards.Failure
	for _, part := range plan.Todo() {
		reason := cmp.Or(shards.LastLine(array.Log(job, part)), "its log gives no reason")
		failed = append(failed, shards.Failure{Part: part, Reason: reason})
	}
	return plan.Trouble(failed)
}
