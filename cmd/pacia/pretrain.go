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
	"pacia/fault"
	"pacia/model"
	"pacia/ops"
	"pacia/pretrain"
	"pacia/setting"
)

// pretraining is one call of pacia pretrain.
type pretraining struct {
	pretrain.Options
	dir, smiles string
	threads     int
	result      asJSON
}

func newPretrain() *cobra.Command {
	p := pretraining{Options: pretrain.Default()}
	c := &cobra.Command{
		Use:   "pretrain FILE",
		Short: "Pretrain an encoder on molecules without labels",
		Long: `Pretrain an encoder on molecules without labels, for model.pretrained to start
from, after Hu et al. (2020). FILE is a CSV with a column of SMILES, or any other
text with one SMILES a line, either of them plain or .gz, or the word embedded.

With --task masking the encoder learns to predict the elements of hidden atoms,
and with --bonds the types of hidden bonds; with --task context it learns whether
the surroundings of an atom and what lies around them belong together.

The folder that --out names gets encoder.safetensors, pretrain.jsonl (losses, and
the accuracy on held-out molecules), summary.json, and invalid.csv with the
molecules that cannot be used. An interrupted run keeps what was learnt.`,
		Example: `  pacia pretrain zinc.csv.gz --out runs/encoder
  pacia pretrain molecules.smi --task context --encoder gat --out runs/gat
  pacia train --set model.pretrained=runs/encoder/encoder.safetensors`,
		Args: oneLibrary,
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&p.dir, "out", "", "`FOLDER` of the encoder (default runs/pretrain-NAME-SEED, or the next free one)")
	f.StringVar(&p.smiles, "smiles", "smiles", "`NAME` of the column with the molecules")
	addOptions(f, &p.Options)
	p.result.add(c)
	f.IntVar(&p.threads, "threads", 0, "threads that parse and compute; 0: all cores")
	return c
}

// addOptions gives f a flag for each setting of v, a pointer to a struct, whose
// values are the defaults.
func addOptions(f *pflag.FlagSet, v any) {
	for _, s := range setting.List("", v) {
		o := f.VarPF(option{s, v}, s.Name, "", s.Doc+": "+s.Range)
		if s.Type.Kind() == reflect.Bool {
			o.NoOptDefVal, o.Usage = "true", s.Doc
		}
	}
}

// An option is a setting of v as a flag.
type option struct {
	setting.Setting
	v any
}

func (o option) Set(text string) error { return o.Setting.Set(o.v, text) }
func (o option) String() string        { return o.Value }
func (o option) Type() string          { return o.Setting.Type.Kind().String() }

// oneLibrary rejects all but one argument.
func oneLibrary(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &fault.Error{What: fmt.Sprintf("%s takes one file of molecules, not %d", c.CommandPath(), len(args)),
		Fix: "write " + c.CommandPath() + " FILE.csv.gz"}
}

func (p *pretraining) run(c *cobra.Command, file string) error {
	if err := p.prepare(file); err != nil {
		return err
	}
	l, err := pretrain.Open(c.Context(), file, p.smiles, p.threads)
	if err != nil {
		return err
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	rep := newPretrainDisplay(p.result.people(c), c.ErrOrStderr(), p.Options, l, p.dir)
	var s pretrain.Summary
	err = ops.Pinned(p.threads, func() (err error) {
		s, err = pretrain.Run(ctx, p.Options, l, p.dir, rep)
		return err
	})
	rep.Close()
	if errors.Is(err, pretrain.ErrStopped) {
		return interrupted{fmt.Sprintf("stopped after step %d; the encoder as it was then is %s", s.StepsDone, rep.encoder())}
	}
	if err != nil {
		return err
	}
	if err := writePretrained(p.result.people(c), s, rep.encoder()); err != nil {
		return err
	}
	return p.result.write(c, pretrained{p.dir, rep.encoder(), s})
}

// prepare checks the flags before anything is read.
func (p *pretraining) prepare(file string) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.threads < 0 || p.threads > 1024 {
		return &fault.Error{What: fmt.Sprintf("--threads %d cannot be used", p.threads), Fix: "write 0 (all cores) to 1024"}
	}
	if err := checkDevice(p.Device); err != nil {
		return err
	}
	if p.dir == "" {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		p.dir = defaultFolder(filepath.Join("runs", fmt.Sprintf("pretrain-%s-%d", name, p.Seed)), false)
	}
	if err := pretrain.Free(p.dir); err != nil {
		return err
	}
	var err error
	p.Settings, err = p.settings()
	return err
}

// settings are those of a training run with this encoder; all others are as
// pacia train has them.
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

// encoderSettings is what pacia train needs to start from an encoder.
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
