package report

import (
	"cmp"
	"fmt"
	"io"
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
	of := chosen(s.Groups).of
	mean := func(g Group) float64 { return of(g.Selected).Mean }
	all = each.If(s.Groups, func(g Group) bool { return g.Named != nil && !math.IsNaN(mean(g)) })
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(mean(b), mean(a)) })
	return all
}

// publishedTable returns the table of all methods beside the paper's figures.
func (s Section) publishedTable() Table {
	all, model := s.compete(), chosen(s.Groups)
	t := Table{
		Name:  "published",
		Title: "Beside the paper's figures, test " + s.MetricName(),
		Head:  []string{"configuration", "here", "published", "rank here", "rank published", "published network", "source"},
	}
	for _, g := range all {
		here, n := model.of(g.Selected), g.Named
		t.Rows = append(t.Rows, []string{
			g.Label, here.String(), n.Method + " " + n.figure(),
			strconv.Itoa(rank(all, here.Mean, func(g Group) float64 { return model.of(g.Selected).Mean })),
			strconv.Itoa(rank(all, n.Mean, func(g Group) float64 { return g.Named.Mean })),
			n.networkText(g.settings()), n.Source.Name,
		})
	}
	if len(t.Rows) > 0 {
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

// writePublished writes a line for each group with a published figure of its method, and
// a line for each category of FS-Mol's test tasks that has a published figure, in per cent.
func (r *Report) writePublished(w io.Writer) error {
	columns := []string{"method", "category", "model", "mean", "published", "published_standard_deviation", "published_network", "encoder", "same_network", "source"}
	return r.writeSections(w, columns, func(s Section, row rower) {
		model := chosen(s.Groups)
		for _, g := range s.compete() {
			settings, n := g.settings(), g.Named
			line := func(category string, here float64, p *Published) {
				row(g.Label, n.Method, category, model.name, cell(here), fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation),
					n.network.text, settings.Get(encoderKind), strconv.FormatBool(n.same(settings)), n.Source.Name)
			}
			line("all", model.of(g.Selected).Mean, n)
			for _, c := range g.byCategory() {
				if p := n.categories[c.name]; p != nil {
					line(c.name, model.of(c.Selected).Mean, p)
				}
			}
		}
	})
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
