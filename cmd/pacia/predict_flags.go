package main

import (
	"strings"

	"github.com/spf13/cobra"

	"pacia/data/standard"
	"pacia/screen"
	"pacia/screen/ranking"
)

func (p *prediction) flags(c *cobra.Command) {
	p.scoring(c)
	p.reading.perFile(c)
	f := c.Flags()
	f.StringArrayVar(&p.candidates, "candidates", nil, "molecules to rank, a `FILE`: CSV, SMILES, SD, xlsx; several with the flag or the name repeated")
	f.StringVar(&p.out, "out", "", "ranked molecules, a CSV `FILE`")
	f.StringVar(&p.outcome, "outcome", "", "labels that are known of the candidates, a `FILE` or FILE:COLUMN: counts the actives among the first 20")
	f.StringVar(&p.named, "support-smiles", "", "`NAME` of the column with the molecules in the support file, where it is another one than --smiles")
	f.BoolVar(&p.largest, "largest-fragment", false, "only the largest fragment of a molecule counts")
	f.StringVar(&p.onInvalid, "on-invalid", "skip", "`ACTION` on molecules that cannot be read: skip or fail")
	f.StringVar(&p.share, "prior", "", "the `SHARE` of actives expected among the candidates, such as 0.02 or 2% (default that of the support file)")
	f.StringVar(&p.share, "share", "", "the `SHARE` of actives expected among the candidates")
	_ = f.MarkHidden("share") // the former name; the flag is defined
	f.IntVar(&p.top, "top", 0, "how `MANY` of the first ranks are written (default all)")
	f.IntVar(&p.refine, "refine", screen.Usual, "how `MANY` of the first molecules are scored again with vectors of MiniMol, where the model compares them; 0: all (default two fifths, at least 2,000 and at most 10,000)")
	f.Lookup("refine").DefValue = "0" // the help has it in words
	f.IntVar(&p.diverse, "diverse", 0, "how `MANY` dissimilar molecules are picked among the best: column pick")
	f.StringArrayVar(&p.wanted.Match, "match", nil, "only molecules with this substructure are ranked, a `SMARTS`; repeated: with each of them")
	f.StringArrayVar(&p.wanted.Exclude, "exclude", nil, "molecules with this substructure are left out, a `SMARTS`; repeated: with any of them")
	f.StringArrayVar(&p.wanted.Where, "where", nil, "only molecules that fulfil this `CONDITION` on a column, such as \"price <= 100\", are ranked; repeated: each of them")
	f.StringArrayVar(&p.columns, "columns", nil, "`COLUMNS` that are computed of each molecule, some of "+strings.Join(ranking.Described, ",")+"; repeated: all of them")
	f.IntVar(&p.reasons, "reasons", 0, "how `MANY` of the first molecules are explained, in table and page: support molecules, atoms, training assays")
	f.StringVar(&p.group, "group", "", "`COLUMN` by which rows are grouped, such as scaffold: columns group, group_size, group_hits and representative")
	f.StringVar(&p.page, "report", "", "a page with the ranking to look at, an HTML `FILE`")
	f.BoolVar(&p.bom, "bom", false, "CSV files begin with a byte order mark, so that Excel reads them as UTF-8")
	f.BoolVar(&p.json, "json", false, "the report as one JSON object")
	p.shards.add(c)
}

// scoring adds the flags of every command that scores molecules by a support set.
func (p *prediction) scoring(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&p.checkpoints, "checkpoint", nil, "trained model, a `FILE` such as best.ckpt (default the model that ships); repeated: the mean of several")
	f.StringArrayVar(&p.support, "support", nil, "labelled molecules, a `FILE`: CSV, SMILES, SD, xlsx; repeated: several, read as one")
	f.StringVar(&p.method, "method", "", "`METHOD` in place of a model, one of "+strings.Join(untrained(), ", ")+", which learn from the support file alone")
	f.StringArrayVar(&p.against, "against", nil, "labelled molecules of an assay in which molecules should be inactive, a `FILE` like that of --support, or FILE:COLUMN < VALUE UNIT; several with the flag repeated: ranks by selectivity")
	f.StringVar(&p.potency, "potency", "", "`NAME` of the column with measurements to learn as numbers: ranks by predicted potency")
	p.reading.add(c)
	p.labelling.add(c)
	f.BoolVar(&p.drawn, "as-drawn", false, "the model sees molecules as drawn, not as the parents of salts")
	f.StringVar(&p.repeats, "repeats", "", "`ACTION` on a molecule of several rows in the support file: merge them, or keep each (default merge, and a question if a column tells them apart)")
	f.StringArrayVar(&p.rows, "rows", nil, "only rows that fulfil this `CONDITION` on a column of the support file, such as \"Target Name = Kinase A\", count; repeated: each of them; FILE:… is for another file of labelled molecules")
	f.StringVar(&p.settings.Device, "device", "", "cpu, cuda or cuda:N (default cpu)")
	addSet(c, &p.settings)
}

func (p *prediction) read(c *cobra.Command) ranking.Options {
	o := ranking.Options{Options: p.reading.Options, Stdin: c.InOrStdin(), Standard: standard.Options{Largest: p.largest, Drawn: p.drawn}, Repeats: p.repeats, Decimal: p.labelling.Decimal}
	o.Elsewhere = true // --smiles need not name a column of every file
	return o
}

// checkWanted parses --match, --exclude, --where and --columns.
func (p *prediction) checkWanted(c *cobra.Command) error {
	for _, list := range p.columns {
		if err := p.wanted.Describe(list); err != nil {
			return err
		}
	}
	return p.wanted.Check(c.Context())
}
