package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

func newConfig() *cobra.Command {
	var o config.Options
	var list bool
	var x explanation
	c := &cobra.Command{
		Use:   "config",
		Short: "Print all settings, as pacia train would take them, or explain them",
		Example: `  pacia config
  pacia config --list
  pacia config --explain train.episodes model.hyper
  pacia config --preset tox21-10shot --set data.path=tox21.csv.gz > mine.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			if x.asked {
				return x.run(c.OutOrStdout(), o, args)
			}
			if err := noArgs(c, args); err != nil {
				return err
			}
			if x.asJSON || x.asMarkdown {
				return badinput.Newf("pacia config: --json and --markdown go with --explain")
			}
			if list {
				return listPresets(c.OutOrStdout())
			}
			cfg, err := config.Load(o)
			if err != nil {
				return err
			}
			return config.Write(c.OutOrStdout(), cfg)
		},
	}
	addSettings(c, &o)
	c.Flags().BoolVar(&list, "list", false, "list the built-in settings instead, and what of the paper they are")
	c.Flags().BoolVar(&x.asked, "explain", false, "explain all settings, or those named and what is below them")
	c.Flags().BoolVar(&x.asJSON, "json", false, "with --explain: one JSON array")
	c.Flags().BoolVar(&x.asMarkdown, "markdown", false, "with --explain: the text of docs/settings.md")
	return c
}

func listPresets(out io.Writer) error {
	w := ui.NewTable(out)
	for _, name := range config.Presets() {
		w.Line("%s\t%s", name, config.About(name))
	}
	return w.Flush()
}

func addSettings(c *cobra.Command, o *config.Options) {
	c.Flags().StringVar(&o.File, "config", "", "settings `FILE` (YAML)")
	c.Flags().Func("preset", "built-in settings by `NAME`, such as tox21-10shot (repeatable, the later win); pacia config --list shows all", func(name string) error {
		o.Preset = strings.TrimPrefix(o.Preset+","+name, ",")
		return nil
	})
	addSet(c, o)
}

func addSet(c *cobra.Command, o *config.Options) {
	c.Flags().StringArrayVar(&o.Set, "set", nil, "one setting, `NAME=VALUE` (repeatable)")
}
