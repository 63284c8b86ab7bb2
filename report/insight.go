package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/data/rdkit"
	"pacia/report/figure"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/report/tsne"
	"pacia/run/rundir"
)

// study draws the figures of a study of the best model of one run.
func (d *drawer) study(run rundir.Run, group int, m Measures) {
	tasks := d.scored[group]
	if d.section.Groups[group].Runs[0].Dir != run.Dir {
		tasks = nil // they were scored with another seed
	}
	var err error
	if tasks == nil && m.Scores != nil {
		tasks, err = m.Scores(run, recorded(run)) // it fails if the model is not the one on record
	}
	var s *study.Study
	var groups *study.Groups
	if err == nil {
		s, groups, err = m.Study(run, tasks)
	}
	if unfit := (scores.Unfit{}); err != nil && (m.Required || !errors.As(err, &unfit)) {
		d.fail("figures that look into the model", run, err)
		return
	}
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		d.section.Notes = append(d.section.Notes, fmt.Sprintf("The figures that look into the model of %s are left out: %s.", run.Dir, why))
		return
	}
	d.studied = s
	i := insight{drawer: d, Study: s}
	i.where = fmt.Sprintf("Task %s: best.ckpt of %s, seed %d, after episode %d.", i.task(), run.Dir, s.Seed, s.Episode)
	i.embeddings()
	i.similarities()
	if s.Drawable() {
		i.cases()
	} else {
		d.section.Notes = append(d.section.Notes, "Relation graphs and single queries are not drawn: the data set has no SMILES of its molecules.")
	}
	if !s.Adapted.Depth {
		d.section.Notes = append(d.section.Notes, fmt.Sprintf("Groups of molecules by depth are not drawn: the model of %s does not adapt the depth.", run.Dir))
		return
	}
	d.depthGroups(fmt.Sprintf("best.ckpt of %s, seed %d, after episode %d.", run.Dir, s.Seed, s.Episode), groups, group)
}

// insight draws the figures of a study.
type insight struct {
	*drawer
	*study.Study
	where string // begins each caption
}

// task returns the name of the task in figures.
func (i insight) task() string { return i.names.of(i.Task) }

// structureWide and structureHigh are the size of a structure's canvas, which is scaled to fit
// its place.
const structureWide, structureHigh = 260, 160

// node returns a node with the structure of a molecule, or without one if RDKit cannot draw it.
func node(m study.Molecule, name string) figure.Node {
	n := figure.Node{Active: m.Active, Name: name}
	if svg, err := rdkit.Draw(context.Background(), m.SMILES, structureWide, structureHigh); err == nil {
		if s, err := figure.ParseStructure(svg); err == nil {
			n.Structure = s
		}
	}
	return n
}

// pictured is the number of queries of each class in a figure of many molecules.
const pictured = 20

// molecules returns the molecules of figures that show many, as indices of the embeddings of a stage: the
// support, then queries, which include the cases, inactive ones first in both. Breaks are the
// indices at which the second, third and fourth of these parts begin.
func (i insight) molecules() (all []int, kinds []figure.Kind, breaks []int) {
	for _, active := range []bool{false, true} {
		for at, m := range i.Support {
			if m.Active == active {
				all, kinds = append(all, at), append(kinds, figure.Kind{Active: active})
			}
		}
		breaks = append(breaks, len(all))
	}
	cases := i.Cases()
	for _, active := range []bool{false, true} {
		var chosen []int
		for _, c := range cases {
			if i.Queries[c.Query].Active == active {
				chosen = append(chosen, c.Query)
			}
		}
		for at, q := range i.Queries {
			if q.Active == active && len(chosen) < pictured && !slices.Contains(chosen, at) {
				chosen = append(chosen, at)
			}
		}
		slices.Sort(chosen)
		for _, at := range chosen {
			all, kinds = append(all, len(i.Support)+at), append(kinds, figure.Kind{Active: active, Query: true})
		}
		breaks = append(breaks, len(all))
	}
	return all, kinds, breaks[:3]
}

// embeddings draws t-SNE of each stage.
func (i insight) embeddings() {
	const perplexity = 15
	all, kinds, _ := i.molecules()
	var marks []figure.Mark
	for k, c := range i.Cases() {
		marks = append(marks, figure.Mark{At: slices.Index(all, len(i.Support)+c.Query), Name: queryName(k)})
	}
	var maps []figure.Map
	for _, stage := range i.Stages {
		m := figure.Map{Title: stage.Name, Note: stage.Separation.String(), Kinds: kinds, Marks: marks}
		places := tsne.Embed(stage.Matrix(all), perplexity, i.Seed)
		for k := range all {
			m.X, m.Y = append(m.X, places.At(k, 0)), append(m.Y, places.At(k, 1))
		}
		maps = append(maps, m)
	}
	p, err := figure.Maps(maps)
	d := fmt.Sprintf("%s t-SNE (perplexity %d at most) of the molecules' embeddings%s. In the relation graph a support molecule is the mean of its nodes in the graphs of the %d queries; depth %d is the one at which these are ranked best. Only the distances of near points are meaningful. %s",
		i.where, perplexity, i.notAdapted(), len(i.Queries), i.Best, study.SeparationNote)
	i.add("embeddings", "Embeddings, stage by stage: "+i.task(), d, p, err)
}

