package main

import (
	"github.com/spf13/cobra"

	"pacia/internal/ui"
	"pacia/model/shared/past"
	"pacia/screen/history"
	"pacia/screen/history/teach"
	"pacia/screen/history/tune"
)

// rememberedAssays is the result of pacia remember.
type rememberedAssays struct {
	Molecules int               `json:"molecules"`
	Assays    []rememberedAssay `json:"assays"`
	Teaching  *teach.Judgement  `json:"teaching,omitempty"` // of --teach
	Tuning    *tune.Choice      `json:"tuning,omitempty"`   // of the weights, by this command
}

type rememberedAssay struct {
	Name      string `json:"name"`
	Molecules int    `json:"molecules"`
	Actives   int    `json:"actives"`
	Values    bool   `json:"values"` // measured values, and not labels alone
	Added     string `json:"added"`
	File      string `json:"file"`
}

func listOf(m *past.Memory) rememberedAssays {
	if m == nil {
		return rememberedAssays{Assays: []rememberedAssay{}}
	}
	names := (*history.Past)(nil).With(m).Assays()
	all := make([]rememberedAssay, len(names))
	for i, a := range m.Assays {
		all[i] = rememberedAssay{names[i], a.Molecules, a.Actives, a.Valued, a.Added, a.File}
	}
	return rememberedAssays{Molecules: m.Molecules(), Assays: all}
}

// show prints the past assays that a model knows.
func (p *remembering) show(c *cobra.Command, m *past.Memory) error {
	l, out := listOf(m), p.result.textOut(c)
	ui.Say(out, "%s: %s and %s\n", nameOf(p.model), ui.Count(len(l.Assays), "past assay"), ui.Count(l.Molecules, "molecule"))
	if m != nil && len(m.Taught) > 0 {
		ui.Say(out, "they taught it to predict them for molecules that they did not measure\n")
	}
	if len(l.Assays) > 0 {
		t := ui.NewTable(out)
		t.Line("assay\tmolecules\tactives\tlearnt\tadded\tfile")
		for _, a := range l.Assays {
			learnt := "labels"
			if a.Values {
				learnt = "values"
			}
			t.Line("%s\t%s\t%s\t%s\t%s\t%s", a.Name, ui.Grouped(a.Molecules), ui.Grouped(a.Actives), learnt, a.Added, a.File)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return p.result.write(c, l)
}
