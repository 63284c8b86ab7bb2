package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/config"
	"pacia/data"
	"pacia/data/source/fetch"
	"pacia/data/split"
	"pacia/data/table"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// A completer returns the possible completions of a word that begins with begun.
type completer = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// values returns the completers of flags of any command, by the flags' names.
func values() map[string]completer {
	all := map[string]completer{}
	for name, offered := range choices() {
		all[name] = words(offered...)
	}
	maps.Copy(all, map[string]completer{
		"preset":     found(presets),
		"set":        settingsOfRuns,
		"device":     words(runconfig.CPU, "cuda", "cuda:0"),
		"method":     words(untrained()...),
		"encoding":   words("utf-8", "utf-16le", "utf-16be", "latin-1", "windows-1252", "shift_jis"),
		"log-format": words(ui.FormatText, ui.FormatJSON),
		"split":      words("auto"),
		"encoder":    found(func() []string { return choicesOf("model.encoder") }),
		"label":      columns,
		"smiles":     columns,
		"config":     endings("yaml", "yml"),
		"checkpoint": endings("ckpt", "safetensors"),
		"diagram":    endings("svg", "png"),
	})
	return all
}

// arguments returns the completers of arguments, by the commands' names.
func arguments() map[string]completer {
	return map[string]completer{
		"pacia data fetch":   words(sets()...),
		"pacia data inspect": dataSets,
		"pacia data prepare": dataSets,
		"pacia pretrain":     dataSets,
		"pacia config":       explained,
		"pacia export":       endings("ckpt"),
		"pacia import":       endings("safetensors"),
		"pacia sweep":        endings("yaml", "yml"),
		"pacia report":       folders,
	}
}

// complete registers the completers of the flags and arguments of root and of all commands
// below it. Without a completer, shells offer files.
func complete(root *cobra.Command) {
	flags, args := values(), arguments()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			by := flags[f.Name]
			if o, ok := f.Value.(option); ok && len(o.Choices()) > 0 {
				by = words(o.Choices()...)
			}
			if by != nil {
				_ = c.RegisterFlagCompletionFunc(f.Name, by) // fails only for a flag that has one already
			}
		})
		if by := args[c.CommandPath()]; by != nil {
			c.ValidArgsFunction = by
		}
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(root)
}

// words completes to one of these words. Shells show the text after a tab as a description.
func words(all ...string) completer {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginning(all, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// found is words for a list that takes some time to make.
func found(all func() []string) completer {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		return words(all()...)(c, args, begun)
	}
}

// endings completes to files with one of these extensions.
func endings(all ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return all, cobra.ShellCompDirectiveFilterFileExt
	}
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func beginning(all []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return !strings.HasPrefix(word, begun) })
}

func presets() (all []string) {
	return each.Of(config.Presets(), func(name string) string { return name + "\t" + config.About(name) })
}

func sets() (all []string) {
	return each.Of(fetch.Sets, func(s fetch.Set) string { return s.Name })
}

// dataSets completes to files and to the embedded data set.
func dataSets(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	if begun != "" && len(beginning([]string{data.Embedded}, begun)) > 0 {
		return []string{data.Embedded + "\tthe data set that is part of the program"}, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

func choicesOf(name string) []string {
	all, err := config.Explain(config.Options{}, name)
	if err != nil || len(all) != 1 {
		return nil
	}
	return all[0].Choices
}

// settingsOfRuns completes NAME=VALUE: the name, and then the value, if it is a choice.
func settingsOfRuns(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	all, err := config.Explain(config.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	name, value, named := strings.Cut(begun, "=")
	var list []string
	for _, e := range all {
		switch {
		case !named && strings.HasPrefix(e.Name, begun):
			list = append(list, e.Name+"=\t"+e.Meaning)
		case named && e.Name == name:
			for _, choice := range beginning(valuesOf(e), value) {
				list = append(list, name+"="+choice)
			}
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if !named {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return list, directive
}

// valuesOf returns usual values of a setting.
func valuesOf(e config.Explanation) []string {
	switch e.Name {
	case "device":
		return []string{runconfig.CPU, "cuda", "cuda:0"}
	case "data.path":
		return []string{data.Embedded}
	case "model.method":
		var all []string
		for _, m := range methods.All {
			all = append(all, m.Name+"\t"+m.Title)
		}
		return all
	case "data.split":
		return []string{"auto", split.All}
	}
	return e.Choices
}

// explained completes the names of settings for pacia config --explain.
func explained(_ *cobra.Command, _ []string, begun string) (list []string, _ cobra.ShellCompDirective) {
	all, err := config.Explain(config.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	for _, e := range all {
		if s := e.Section(); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
		list = append(list, e.Name+"\t"+e.Meaning)
	}
	return beginning(list, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// columns completes to the columns of the first file on the command line.
func columns(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if files, err := c.Flags().GetStringArray("support"); err == nil && len(files) > 0 {
		args = files
	}
	if len(args) == 0 || args[0] == table.Stdin {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	r, err := table.Open(context.Background(), args[0], nil, table.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer r.Close()
	return beginning(r.Header, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
