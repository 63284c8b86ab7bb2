// Package slurm submits work to Slurm as a job array, with its programs sbatch and squeue.
//
// The script of an array is kept. The results of tasks are found only from files, so
// accounting is not required.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// An Array is a job array: each task runs the same command with a different number.
type Array struct {
	Name       string
	Tasks      []int    // numbers, in rising order
	MaxRunning int      // largest number of tasks at a time; 0: no limit
	Logs       string   // absolute path of the folder of logs
	Chdir      string   // working folder; empty: that of sbatch
	Options    []string // of sbatch
	Note       string   // a comment
	Command    []string // words, which are quoted for the shell
	Last       string   // text after the words, which the shell expands
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._=+,-]+`)

// TaskNumber is the number of the task, for Array.Last.
const TaskNumber = `"$SLURM_ARRAY_TASK_ID"`

// scriptHead is the beginning of every script.
const scriptHead = "#!/bin/bash\n#SBATCH --job-name="

// Script returns the job script.
func (a Array) Script() (string, error) {
	for _, dir := range []string{a.Logs, a.Chdir} {
		if strings.ContainsAny(dir, "\"\\\n%") {
			return "", &badinput.Error{File: dir, What: "Slurm does not accept this name of a folder", Fix: "choose another with --out"}
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(scriptHead+"%s", unfit.ReplaceAllString(a.Name, "_"))
	most := ""
	if a.MaxRunning > 0 {
		most = fmt.Sprintf("%%%d", a.MaxRunning)
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

// Log returns the path of a task's log.
func (a Array) Log(job string, task int) string {
	return fmt.Sprintf("%s/slurm-%s_%d.log", a.Logs, job, task)
}

// Submit writes the script of a to path, submits it with sbatch, and returns the output of sbatch.
// The error has the advice fix if sbatch refuses the script.
func (a Array) Submit(ctx context.Context, path, fix string) (string, error) {
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return "", &badinput.Error{What: "there is no sbatch on this machine", Fix: "submit where Slurm is, or leave --engine slurm out"}
	}
	script, err := a.Script()
	if err != nil {
		return "", err
	}
	if text, err := os.ReadFile(path); err == nil && !bytes.HasPrefix(text, []byte(scriptHead)) {
		return "", &badinput.Error{File: path, What: "would be overwritten, and is not a script of pacia",
			Fix: "move it away, or choose another --out"}
	}
	if err := atomicfile.WriteBytes(path, []byte(script)); err != nil {
		return "", err
	}
	output, err := exec.CommandContext(ctx, sbatch, path).CombinedOutput()
	text := strings.TrimSpace(string(output))
	if err != nil {
		return "", &badinput.Error{What: "sbatch does not take " + path, Err: errors.New(text), Fix: fix}
	}
	return text, nil
}

var submitted = regexp.MustCompile(`\bjob ([0-9]+)`)

// JobOf returns the number of the job in the output of sbatch, or "".
func JobOf(output string) string {
	if m := submitted.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return ""
}

// inQueue reports whether tasks of a job wait or run. If Slurm does not respond, it returns
// true and an error.
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

// between is the time between two calls of squeue. patience is the longest time without a
// response: a restart of the controller takes minutes.
const (
	between  = 2 * time.Second
	patience = 15 * time.Minute
)

// Wait waits until no task of a job waits or runs. It returns an error if ctx ends, or if Slurm has
// not responded for 15 minutes. It calls look from time to time.
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
				Fix: "see to its controller (scontrol ping); the same command continues where this one stopped"}
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

// ranges formats 0, 1, 2, 5 as 0-2,5.
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

// quoted quotes a word for the shell.
func quoted(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }
