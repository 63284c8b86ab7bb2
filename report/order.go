package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pacia/internal/each"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// significant is the level below which p by Holm is significant.
const significant = 0.05

// besidePublished reports whether the paper has figures of methods of a section other
// than PACIA. Then a table compares all methods with the paper's figures, for any network.
func (s Section) besidePublished() bool {
	return slices.ContainsFunc(s.Groups, func(g Group) bool {
		return g.Named != nil && titleOf(g.settings().Get(methodSetting)) != titleOf(methods.Default)
	})
}

// compete returns the groups whose methods have a published figure, in descending order of the figures here.
func (s Section) compete() (all []Group) {
	if !s.besidePublished() {
		return nil
	}
	of := chosen(s.Groups).spread
	mean := func(g Group) float64 { return of(g.Selected).Mean }
	all = each.If(s.Groups, func(g Group) bool { return g.Named != nil && !math.IsNaN(mean(g)) })
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(mean(b), mean(a)) })
	return all
}

// published returns the table of all methods beside the paper's figures. CSV has also a line for each category of FS-Mol's
// test tasks that has a published figure, in per cent.
func (s Section) published() Table {
	all, model := s.compete(), chosen(s.Groups)
	t := Table{Title: "Beside the paper's figures, test " + s.MetricName(), columns: []column{
		in("configuration", "configuration"), filed("method", "category", "model"), in("here", "mean"),
		in("published", "published", "published_standard_deviation"), shown("rank here"), shown("rank published"),
		in("published network", "published_network"), filed("encoder", "same_network"), in("source", "source"),
	}}
	for _, g := range all {
		here, n, settings := model.spread(g.Selected), g.Named, g.settings()
		cells := func(category string, here Spread, p *Published) row {
			return row{
				word(g.Label), fields(n.Method, category, model.name), {text: here.String(), fields: percents(here.Mean)},
				{text: n.Method + " " + n.figure(), fields: []string{fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation)}},
				count(rank(all, here.Mean, func(g Group) float64 { return model.spread(g.Selected).Mean })),
				count(rank(all, p.Mean, func(g Group) float64 { return g.Named.Mean })),
				{text: n.networkText(settings), fields: []string{n.network.text}},
				fields(settings.Get(encoderKind), strconv.FormatBool(n.same(settings))), word(n.Source.Name),
			}
		}
		t.add(cells("all", here, n)...)
		for _, c := range g.byCategory() {
			if p := n.categories[c.name]; p != nil {
				t.line(cells(c.name, model.spread(c.Selected), p)...)
			}
		}
	}
	if len(all) > 0 {
		t.Notes, t.Points = s.publishedNotes(all, model)
	}
	return t
}

// rank returns the rank of a value, from 1: equal values have the same one.
func rank(all []Group, v float64, of func(Group) float64) int {
	larger := each.Count(all, func(g Group) bool { return of(g) > v })
	return 1 + larger
}

// decimals returns the number of decimals in the published table.
func (p Published) decimals() int {
	if p.Dataset == fsmol {
		return 1
	}
	return 2
}

// spread returns the figure, of shares and not in per cent.
func (p Published) spread() *Spread {
	return &Spread{Mean: p.Mean / 100, Deviation: p.Deviation / 100, Low: math.NaN(), High: math.NaN()}
}

// figure formats mean and deviation as published.
func (p Published) figure() string {
	return fmt.Sprintf("%.*f ± %.*f", p.decimals(), p.Mean, p.decimals(), p.Deviation)
}

// networkText describes the network of the published figure and, if it differs, the run's.
func (p Published) networkText(s rundir.Settings) string {
	if p.same(s) {
		return p.network.text
	}
	here := s.Get(encoderKind)
	if s.Get("model.pretrained") != "" {
		here = "pretrained " + here
	}
	return "another: " + p.network.text + "; here " + here
}

// publishedNotes returns notes on how the figures can be compared, and a point for each pair of methods whose
// order differs from the paper's.
func (s Section) publishedNotes(all []Group, model choice) (notes, points []string) {
	source := all[0].Named.Source
	selection := "the model chosen on validation tasks"
	if source.Selection == bestOnTest {
		selection = "the best of all evaluations on the test tasks"
	}
	notes = []string{fmt.Sprintf("“Here” is of %s; the published figures are of %s. Rows are ranked among each other. "+
		"A published network of the same kind need not have the same width, nor the same training: except PACIA's, the paper does not give them in full.", model.name, selection)}
	of, distinct := 0, 0
	for _, c := range s.pairs() {
		a, b := s.Groups[c.i], s.Groups[c.j]
		if a.Named == nil || b.Named == nil || a.Named.Method == b.Named.Method {
			continue
		}
		of++
		if c.holm >= significant {
			continue
		}
		distinct++
		if c.difference < 0 {
			a, b = b, a
		}
		if p, q := a.Named, b.Named; p.Mean < q.Mean {
			text := fmt.Sprintf("%s is ahead of %s by %.2f (p by Holm %s), and behind it in the paper: %s and %s", a.Label, b.Label, 100*math.Abs(c.difference), probability(c.holm), p.figure(), q.figure())
			if q.Mean-p.Mean <= math.Hypot(p.Deviation, q.Deviation) {
				text += ", which is within the deviations given there"
			}
			points = append(points, text+".")
		}
	}
	switch {
	case len(all) < 2:
	case of == 0:
		notes = append(notes, fmt.Sprintf("The order is not compared with the paper's: with fewer than %d test tasks, or of one method alone, differences are not tested.", fewestPaired))
	default:
		notes = append(notes, fmt.Sprintf("Of %s of two methods, %s significantly here (p by Holm below %g), %s in the other order than in the paper.", counted(of, "pair", "pairs"), counted(distinct, "differs", "differ"), significant, ofThese(len(points))))
	}
	return notes, points
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func ofThese(n int) string {
	if n == 0 {
		return "none of them"
	}
	return fmt.Sprintf("%d of them", n)
}

// publishedText returns the cell of the column published for a group without a published figure.
func (s Section) publishedText(g Group) string {
	switch {
	case g.Named != nil && s.besidePublished():
		return belowPublished
	case g.Other && titleOf(g.settings().Get(methodSetting)) == titleOf(methods.Default):
		return notPublished
	}
	return none
}

// belowPublished is the cell if the paper has a figure of the method, but of another model.
const belowPublished = "of another model: below"
