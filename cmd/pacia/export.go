package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/run/checkpoint"
)

func newExport() *cobra.Command {
	var out string
	var half bool
	var result asJSON
	c := &cobra.Command{
		Use:   "export CHECKPOINT",
		Short: "Write a trained model as a safetensors file",
		Long: `Write a trained model as a safetensors file: all its tensors, without those of
the optimiser, and as metadata the settings ("config", YAML) and the run ("run",
JSON). Other programs can open it, and pacia eval, pacia predict and
model.pretrained take it in place of the checkpoint. With --half its matrices are
float16, which takes half the room; vectors stay float32. pacia import takes the file
back after another program has changed its numbers.`,
		Example: `  pacia export runs/embedded-0/best.ckpt --out model.safetensors
  pacia train --set model.pretrained=model.safetensors`,
		Args: oneCheckpoint,
		RunE: func(c *cobra.Command, args []string) error {
			return writeModel(c, result, args[0], out, checkpoint.Export, checkpoint.ExportOptions{Half: half, Program: version.Program()})
		},
	}
	result.add(c)
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, such as model.safetensors")
	c.Flags().BoolVar(&half, "half", false, "write matrices as float16")
	return c
}

// writeModel makes the model in out of that in from by write, one of package checkpoint's, and reports it.
func writeModel(c *cobra.Command, result asJSON, from, out string,
	write func(from, to string, o checkpoint.ExportOptions) (checkpoint.Exported, error), o checkpoint.ExportOptions,
) error {
	defer leaveWhenAsked()()
	if err := need(c, "out"); err != nil {
		return err
	}
	if err := checkOutputs([]output{{"--out", out, modelFile}}, from); err != nil {
		return err
	}
	e, err := write(from, out, o)
	if err != nil {
		return err
	}
	return written(c, result, out, e)
}

func written(c *cobra.Command, result asJSON, out string, e checkpoint.Exported) error {
	_, err := fmt.Fprintf(result.textOut(c), "%s: %d tensors, %s numbers, of the model after episode %d on %s\n",
		out, e.Tensors, ui.Grouped(int(e.Parameters)), e.Episode(), e.Dataset)
	if err != nil {
		return err
	}
	return result.write(c, exported{out, e.Tensors, e.Parameters, e.Episode(), e.Dataset})
}

// oneCheckpoint rejects all but one argument.
func oneCheckpoint(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &badinput.Error{What: fmt.Sprintf("%s takes one checkpoint, not %d", c.CommandPath(), len(args)),
		Fix: "write one such as runs/embedded-0/best.ckpt"}
}
