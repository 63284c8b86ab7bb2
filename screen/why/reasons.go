package why

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"pacia/data/source/fsmol/targets"
	"pacia/internal/each"
	"pacia/model"
)

// Legend: N support molecules, A atoms of a molecule.

// Reasons explains the log-odds of a molecule as a sum.
//
//	LogOdds = Σ Neighbors' shares + Others + AnyAssay + Prior,  Fingerprints = Σ Atoms
type Reasons struct {
	SMILES       string       `json:"smiles"`          // as the model reads the molecule
	LogOdds      float64      `json:"log_odds"`        // of being active, as the probability states them
	Neighbors    []Neighbor   `json:"neighbors"`       // support molecules with the largest absolute shares, in descending order
	Others       float64      `json:"others"`          // sum of the shares of all other support molecules
	AnyAssay     float64      `json:"any_assay"`       // log-odds without the support molecules
	Prior        float64      `json:"prior,omitempty"` // of another share of actives in the library than in the support set
	Fingerprints float64      `json:"fingerprints"`    // the part of the shares due to fingerprints
	Atoms        []float64    `json:"atoms"`           // [A] shares of atoms, in the order of SMILES
	Parts        []model.Part `json:"parts,omitempty"` // shares of the kernel's parts, if it has several, fingerprints among them
	Known        *Known       `json:"known,omitempty"`
	Past         *Past        `json:"past,omitempty"`
	Contrasts    []Contrast   `json:"contrasts,omitempty"` // beside an inactive and an active molecule with the same core

	structure    *structure  // until Contrast, as the following ones
	environments []float64   // shares of the molecule's environments
	references   []reference // of the contrasts
}

// A Neighbor is a support molecule.
type Neighbor struct {
	Name        string  `json:"name,omitempty"`
	SMILES      string  `json:"smiles"`
	Active      bool    `json:"active"`
	Share       float64 `json:"share"`
	Common      []int32 `json:"common"`       // atoms of the ranked molecule in environments that both have
	CommonThere []int32 `json:"common_there"` // atoms of the neighbor in these environments
	Atoms       int     `json:"atoms"`        // number of atoms of the neighbor
}

// Known holds the labels that a molecule has in the model's training assays.
type Known struct {
	Active   int      `json:"active"` // number of assays in which it is active
	Inactive int      `json:"inactive"`
	Targets  []Target `json:"targets"` // in descending order of Active
}

// A Target is a class of proteins or, if the class is not known, an assay.
type Target struct {
	Name   string `json:"name"`
	Active int    `json:"active"` // number of assays in which the molecule is active
	Assays int    `json:"assays"`
}

// MaxExplained is the maximum number of molecules that are explained.
const MaxExplained = 1000

// nearest is the maximum number of neighbors: a usual support set is listed as a whole.
const nearest = 20

// A Builder makes Reasons from a model's explanations. Several goroutines may use it.
type Builder struct {
	support []Neighbor // [N] names, SMILES and labels, in the order of an explanation's shares
	tasks   []string   // names of the model's training tasks
	past    []string   // names of a user's past assays
	prior   float64    // added to all log-odds

	mu        sync.Mutex
	known     map[int]*structure // support molecules that were read
	templates map[int]template   // of support molecules
}

// NewBuilder returns a Builder for a support set of N molecules, with SMILES as the model reads them. A model has
// inactive molecules first, whatever their order here. prior is the shift of all log-odds to the share of actives
// in the library.
func NewBuilder(smiles, names []string, labels []uint8, tasks []string, prior float64) *Builder {
	b := &Builder{tasks: tasks, prior: prior, known: map[int]*structure{}, templates: map[int]template{}}
	for label := range uint8(2) {
		for i, l := range labels {
			if l == label {
				b.support = append(b.support, Neighbor{Name: names[i], SMILES: smiles[i], Active: l == 1})
			}
		}
	}
	return b
}

// Reasons returns the reasons for the score of a molecule, without contrasts.
func (b *Builder) Reasons(ctx context.Context, smiles string, e *model.Explanation) (*Reasons, error) {
	r := &Reasons{SMILES: smiles, LogOdds: e.LogOdds + b.prior, AnyAssay: e.Rest, Prior: b.prior, Parts: e.Parts, Known: b.knownOf(e.Known), Past: b.pastOf(e)}
	for _, share := range e.Bits {
		r.Fingerprints += share
	}
	m, err := moleculeOf(ctx, smiles)
	if err != nil {
		return nil, err
	}
	r.structure, r.environments = &m, m.divided(e.Bits)
	r.Atoms = m.shares(r.environments)
	order := each.Order[int](len(e.Support))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(e.Support[j]), math.Abs(e.Support[i])) })
	for place, i := range order {
		if place >= nearest || e.Support[i] == 0 {
			r.Others += e.Support[i]
			continue
		}
		other, err := b.read(ctx, i)
		if err != nil {
			return nil, err
		}
		n := b.support[i]
		n.Share, n.Common, n.CommonThere, n.Atoms = e.Support[i], m.common(other), other.common(&m), other.atoms
		r.Neighbors = append(r.Neighbors, n)
	}
	r.references, err = b.references(ctx, &m, order)
	return r, err
}

// read returns support molecule i, which is usually read only once.
func (b *Builder) read(ctx context.Context, i int) (*structure, error) {
	b.mu.Lock()
	m := b.known[i]
	b.mu.Unlock()
	if m != nil {
		return m, nil
	}
	read, err := moleculeOf(ctx, b.support[i].SMILES)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known[i] = &read
	return &read, nil
}

func (b *Builder) knownOf(labels []model.KnownLabel) *Known {
	if len(labels) == 0 {
		return nil
	}
	k := &Known{}
	at := map[string]int{}
	for _, l := range labels {
		name := fmt.Sprint("training task ", l.Task)
		if int(l.Task) < len(b.tasks) {
			name = cmp.Or(targets.ClassOf(b.tasks[l.Task]), b.tasks[l.Task])
		}
		i, met := at[name]
		if !met {
			i = len(k.Targets)
			at[name], k.Targets = i, append(k.Targets, Target{Name: name})
		}
		k.Targets[i].Assays++
		if l.Active {
			k.Targets[i].Active++
			k.Active++
		} else {
			k.Inactive++
		}
	}
	slices.SortFunc(k.Targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(b.Active, a.Active), cmp.Compare(a.Assays, b.Assays), cmp.Compare(a.Name, b.Name))
	})
	return k
}
