package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pacia/data/molecule"
	"pacia/data/table"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model/shared/remembered"
	"pacia/screen"
	"pacia/screen/history"
	"pacia/screen/request"
	"pacia/screen/trust"
)

// pastFigures state which past assays an evaluation had, and in how many of them its molecules were measured.
type pastFigures struct {
	Files     []history.Read `json:"files"`
	Assays    int            `json:"assays"`
	Molecules int            `json:"molecules"`
	KeepAssay bool           `json:"keep_assay"`
	Specific  bool           `json:"specific"`
	Tasks     []pastOfTask   `json:"tasks"` // those that were measured, in their order
}

// pastOfTask states what past assays have of a task.
type pastOfTask struct {
	Task      string         `json:"task"`
	Assays    int            `json:"assays"`    // that count
	Molecules int            `json:"molecules"` // of the task
	Measured  int            `json:"measured"`  // of these, in assays that count
	Itself    []history.Copy `json:"itself"`    // the task itself, left out unless --keep-assay
	Near      []history.Copy `json:"near"`      // nearly the task, which count
}

// pastOfTests are the past assays by which the molecules of test tasks are also compared. Nil has none.
type pastOfTests struct {
	pastFigures
	all    *history.Past
	keys   []uint64 // of the molecules of the data set
	prints *molecule.Fingerprints
	found  *trust.Past // of the last task
}

// open opens the past assays that the flags name.
func (t *tested) open(ctx context.Context, asked request.Past) (err error) {
	held := screen.Held(t.members)
	if len(asked.History) == 0 && len(held) == 0 {
		return screen.CheckPast(asked)
	}
	p := new(pastOfTests)
	p.prints, _ = molecule.FingerprintsOf(t.data.Store) // such a model compares them
	p.keys = remembered.Keys(p.prints)
	drawn, err := evaluate.Drawn(t.cfg, t.data)
	if err != nil {
		return err
	}
	molecules := history.Molecules{Drawn: drawn, Cache: t.cfg.Data.Cache}
	if p.all, err = history.Open(ctx, asked.History, table.Options{}, molecules, t.cfg.Threads); err != nil {
		return err
	}
	p.all = p.all.With(held...)
	p.Files, p.KeepAssay, p.Specific = p.all.Files(), asked.KeepAssay, asked.Specific
	p.Assays, p.Molecules = len(p.all.Assays()), p.all.Molecules()
	t.past = p
	return nil
}

// adapters returns those of the models, with past assays if there are any.
func (t *tested) adapters() evaluate.Adapters {
	if t.past == nil {
		return evaluate.Together(t.members)
	}
	return t
}

// For returns the adapter for a task: that of the models with past assays, without the task itself. All labels of the task
// decide which assay that is, and not only those of a support set.
func (t *tested) For(number int) (evaluate.Adapter, error) {
	p, task := t.past, &t.data.Tasks[number]
	keys := each.At(p.keys, task.Rows)
	past, err := p.all.Without(history.Support{Name: task.Name, Keys: keys, Labels: task.Labels}, p.KeepAssay)
	if err != nil {
		return nil, err
	}
	p.found = past.Counts()
	p.Tasks = append(p.Tasks, pastOfTask{
		Task: task.Name, Assays: p.found.Assays, Molecules: len(keys), Itself: past.Itself(), Near: past.Near(),
		Measured: each.Count(task.Rows, func(row int32) bool { n, _ := p.found.Counts(p.prints.At(int(row))); return n > 0 }),
	})
	return evaluate.Together(past.Recall(t.members, history.Options{Specific: p.Specific})), nil
}

// columns returns the columns that --predictions has for past assays.
func (p *pastOfTests) columns() []string {
	if p == nil {
		return nil
	}
	return []string{"past", "past_active"}
}

// cells returns in how many past assays a molecule of the last task was measured, and in how many it was active.
func (p *pastOfTests) cells(row int32) []string {
	if p == nil {
		return nil
	}
	measured, active := p.found.Counts(p.prints.At(int(row)))
	return []string{strconv.Itoa(measured), strconv.Itoa(active)}
}

// figures returns those of the past assays, nil without any.
func (p *pastOfTests) figures() *pastFigures {
	if p == nil {
		return nil
	}
	return &p.pastFigures
}

// write prints the past assays in a line.
func (f *pastFigures) write(w *ui.Table) {
	if f == nil {
		return
	}
	var molecules, measured int
	for _, t := range f.Tasks {
		molecules, measured = molecules+t.Molecules, measured+t.Measured
	}
	tasks := func(has func(pastOfTask) bool) string {
		return fmt.Sprintf("%d of %s", each.Count(f.Tasks, has), ui.Count(len(f.Tasks), "task"))
	}
	itself, near := tasks(func(t pastOfTask) bool { return len(t.Itself) > 0 }), tasks(func(t pastOfTask) bool { return len(t.Near) > 0 })
	how := "are among them and left out"
	if f.KeepAssay {
		how = "are among them, which counts"
	}
	w.Line("\npast assays: %s of %s, which have %s of %s of the tasks; %s %s; %s have nearly equal ones, which count",
		ui.Grouped(f.Assays), ui.Count(f.Molecules, "molecule"), ui.Grouped(measured), ui.Count(molecules, "molecule"), itself, how, near)
}

// addPast adds the flags of past assays.
func addPast(c *cobra.Command, p *request.Past) { addFields(c.Flags(), p, request.FieldsOf(p)) }
