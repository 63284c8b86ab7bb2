package main

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pacia/data/note"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/screen"
	"pacia/screen/history"
	"pacia/screen/history/teach"
	"pacia/screen/history/tune"
	"pacia/screen/request"
	"pacia/weights"
)

// remembering is the command pacia remember.
type remembering struct {
	request.Request
	perFile perFile
	model   string
	out     string
	forget  []string
	list    bool
	noTune  bool
	teach   bool
	result  asJSON

	judgement *teach.Judgement // of --teach
	choice    *tune.Choice     // nil with --no-tune
}

func newRemember() *cobra.Command {
	p := new(remembering)
	c := &cobra.Command{
		Use:   "remember",
		Short: "Write a model that knows your past assays",
		Long: `Write a model that knows past assays beside what it was trained on: pacia predict
--checkpoint counts them as --history does, without reading their files again. They are
added to those that a model of --checkpoint knows. An assay of a file and name that it
knows already takes the place of the earlier one. --forget takes an assay away, and
--list shows all.

--teach also learns to predict them, for molecules that none of them measured, which
takes minutes. First it hides molecules and assays, learns the others, and reports how
much better the hidden molecules are ranked in the hidden assays. If they are not, it
keeps nothing of what it learnt. It learns the molecules of --history alone; where it was
stopped, the same command goes on.

The file holds your measurements beside hashes of molecules: whoever has the
structures can look them up. It is as confidential as the data.`,
		Example: `  pacia remember --history past.csv --history older.xlsx --out mine.safetensors
  pacia remember --history past.csv --teach --out mine.safetensors
  pacia remember --checkpoint mine.safetensors --history new.csv --out mine.safetensors
  pacia remember --checkpoint mine.safetensors --list`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			defer leaveWhenAsked()()
			if err := p.check(c); err != nil {
				return err
			}
			return p.run(c)
		},
	}
	f := c.Flags()
	f.StringVar(&p.model, "checkpoint", "", "trained model, a `FILE` such as mine.safetensors (default the model that ships)")
	f.StringVar(&p.model, "model", "", "another name of --checkpoint")
	_ = f.MarkHidden("model") // the flag is defined
	f.StringVar(&p.out, "out", "", "`FILE` to write, such as mine.safetensors; it may be that of --checkpoint")
	f.StringArrayVar(&p.forget, "forget", nil, "`ASSAY` to take away, by its name in --list, or the name of a file with all its assays; repeated: each")
	f.BoolVar(&p.noTune, "no-tune", false, "keep the weights of past assays that the model has")
	f.BoolVar(&p.list, "list", false, "show the past assays of the model")
	f.BoolVar(&p.teach, "teach", false, "also learn to predict past assays, for molecules that they did not measure; is kept if it helps")
	addFields(f, &p.Request, each.If(request.Fields(), func(f request.Field) bool { return f.Name == "history" || f.Name == "as_drawn" }))
	addFields(f, &p.Reading, request.FieldsOf(&p.Reading))
	p.perFile.add(c)
	p.result.add(c)
	return c
}

func (p *remembering) check(c *cobra.Command) error {
	changes := len(p.History)+len(p.forget) > 0
	switch {
	case !p.list && !changes:
		return &badinput.Error{What: "neither --history nor --forget nor --list is given", Fix: "write --history past.csv --out mine.safetensors"}
	case p.list && changes:
		return &badinput.Error{What: "--list shows a model and changes nothing", Fix: "leave out --history, --forget and --out, and list the file that is written"}
	case p.list:
		return nil
	case p.teach && len(p.History) == 0:
		return &badinput.Error{What: "--teach: the molecules of past assays are in their files", Fix: "name these by --history"}
	}
	files := each.Of(p.History, pastFile)
	if err := cmp.Or(need(c, "out"), p.perFile.into(&p.Reading, files)); err != nil {
		return err
	}
	return checkOutputs([]output{{"--out", p.out, modelFile}}, files...)
}

