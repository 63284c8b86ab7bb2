// Package slurm hands work to Slurm as a job array, by its programs sbatch and squeue.
//
// The script of an array stays where it was submitted from. Nothing but files tells what
// became of its tasks: accounting need not be set up.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// An Array is a job array: the same command again and again, each task with a number of
// its own.
type Array struct {
	Name    string
	Tasks   []int    // their numbers, in rising order
	Most    int      // tasks at a time; 0: as many as there is room for
	Logs    string   // the folder of what tasks print, absolute
	Chdir   string   // where they begin; empty: where sbatch is called
	Options []string // of sbatch
	Note    string   // a comment
	Command []string // words, which the shell leaves as they are
	Last    string   // what follows them, as the shell reads it
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._=+,-]+`)

// TaskNumber is a word for Array.Last: the task's number.
const TaskNumber = `"$SLURM_ARRAY_TASK_ID"`

// Script returns the job script.
func (a Array) Script() (string, error) {
	for _, dir := range []string{a.Logs, a.Chdir} {
		if strings.ContainsAny(dir, "\"\\\n%") {
			return "", &badinput.Error{File: dir, What: "Slurm does not take such a folder's name", Fix: "choose another with --out"}
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/bash")
	line("#SBATCH --job-name=%s", unfit.ReplaceAllString(a.Name, "_"))
	most := ""
	if a.Most > 0 {
		most = fmt.Sprintf("%%%d", a.Most)
	}
	line("#SBATCH --array=%s%s", ranges(a.Tasks), most)
	line(`#SBATCH --output="%s/slurm-%%A_%%a.log"`, a.Logs)
	if a.Chdir != "" {
		line(`#SBATCH --chdir="%s"`, a.Chdir)
	}
	for _, o := range a.Options {
		line("#SBATCH %s", o)
	}
	line("# %s", a.Note)
	words := each.Of(a.Command, quoted)
	line("exec %s %s", strings.Join(words, " "), a.Last)
	return b.String(), nil
}

// Log names the log of a task.
func (a Array) Log(job string, task int) string {
	return fmt.Sprintf("%s/slurm-%s_%d.log", a.Logs, job, task)
}

// Submit writes the script of a to path, hands it to sbatch, and returns what that said.
// fix says what to do where it is refused.
func (a Array) Submit(ctx context.Context, path, fix string) (string, error) {
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return "", &badinput.Error{What: "there is no sbatch on this machine", Fix: "submit where Slurm is, or leave --engine slurm out"}
	}
	script, err := a.Script()
	if err != nil {
		return "", err
	}
	if err := atomicfile.WriteBytes(path, []byte(script)); err != nil {
		return "", err
	}
	said, err := exec.CommandContext(ctx, sbatch, path).CombinedOutput()
	text := strings.TrimSpace(string(said))
	if err != nil {
		return "", &badinput.Error{What: "sbatch does not take " + path, Err: errors.New(text), Fix: fix}
	}
	return text, nil
}

var submitted = regexp.MustCompile(`\bjob ([0-9]+)`)

// JobOf returns the number of the job in what sbatch said; empty where there is none.
func JobOf(said string) string {
	if m := submitted.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// inQueue reports whether tasks of a job wait or run. The error is that of a Slurm that
// does not answer, which may have some.
func inQueue(ctx context.Context, job string) (bool, error) {
	out, err := exec.CommandContext(ctx, "squeue", "--noheader", "--jobs="+job, "--format=%T").CombinedOutput()
	text := strings.TrimSpace(string(out))
	switch {
	case err == nil:
		return text != "", nil
	case strings.Contains(text, "Invalid job id"), errors.Is(err, exec.ErrNotFound):
		return false, nil
	case ctx.Err() != nil:
		return true, ctx.Err()
	}
	return true, fmt.Errorf("squeue: %w: %s", err, text)
}

// between is how long it is between two questions to Slurm, and patience how long it may
// leave them unanswered: a controller that is started anew is back in minutes.
const (
	between  = 2 * time.Second
	patience = 15 * time.Minute
)

// Wait returns when no task of a job waits or runs any more, or with the error of ctx, or
// where Slurm has not answered for a quarter of an hour. It calls look from time to time.
func Wait(ctx context.Context, job string, look func()) error {
	return wait(ctx, job, look, patience)
}

func wait(ctx context.Context, job string, look func(), patience time.Duration) error {
	answered := time.Now()
	for pause := between / 10; ; pause = min(2*pause, between) {
		queued, err := inQueue(ctx, job)
		switch since := time.Since(answered); {
		case err == nil:
			answered = time.Now()
		case ctx.Err() == nil && since > patience:
			return &badinput.Error{What: fmt.Sprintf("Slurm has not answered for %v", since.Round(time.Second)), Err: err,
				Fix: "see to its controller (scontrol ping); the same command goes on where this one stopped"}
		}
		if !queued {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
			look()
		}
	}
	look()
	return ctx.Err()
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
