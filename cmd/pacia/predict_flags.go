package main

import (
	"strings"

	"github.com/spf13/cobra"

	"pacia/screen/ranking"
	"pacia/screen/request"
)

// flags adds the flags that predict and next have.
func (p *prediction) flags(c *cobra.Command) {
	p.scoring(c)
	p.perFile.add(c)
	f := c.Flags()
	f.StringVar(&p.Prior, "share", "", "the `SHARE` of actives expected among the candidates")
	for _, name := range []string{"share", "part", "workers"} { // the former name of --prior, and those of the processes of parts
		_ = f.MarkHidden(name) // the flag is defined
	}
}

// scoring adds the flags of every command that scores molecules by a support set. Of those of predict that the command
// lacks, next has hidden ones, which it refuses.
func (p *prediction) scoring(c *cobra.Command) {
	f := c.Flags()
	command := c.Name()
	addFields(f, &p.Request, fieldsOf(command))
	if command == "next" {
		addFields(f, &p.Request, onlyPredict())
		for _, field := range onlyPredict() {
			_ = f.MarkHidden(field.Name)
		}
	}
	f.Lookup("method").Usage = "`METHOD` in place of a model, one of " + strings.Join(untrained(), ", ") + ", which learn from the support file alone"
	f.StringVar(&p.settings.Device, "device", "", "cpu, cuda or cuda:N (default cpu)")
	addSet(c, &p.settings)
}

// onlyPredict returns the fields whose flags predict has, and next has not.
func onlyPredict() []request.Field {
	all := fieldsOf("predict")
	rest := all[:0]
	for _, field := range all {
		if !field.HasFlag("next") {
			rest = append(rest, field)
		}
	}
	return rest
}

// check checks the fields of the request.
func (p *prediction) checkFields(c *cobra.Command) error {
	return p.Request.Check(c.Context(), func(name string) bool {
		field, _ := request.Find(name)
		flag, _ := field.Flag()
		return flag != "" && (c.Flags().Changed(flag) || name == "prior" && c.Flags().Changed("share"))
	})
}

// read returns the options by which files are read.
func (p *prediction) read(c *cobra.Command) ranking.Options {
	o := p.Request.Ranking()
	o.Stdin = c.InOrStdin()
	return o
}
