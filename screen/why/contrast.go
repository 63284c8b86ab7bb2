package why

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"pacia/internal/each"
	"pacia/model"
)

// Legend: q the ranked molecule, r a measured molecule with the same core.

// A Contrast states what differs between q and r, and how far that changes the log-odds.
//
//	Difference = log-odds of q − LogOdds = Σ Changes' shares
type Contrast struct {
	Name       string       `json:"name,omitempty"`
	SMILES     string       `json:"smiles"`
	Active     bool         `json:"active"`
	LogOdds    float64      `json:"log_odds"` // of r, scored like a candidate
	Difference float64      `json:"difference"`
	Core       string       `json:"core"` // SMILES of the common core in q; atoms to which changes are joined have numbers
	Changes    []Change     `json:"changes"`
	Parts      []model.Part `json:"parts,omitempty"` // of the difference, by the kernel's parts and by what is expected in any assay

	Here  Picture `json:"here"`
	There Picture `json:"there"`
}

// A Picture has what the drawing of a molecule in a contrast shows. Both drawings of a contrast have the same
// orientation.
type Picture struct {
	Shares []*float64 `json:"shares"` // [A] of the change that an atom, or its hydrogen, belongs to; nil: of the core
	Like   string     `json:"like"`   // the molecule like which it is drawn
	Onto   []int32    `json:"onto"`   // [A] the atom of Like in whose place an atom is drawn, or -1
	Notes  []int32    `json:"notes"`  // [A] numbers of atoms to which changes are joined, or 0
}

// reference is a support molecule beside which q is shown.
type reference struct {
	index int // among the support molecules of a Builder
	alignment
}

// considered is the number of support molecules, those with the largest shares, among which references are
// looked for. Of each class, at most the aligned most similar ones are aligned.
const considered, aligned = 200, 5

// mostAligned is the maximum number of atoms of a molecule that is aligned. The time grows with the square.
const mostAligned = 200

// references finds the most similar inactive and the most similar active support molecule that share a core with q
// and differ from it by atoms. Similarity is the Tanimoto coefficient of environments.
func (b *Builder) references(ctx context.Context, q *structure, order []int) (all []reference, err error) {
	type near struct {
		index    int
		likeness float64
	}
	if q.atoms > mostAligned {
		return nil, nil
	}
	var classes [2][]near
	for _, i := range order[:min(len(order), considered)] {
		other, err := b.read(ctx, i)
		if err != nil {
			return nil, err
		}
		if other.atoms > mostAligned {
			continue
		}
		class := 0
		if b.support[i].Active {
			class = 1
		}
		classes[class] = append(classes[class], near{i, q.likeness(other)})
	}
	for _, class := range classes {
		slices.SortFunc(class, func(x, y near) int { return cmp.Or(cmp.Compare(y.likeness, x.likeness), cmp.Compare(x.index, y.index)) })
		for _, n := range class[:min(len(class), aligned)] {
			other, err := b.read(ctx, n.index)
			if err != nil {
				return nil, err
			}
			if m := align(&q.graph, &other.graph); m.shares(q, other) && 2*m.same < q.atoms+other.atoms {
				all = append(all, reference{n.index, m})
				break
			}
		}
	}
	return all, nil
}

// shares reports whether the common core has at least half of the atoms of the larger molecule.
func (m *alignment) shares(q, r *structure) bool { return 2*m.same >= max(q.atoms, r.atoms) }

// References returns the indices of the support molecules, in the order of a model, beside which a molecule is shown.
func (r *Reasons) References() []int {
	return each.Of(r.references, func(one reference) int { return one.index })
}

// SMILES returns the SMILES of a support molecule, by its index in the order of a model.
func (b *Builder) SMILES(index int) string { return b.support[index].SMILES }

// Contrast states what differs between a molecule and its references, whose explanations by the same model are given.
func (b *Builder) Contrast(ctx context.Context, r *Reasons, of func(index int) *model.Explanation) error {
	for _, one := range r.references {
		c, err := b.contrast(ctx, r, &one, of(one.index))
		if err != nil {
			return fmt.Errorf("%s beside %s: %w", r.SMILES, b.support[one.index].SMILES, err)
		}
		r.Contrasts = append(r.Contrasts, c)
	}
	r.structure, r.environments, r.references = nil, nil, nil
	return nil
}

