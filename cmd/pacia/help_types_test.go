package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestTypesOfFlags checks that the type of a flag in a help is one word, such as FILE, and not a list of values.
func TestTypesOfFlags(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			of, _ := pflag.UnquoteUsage(f)
			if strings.ContainsAny(of, " ,") {
				t.Errorf("%s --%s %s", c.CommandPath(), f.Name, of)
			}
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(newRoot(&logging{}))
}