// notAdapted describes the adaptations that the model lacks; the stages before and after them are equal.
func (i insight) notAdapted() string {
	var missing []string
	if !i.Adapted.Encoder {
		missing = append(missing, "to the task")
	}
	if !i.Adapted.Depth {
		missing = append(missing, "the depth to the query")
	}
	if missing == nil {
		return ""
	}
	return "; this model does not adapt " + strings.Join(missing, ", or ")
}

func (i insight) similarities() {
	all, _, breaks := i.molecules()
	var heats []figure.Heat
	for _, stage := range i.Stages {
		heats = append(heats, figure.Heat{Title: stage.Name, Values: stage.Cosines(all, all), Breaks: breaks})
	}
	p, err := figure.Heats(heats, figure.Cosine)
	i.add("similarities", "Similarity of embeddings, stage by stage: "+i.task(), i.where+" Cosine similarity of each pair of molecules. From the top, and from the left: inactive support, active support, inactive queries, active queries.", p, err)
}

// cases draws the case study and the relation graphs of two of its queries.
func (i insight) cases() {
	cases := i.Cases()
	if len(cases) == 0 {
		return
	}
	table := figure.CaseStudy{Columns: []string{"depth", "P(active)"}}
	var support, queries []int
	for _, active := range []bool{false, true} {
		at := slices.IndexFunc(i.Support, func(m study.Molecule) bool { return m.Active == active })
		support = append(support, at)
		table.Support = append(table.Support, figure.CaseMolecule{Node: node(i.Support[at], supportName(at)), Note: class(active)})
	}
	for k, c := range cases {
		q := i.Queries[c.Query]
		queries = append(queries, len(i.Support)+c.Query)
		note := c.Why
		if !strings.Contains(note, "active") {
			note += ", " + class(q.Active)
		}
		table.Queries = append(table.Queries, figure.CaseMolecule{Node: node(q.Molecule, queryName(k)), Note: note})
		table.Cells = append(table.Cells, []string{fmt.Sprint(q.Depth), fmt.Sprintf("%.3f", q.Probability)})
	}
	for _, stage := range i.Stages[:2] {
		table.Stages, table.Similarity = append(table.Stages, stage.Name), append(table.Similarity, stage.Cosines(queries, support))
	}
	p, err := figure.Cases(table)
	i.add("cases", "Case study: "+i.task(), i.where+" The first support molecule of each class, queries that the model finds easy (far on the right side of the queries' median P(active)) and hard (near it), the cosine similarity of their embeddings, and the depth at which each query is classified.", p, err)
	for k, c := range cases[:min(2, len(cases))] {
		i.graph(c, queryName(k))
	}
}

// supportName and queryName return the names of support molecules and of cases in figures.
func supportName(at int) string { return fmt.Sprintf("x%d", at+1) }
func queryName(k int) string    { return fmt.Sprintf("q%d", k+1) }

func class(active bool) string {
	if active {
		return "active"
	}
	return "inactive"
}

// graph draws the relation graph of a query, in the layer after which it is classified.
func (i insight) graph(c study.Case, name string) {
	q := i.Queries[c.Query]
	g := figure.Graph{Query: node(q.Molecule, name), Weights: i.Edges(c.Query, q.Depth)}
	g.Title = fmt.Sprintf("%s (%s): depth %d of %d, P(active) = %.3f", name, class(q.Active), q.Depth, i.Layers, q.Probability)
	for at, m := range i.Support {
		g.Support = append(g.Support, node(m, supportName(at)))
	}
	if low, high, ok := g.QueryEnds(); ok {
		g.Title += fmt.Sprintf(", a of its edges %.3f to %.3f", low, high)
	}
	p, err := figure.DrawGraph(g)
	i.add("graph-"+name, fmt.Sprintf("Relation graph of %s: %s", name, i.task()),
		i.where+fmt.Sprintf(" The query, framed in the colour of its class, is in the middle, and its edges are black. The width of an edge is a_ij of layer %d, the larger one of each pair of nodes, on a scale from 0 to 1; a node keeps its K nearest. At most the %d molecules of a class nearest to the query are shown.", q.Depth, figure.NodesMost), p, err)
}
