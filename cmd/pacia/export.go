package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"pacia/fault"
	"pacia/internal/ui"
	"pacia/train"
)

func newExport() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "export CHECKPOINT",
		Short: "Write a trained model as a safetensors file",
		Long: `Write a trained model as a safetensors file: all its tensors, without those of
the optimiser, and as metadata the settings ("config", YAML) and the run ("run",
JSON). Other programs open it; and so do pacia eval and predict, and
model.pretrained, in place of the checkpoint.`,
		Example: `  pacia export runs/embedded-0/best.ckpt --out model.safetensors
  pacia train --set model.pretrained=model.safetensors`,
		Args: oneCheckpoint,
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "out"); err != nil {
				return err
			}
			e, err := train.Export(args[0], out)
			if err != nil {
				return writable(err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d tensors, %s numbers, of the model after episode %d on %s\n",
				out, e.Tensors, ui.Grouped(int(e.Parameters)), e.Episode(), e.Dataset)
			return err
		},
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, such as model.safetensors")
	return c
}

// oneCheckpoint rejects all but one argument.
func oneCheckpoint(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &fault.Error{What: fmt.Sprintf("%s takes one checkpoint, not %d", c.CommandPath(), len(args)),
		Fix: "write one such as runs/embedded-0/best.ckpt"}
}

// writable makes bad input of a file that cannot be written where it is to go.
func writable(err error) error {
	if !fault.Is(err) && (errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission)) {
		return &fault.Error{Err: err, Fix: "write another --out"}
	}
	return err
}
