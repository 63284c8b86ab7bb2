package screen

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/screen/page"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// A Collector collects the content of a page from a ranking's rows, which are added in the order
// of their ranks.
type Collector struct {
	ranker  *Ranker
	shown   func(float32) float64 // returns a probability as it is shown
	columns []ranking.Column
	page    *page.Page
	picks   map[int]page.Row // by their places among the picks, from 1
}

// Collect returns a Collector for a finished ranking. Picks must have been made before.
func (r *Ranker) Collect(shown func(float32) float64) *Collector {
	return &Collector{ranker: r, shown: shown, columns: r.Spill.View(nil, shown).Columns, page: &page.Page{}, picks: map[int]page.Row{}}
}

// Add adds the row at the next rank. It does nothing if c is nil.
func (c *Collector) Add(row ranking.Ranked) {
	if c == nil {
		return
	}
	p := c.shown(row.Probability)
	if c.page.Scores == nil {
		c.page.Scores = page.NewHistogram(p)
	}
	c.page.Scores.Add(p)
	pick := c.ranker.Spill.Picked[row.Number]
	if len(c.page.Rows) >= page.MaxRows && pick == 0 {
		return
	}
	one := c.row(row, p)
	if len(c.page.Rows) < page.MaxRows {
		c.page.Rows = append(c.page.Rows, one)
	}
	if pick > 0 && pick <= page.MaxRows {
		c.picks[pick] = one
	}
}

func (c *Collector) row(row ranking.Ranked, p float64) page.Row {
	one := page.Row{Rank: row.Rank, Probability: p, InSupport: row.Mark.String(), Nearest: -1, Pick: c.ranker.Spill.Picked[row.Number]}
	one.Name = c.ranker.Table.Name(row.Cells)
	one.SMILES, _ = c.ranker.Table.Molecule(context.Background(), &row) // no error: it was read before
	one.Why = c.ranker.Reasons[row.Number]
	if c.ranker.Spill.Nearest != nil {
		one.Outside, one.Nearest, one.Tanimoto = !row.Near.Inside(), int(row.Near.Active), float64(row.Near.ToActive)
	}
	one.Facts = c.facts(row)
	return one
}

// facts returns the columns of cards, the probabilities in each assay, if there are several, and the
// predicted measurement, if measurements were learnt.
func (c *Collector) facts(row ranking.Ranked) (all []page.Fact) {
	for i := range c.columns {
		if column := &c.columns[i]; column.OnCard() && column.ChipOf(&row) != "" {
			all = append(all, page.Fact{Name: strings.ToLower(column.Title), Value: column.ChipOf(&row)})
		}
	}
	if len(row.Each) > 1 {
		for i, name := range slices.Concat([]string{"the wanted assay"}, c.ranker.Spill.Against) {
			all = append(all, page.Fact{Name: "active in " + name, Value: page.Percent(float64(row.Each[i]))})
		}
	}
	scale := c.ranker.Spill.Scale
	if scale == nil {
		return all
	}
	p := row.Potency
	all = append(all, page.Fact{Name: "potency", Value: interval(ranking.Learnt(p), "")})
	if scale.Log {
		all = append(all, page.Fact{Name: "predicted", Value: interval(ranking.Measured(p, scale), scale.Unit)})
	}
	return all
}

// interval formats a value and its interval; an open end is shown as "…".
func interval(v [3]float64, unit string) string {
	end := func(v float64) string {
		if math.IsInf(v, 0) {
			return "…"
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Sprintf("%s%s (%s to %s)", end(v[0]), unit, end(v[1]), end(v[2]))
}

// Page returns the page after all rows were added. The caller fills in the model, the settings and the
// findings.
func (c *Collector) Page() *page.Page {
	p, r := c.page, c.ranker
	for _, column := range c.columns {
		if column.OnCard() {
			p.Terms = append(p.Terms, page.Fact{Name: strings.ToLower(column.Title), Value: strings.TrimPrefix(column.Text, "is ")})
		}
	}
	p.Against, p.Potency = r.Spill.Against, r.Spill.Scale != nil
	p.Assay, p.Ranked, p.Unread, p.Pool = r.Support.File, r.Spill.Len(), r.Invalid.Len(), r.Pool
	for i, smiles := range r.Support.SMILES {
		p.Support = append(p.Support, page.Molecule{Name: r.Support.Names[i], SMILES: smiles, Active: r.Support.Labels[i] == 1})
	}
	if r.Panel != nil {
		SetTrust(p, r.Panel.Figures(), r.Panel.Lines())
	}
	for _, place := range slices.Sorted(maps.Keys(c.picks)) {
		p.Picks = append(p.Picks, c.picks[place])
	}
	return p
}

// SetTrust sets the verdict and the panel of a page: how far its ranking can be trusted.
func SetTrust(p *page.Page, figures trust.Figures, lines [][2]string) {
	p.Verdict, p.Sentence, p.Panel = figures.Verdict, figures.Sentence, nil
	for _, line := range lines {
		if line[0] != "verdict" { // the page shows it as the sentence
			p.Panel = append(p.Panel, line)
		}
	}
}
