package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"pacia/internal/version"
)

func newVersion() *cobra.Command {
	var result asJSON
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of pacia",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if result {
				return result.write(c, struct {
					Version string `json:"version"`
				}{version.Program()})
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), "pacia", version.Program())
			return err
		},
	}
	result.add(c)
	return c
}