func (p *remembering) run(c *cobra.Command) error {
	trained, err := weights.Open(p.model)
	if err != nil {
		return err
	}
	defer trained.Close()
	held, err := trained.Past()
	if err != nil {
		return err
	}
	if p.list {
		return p.show(c, held)
	}
	all := (*history.Past)(nil).With(held)
	if all, err = all.Forget(p.forget); err != nil {
		return err
	}
	memory, err := p.remember(c, trained, all)
	if err != nil {
		return err
	}
	if _, err := trained.Export(p.out, checkpoint.ExportOptions{Program: version.Program(), Past: memory}); err != nil {
		return err
	}
	out, of := p.result.textOut(c), listOf(memory)
	of.Teaching, of.Tuning = p.judgement, p.choice
	if err := p.choice.Table(out); err != nil {
		return err
	}
	ui.Say(out, "%s: %s knows %s and %s\n", p.out, nameOf(p.model), ui.Count(len(memory.Assays), "past assay"),
		ui.Count(memory.Molecules(), "molecule"))
	return p.result.write(c, of)
}

// remember returns the memory of past assays and those of the files.
func (p *remembering) remember(c *cobra.Command, trained *checkpoint.File, all *history.Past) (memory *past.Memory, err error) {
	ctx, loaded := showing(c.Context(), c)
	defer loaded()
	err = ops.Pinned(0, func() error {
		m, err := trained.Model("cpu")
		if err != nil {
			return err
		}
		defer m.Drop()
		if !m.Traits().History {
			return &badinput.Error{File: p.model, What: "the model does not compare molecules by past assays", Fix: "leave it out; the model that ships and kernel do"}
		}
		if all, err = p.read(ctx, c.ErrOrStderr(), m, all); err != nil {
			return err
		}
		memory = all.Memory()
		if err := p.tune(ctx, m, all, memory); err != nil {
			return err
		}
		return p.learn(ctx, c.ErrOrStderr(), m, memory)
	})
	return memory, err
}

// read reads the files for a model, and returns their assays after those of all.
func (p *remembering) read(ctx context.Context, told io.Writer, m *model.Model, all *history.Past) (*history.Past, error) {
	if len(p.History) == 0 {
		return all, nil
	}
	molecules, err := p.molecules(m)
	if err != nil {
		return nil, err
	}
	molecules.SMILES = !p.noTune
	read, err := history.Open(note.Silent(ctx), p.History, p.Reading, molecules, 0)
	if err != nil {
		return nil, err
	}
	all, replaced := all.Add(read)
	printLines(told, screen.FindingsOfPast(read))
	if replaced > 0 {
		ui.Say(told, "%s of the same file and name as before: the new ones take their place\n", ui.Count(replaced, "past assay"))
	}
	return all, nil
}

// molecules returns how the molecules of past assays are drawn for a model.
func (p *remembering) molecules(m *model.Model) (history.Molecules, error) {
	reader, err := evaluate.NewReader([]*model.Model{m}, p.AsDrawn)
	if err != nil {
		return history.Molecules{}, err
	}
	redraw, err := reader.Redraw()
	return history.Molecules{Drawn: p.AsDrawn, Redraw: redraw, Added: time.Now().Format(time.DateOnly)}, err
}

// learn adds to the memory what it teaches, if this helps.
func (p *remembering) learn(ctx context.Context, told io.Writer, m *model.Model, memory *past.Memory) error {
	if !p.teach {
		if held := m.Past(); held != nil && len(held.Taught) > 0 {
			ui.Say(told, "what past assays taught is left out, as they changed: --teach with their files teaches it again\n")
		}
		return nil
	}
	molecules, err := p.molecules(m)
	if err != nil {
		return err
	}
	network, judgement, err := teach.Teach(note.Silent(ctx), teach.Input{
		Model: m, Memory: memory, Files: p.History, Reading: p.Reading, Molecules: molecules, Checkpoint: p.out,
	})
	if err != nil {
		return err
	}
	printLines(told, judgement.Lines())
	memory.Taught, p.judgement = network, &judgement
	return nil
}
