package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/ops"
	"pacia/pretrain"
)

// pretraining is one call of pacia pretrain.
type pretraining struct {
	pretrain.Options
	dir     string
	source  pretrain.Source
	resume  bool
	result  asJSON
	changed func(flag string) bool
}

func newPretrain() *cobra.Command {
	p := pretraining{Options: pretrain.Default()}
	c := &cobra.Command{
		Use:   "pretrain FILE",
		Short: "Pretrain an encoder on molecules, most tasks without labels",
		Long: `Pretrain an encoder on molecules, for model.pretrained to start from. FILE has molecules in
any form that the other commands read: a table with a column of SMILES, an SD file, or a
list with one SMILES a line. A folder of such files (or its train/), and the word
embedded, also do.

What the encoder learns, by --task:
  masking     the elements of hidden atoms, with --bonds the types of hidden bonds
  context     whether an atom's environment and the context around it belong together
  edges       whether two atoms are bonded
  infomax     whether an atom belongs to a molecule
  supervised  the labels 0 and 1 in the other columns of FILE, empty where not known
  graphmae    the elements of hidden atoms, by a decoder that sees their neighbours
  graphlog    which molecules, parts of them and groups of them are alike
  mgssl       the motifs (rings, chains, branches) from which molecules grow, one after the other
The first five are those of Hu et al. (2020), whose best encoder learnt context and
then, by --start, supervised; the others are of Hou et al. (2022), Xu et al. (2021),
Zhang et al. (2021).

The folder that --out names gets encoder.safetensors, pretrain.jsonl (losses, and
the accuracy on held-out molecules), summary.json, invalid.csv with the molecules
that cannot be used, and resume.safetensors. An interrupted run keeps what was
learnt, and continues with --resume.`,
		Example: `  pacia pretrain zinc.csv.gz --out runs/encoder
  pacia pretrain molecules.smi --task context --encoder gat --out runs/gat
  pacia data convert fsmol fsmol-tables
  pacia pretrain fsmol-tables --task supervised --start runs/gat/encoder.safetensors \
      --encoder gat --exclude tox21.csv.gz --out runs/gat-2
  pacia pretrain zinc.csv.gz --out runs/encoder --resume
  pacia train --set model.pretrained=runs/encoder/encoder.safetensors`,
		Args: oneLibrary,
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, args[0]) },
	}
	f := c.Flags()
	p.changed = f.Changed
	f.StringVar(&p.dir, "out", "", "`FOLDER` of the encoder (default runs/pretrain-NAME-SEED, or the next free one)")
	addTableOptions(c, &p.source.Options)
	f.StringVar(&p.source.Exclude, "exclude", "", "`FILE` of molecules that are left out, of the kinds that FILE can be")
	f.BoolVar(&p.resume, "resume", false, "continue the run in the folder of --out, or start a new one there")
	addOptions(f, &p.Options)
	p.result.add(c)
	f.IntVar(&p.source.Threads, "threads", 0, "threads that parse and compute; 0: all cores")
	return c
}

// addOptions adds to f a flag for each setting of v, a pointer to a struct. The values
// of its fields are the defaults.
func addOptions(f *pflag.FlagSet, v any) {
	for _, s := range setting.List("", v) {
		o := f.VarPF(option{s, v}, s.Name, "", s.Doc+": "+s.Range)
		if s.Type.Kind() == reflect.Bool {
			o.NoOptDefVal, o.Usage = "true", s.Doc
		}
	}
}

// An option is the flag of a setting of v.
type option struct {
	setting.Setting
	value any
}

func (o option) Set(text string) error { return o.Setting.Set(o.value, text) }
func (o option) String() string        { return o.Value }
func (o option) Type() string          { return o.Setting.Type.Kind().String() }

// oneLibrary requires exactly one argument.
func oneLibrary(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &badinput.Error{What: fmt.Sprintf("%s takes one file of molecules, not %d", c.CommandPath(), len(args)),
		Fix: "write " + c.CommandPath() + " FILE.csv.gz"}
}

func (p *pretraining) run(c *cobra.Command, file string) error {
	if err := p.prepare(file); err != nil {
		return err
	}
	p.source.Path, p.source.Labels, p.source.Motifs = file, p.Task == pretrain.Supervised, p.Task == pretrain.MGSSL
	reading, read := showing(c.Context(), c)
	l, err := pretrain.Open(reading, p.source)
	read()
	if err != nil {
		return err
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	rep := newPretrainDisplay(p.result.textOut(c), c.ErrOrStderr(), p.Options, l, p.dir)
	var s pretrain.Summary
	err = ops.Pinned(p.source.Threads, func() (err error) {
		s, err = pretrain.Run(ctx, p.Options, l, p.dir, p.resume, rep)
		return err
	})
	rep.Close()
	if errors.Is(err, pretrain.ErrStopped) {
		return interrupted{fmt.Sprintf("stopped after step %d; the encoder as it was then is %s; --resume --out %s continues", s.StepsDone, rep.encoder(), badinput.Path(p.dir))}
	}
	if err != nil {
		return err
	}
	if err := writePretrained(p.result.textOut(c), s, rep.encoder()); err != nil {
		return err
	}
	return p.result.write(c, pretrained{p.dir, rep.encoder(), s})
}

// prepare checks the flags before anything is read.
func (p *pretraining) prepare(file string) error {
	if p.dir == "" {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		p.dir = defaultFolder(filepath.Join("runs", fmt.Sprintf("pretrain-%s-%d", name, p.Seed)), p.resume)
	}
	if err := p.begun(); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if n := p.source.Threads; n < 0 || n > 1024 {
		return &badinput.Error{What: fmt.Sprintf("--threads %d cannot be used", n), Fix: "write 0 (all cores) to 1024"}
	}
	if err := checkDevice(p.Device); err != nil {
		return err
	}
	if !p.resume {
		if err := pretrain.Free(p.dir); err != nil {
			return err
		}
	}
	var err error
	p.Settings, err = p.settings()
	return err
}

// begun reads the options that the command line does not set from the run that is resumed.
func (p *pretraining) begun() error {
	if !p.resume {
		return nil
	}
	before, there, err := pretrain.Begun(p.dir)
	if err != nil || !there {
		return err
	}
	for _, s := range setting.List("", before) {
		if p.changed(s.Name) {
			continue
		}
		if err := s.Set(&p.Options, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// settings returns the settings of a training run with this encoder, as YAML. All others
// have the defaults of pacia train.
func (p *pretraining) settings() (string, error) {
	cfg, err := config.Default(model.Paper, "")
	if err != nil {
		return "", err
	}
	cfg.Model.Encoder, cfg.Model.Layers, cfg.Model.Width, cfg.Seed = p.Encoder, p.Layers, p.Width, p.Seed
	var text strings.Builder
	err = config.Write(&text, cfg)
	return text.String(), err
}

// encoderSettings returns the flags that pacia train needs to start from an encoder.
func encoderSettings(o pretrain.Options) string {
	text := ""
	d := pretrain.Default()
	for _, s := range []struct{ name, got, usual string }{
		{"encoder", o.Encoder, d.Encoder},
		{"layers", strconv.Itoa(o.Layers), strconv.Itoa(d.Layers)},
		{"width", strconv.Itoa(o.Width), strconv.Itoa(d.Width)},
	} {
		if s.got != s.usual {
			text += " --set model." + s.name + "=" + s.got
		}
	}
	return text
}
