package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
)

// beside is a flag that has an effect only with some flags, or only without some.
type beside struct {
	flag string
	one  []string // at least one of these is needed; empty: not needed
	none []string // the flag has no effect with any of these
}

// checkBeside refuses a flag that would have no effect: the user expects one.
func checkBeside(c *cobra.Command, all []beside) error {
	set := func(name string) bool { return c.Flags().Changed(name) }
	for _, b := range all {
		if !set(b.flag) {
			continue
		}
		if i := slices.IndexFunc(b.none, set); i >= 0 {
			return &badinput.Error{What: "--" + b.flag + " has no effect with --" + b.none[i], Fix: "leave out one of them"}
		}
		if len(b.one) > 0 && !slices.ContainsFunc(b.one, set) {
			needed := "--" + strings.Join(b.one, " or --")
			return &badinput.Error{
				What: "--" + b.flag + " has no effect without " + needed, Fix: "also write " + needed + ", or leave it out",
			}
		}
	}
	return nil
}

// checkMeasurements refuses flags about measurements without a flag that makes the command
// read measurements, such as --active-below.
func checkMeasurements(c *cobra.Command, _ []string) error {
	unknown := func(name string) bool { return c.Flags().Lookup(name) == nil }
	makers := slices.DeleteFunc([]string{"active-below", "active-above", "potency"}, unknown)
	all := []beside{{flag: "decimal", one: slices.Concat(makers, slices.DeleteFunc([]string{"where"}, unknown))}}
	for _, name := range []string{"unit", "value-unit", "sign-column", "unit-column", "type-column", "type"} {
		all = append(all, beside{flag: name, one: makers})
	}
	return checkBeside(c, all)
}
