package main

import (
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
)

// addSettings gives c the flags from which config.Load takes settings.
func addSettings(c *cobra.Command, o *config.Options) {
	c.Flags().StringVar(&o.File, "config", "", "settings `FILE` (YAML)")
	c.Flags().StringVar(&o.Preset, "preset", "", "built-in settings by `NAME`: "+strings.Join(config.Presets(), ", "))
	addSet(c, o)
}

// addSet gives c the flag --set alone.
func addSet(c *cobra.Command, o *config.Options) {
	c.Flags().StringArrayVar(&o.Set, "set", nil, "one setting, `NAME=VALUE` (repeatable)")
}
