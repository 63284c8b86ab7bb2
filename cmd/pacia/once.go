package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/internal/badinput"
)

// once makes the flags of a command and its subcommands that name one file refuse a second one, which would silently
// replace the first.
func once(c *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			of, _ := pflag.UnquoteUsage(f)
			if _, several := f.Value.(pflag.SliceValue); !several && f.Value.Type() == "string" && slices.Contains([]string{"FILE", "FOLDER"}, of) {
				f.Value = &onlyValue{f.Value, f}
			}
		})
	}
	for _, sub := range c.Commands() {
		once(sub)
	}
}

// onlyValue is the value of a flag that is given once.
type onlyValue struct {
	pflag.Value
	flag *pflag.Flag
}

func (v *onlyValue) Set(text string) error {
	if v.flag.Changed && text != v.String() {
		return &badinput.Error{What: "is given twice, as " + badinput.Quote(v.String()) + " and " + badinput.Quote(text),
			Fix: "leave out one of them"}
	}
	return v.Value.Set(text)
}
