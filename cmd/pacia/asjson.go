package main

import (
	"io"

	"github.com/spf13/cobra"

	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/pretrain"
	"pacia/report"
	"pacia/run/rundir"
	"pacia/sweep"
)

// asJSON is the flag --json: the command prints its result as one JSON object, which is
// all of its standard output. docs/programs.md describes the objects.
type asJSON bool

func (j *asJSON) add(c *cobra.Command) {
	c.Flags().BoolVar((*bool)(j), "json", false, "the result as one JSON object")
}

// textOut returns the output for a command's progress and tables: the standard output, or
// the standard error with --json.
func (j asJSON) textOut(c *cobra.Command) io.Writer {
	if j {
		return c.ErrOrStderr()
	}
	return c.OutOrStdout()
}

// write writes the result as JSON with --json, and nothing otherwise.
func (j asJSON) write(c *cobra.Command, result any) error {
	if !j {
		return nil
	}
	return ui.JSON(c.OutOrStdout(), result)
}

// trainedRun is the result of pacia train.
type trainedRun struct {
	Folder string `json:"folder"`
	rundir.Summary
}

// MarshalJSON encodes each metric as a member.
func (t trainedRun) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(t) }

// trainedReplicas is the result of pacia train with several seeds.
type trainedReplicas struct {
	Folder string `json:"folder"`
	rundir.ReplicaSummary
}

// MarshalJSON encodes each metric as a member.
func (t trainedReplicas) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(t) }

// pretrained is the result of pacia pretrain.
type pretrained struct {
	Folder  string `json:"folder"`
	Encoder string `json:"encoder_file"`
	pretrain.Summary
}

// sweepTable is the progress of the runs of a sweep.
type sweepTable struct {
	Sweep  string         `json:"sweep"` // the file that describes it
	Folder string         `json:"folder"`
	Counts map[string]int `json:"counts"` // runs by status
	Runs   []sweepRun     `json:"runs"`
}

type sweepRun struct {
	sweep.State
	Episode    int      `json:"episode"`
	Episodes   int      `json:"of_episodes"`
	Metric     string   `json:"metric"`
	Figure     *float64 `json:"figure"` // at the last evaluation; null before the first one
	Last       *float64 `json:"last"`   // of the last model on the test tasks, in a finished run
	Validation *float64 `json:"validation_selected"`
	Test       *float64 `json:"best_on_test"`
}

func sweepResult(rows []sweep.Row, file, dir string) sweepTable {
	t := sweepTable{Sweep: file, Folder: dir, Counts: map[string]int{}, Runs: []sweepRun{}}
	for _, r := range rows {
		t.Counts[string(r.State.Status)]++
		run := sweepRun{State: r.State, Episode: r.Progress.Episode, Episodes: r.Run.Config.Train.Episodes, Metric: r.Run.Config.Train.Metric, Figure: r.Progress.Figure}
		run.Run = r.Run.Name
		if r.Summary != nil {
			run.Last, run.Validation, run.Test = r.Summary.Figures()
		}
		t.Runs = append(t.Runs, run)
	}
	return t
}

// reportResult is the table of a report.
type reportResult struct {
	Folder   string          `json:"folder"`
	Sections []reportSection `json:"sections"`
	LeftOut  []string        `json:"left_out"` // runs, with the reason
}

type reportSection struct {
	report.Trial
	Groups report.Table `json:"configurations"`
	Notes  []string     `json:"notes"`
}

func resultOf(r *report.Report, dir string) reportResult {
	all := reportResult{Folder: dir, Sections: []reportSection{}, LeftOut: append([]string{}, r.LeftOut...)}
	for _, s := range r.Sections {
		all.Sections = append(all.Sections, reportSection{s.Trial, s.Main(), append([]string{}, s.Notes...)})
	}
	return all
}

// calibration is the result of pacia calibrate.
type calibration struct {
	Slope  float64             `json:"slope"`
	Offset float64             `json:"offset"`
	Parts  []calibrationOfPart `json:"parts"`
	Out    string              `json:"out"`
}

type calibrationOfPart struct {
	Name  string        `json:"part"`                       // validation, test, …
	Tasks int           `json:"tasks"`                      // those large enough for the support set
	Error *float64      `json:"expected_calibration_error"` // null without tasks
	Bins  []metrics.Bin `json:"bins"`
}

func calibrationResult(fitted metrics.Calibration, found []reliability, out string) calibration {
	c := calibration{Slope: fitted.Slope, Offset: fitted.Offset, Out: out}
	for _, r := range found {
		c.Parts = append(c.Parts, calibrationOfPart{r.name, r.tasks, metrics.OrNil(r.ece), append([]metrics.Bin{}, r.bins...)})
	}
	return c
}

// exported is the file that pacia export wrote.
type exported struct {
	Out     string `json:"out"`
	Tensors int    `json:"tensors"`
	Numbers int64  `json:"numbers"` // in them
	Episode int    `json:"episode"`
	Dataset string `json:"dataset"`
}
