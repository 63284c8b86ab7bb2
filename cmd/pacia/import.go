package main

import (
	"github.com/spf13/cobra"

	"pacia/internal/version"
	"pacia/run/checkpoint"
)

func newImport() *cobra.Command {
	var out string
	var result asJSON
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Take back a model whose numbers another program has changed",
		Long: `Take back a model whose numbers another program has changed. FILE is a safetensors
file that pacia export wrote, and that Python or another program has written again: its
metadata ("version", "config", "run") unchanged, and all its tensors with their names and
shapes, as F32, F16, BF16 or F64. Without --out's checksum no other command reads it. A
file with other tensors than the model that its metadata describe is refused, and so is
a value that is not finite.`,
		Example: `  pacia import changed.safetensors --out model.safetensors
  pacia predict --checkpoint model.safetensors --support support.csv --candidates library.csv --out ranked.csv`,
		Args: oneCheckpoint,
		RunE: func(c *cobra.Command, args []string) error {
			return writeModel(c, result, args[0], out, checkpoint.Import, checkpoint.ExportOptions{Program: version.Program()})
		},
	}
	result.add(c)
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, such as model.safetensors")
	return c
}