func (b *Builder) contrast(ctx context.Context, q *Reasons, with *reference, e *model.Explanation) (c Contrast, err error) {
	other, err := b.read(ctx, with.index)
	if err != nil {
		return c, err
	}
	support := b.support[with.index]
	c = Contrast{Name: support.Name, SMILES: support.SMILES, Active: support.Active, LogOdds: e.LogOdds + b.prior}
	c.Difference = q.LogOdds - c.LogOdds
	c.Parts = differences(q, e)
	all := changesOf(&q.structure.graph, &other.graph, &with.alignment)
	if theirs := other.divided(e.Bits); theirs != nil && q.environments != nil {
		here, there := sharedEnvironments(q.structure, other, with)
		all.credit(q.structure.environments, q.environments, here, all.here, 1)
		all.credit(other.environments, theirs, there, all.there, -1)
	}
	c.Changes = all.divide(c.Difference)
	var core []int32
	for x := range int32(q.structure.atoms) {
		if with.core(&q.structure.graph, &other.graph, x) {
			core = append(core, x)
		}
	}
	if c.Core, err = name(ctx, q.structure, other, core, c.Changes); err != nil {
		return c, err
	}
	c.Here, c.There = pictures(q.structure, other, c.Changes)
	return c, b.orient(ctx, &c, q.structure, with)
}

// differences returns the parts of the difference of the log-odds.
func differences(q *Reasons, e *model.Explanation) (all []model.Part) {
	at := map[string]int{}
	add := func(parts []model.Part, sign float64) {
		for _, p := range parts {
			i, met := at[p.Name]
			if !met {
				i = len(all)
				at[p.Name], all = i, append(all, model.Part{Name: p.Name})
			}
			all[i].Share += sign * p.Share
		}
	}
	if len(q.Parts) > 0 {
		add(append(slices.Clone(q.Parts), model.Part{Name: "in any assay", Share: q.AnyAssay}), 1)
		add(append(slices.Clone(e.Parts), model.Part{Name: "in any assay", Share: e.Rest}), -1)
	}
	return all
}

// sharedEnvironments returns functions that report whether an environment of q, or of r, is in the other molecule at the same
// place.
func sharedEnvironments(q, r *structure, m *reference) (here, there func(int) bool) {
	type place struct {
		name  uint32
		atoms string
	}
	placed := func(name uint32, atoms []int32) place {
		slices.Sort(atoms)
		var list []byte
		for _, a := range atoms {
			list = binary.LittleEndian.AppendUint32(list, uint32(a))
		}
		return place{name, string(list)}
	}
	inR := make(map[place]int, len(r.environments))
	for i, e := range r.environments {
		inR[placed(e.Name, slices.Clone(e.Atoms))] = i
	}
	inQ, both := make([]bool, len(q.environments)), make([]bool, len(r.environments))
	for i, e := range q.environments {
		onto := each.Of(e.Atoms, func(x int32) int32 { return m.onto[x] })
		if j, found := inR[placed(e.Name, onto)]; found && !slices.Contains(onto, -1) {
			inQ[i], both[j] = true, true
		}
	}
	return func(i int) bool { return inQ[i] }, func(i int) bool { return both[i] }
}

// pictures returns the pictures of both molecules, without their orientation. A change that raises the score of q
// is one that lowers it in r.
func pictures(q, r *structure, all []Change) (here, there Picture) {
	here = Picture{Shares: make([]*float64, q.atoms), Notes: make([]int32, q.atoms)}
	there = Picture{Shares: make([]*float64, r.atoms), Notes: make([]int32, r.atoms)}
	for _, c := range all {
		up, down := c.Share, -c.Share
		for _, a := range c.Atoms {
			here.Shares[a] = &up
		}
		for _, a := range c.AtomsThere {
			there.Shares[a] = &down
		}
		for _, s := range c.sites {
			here.Notes[s.here], there.Notes[s.there] = s.number, s.number
			if len(c.Atoms) == 0 {
				here.Shares[s.here] = &up
			}
			if len(c.AtomsThere) == 0 {
				there.Shares[s.there] = &down
			}
		}
	}
	return here, there
}
