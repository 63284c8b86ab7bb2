package page

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"

	"pacia/data/molecule"
	"pacia/model/shared/counts"
)

// mostSupport is the maximum number of support molecules in the plane. Of a larger support set, every k-th
// molecule is shown.
const mostSupport = 200

// Size of the picture in its own units.
const planeSide, planeMargin = 460, 16

// Kinds of points, distinguished by shape and by colour.
const (
	kindRow      = "row"
	kindPick     = "pick"
	kindInactive = "inactive"
	kindActive   = "active"
)

// plane is an arrangement of molecules in which similar ones are near each other.
type plane struct {
	Side      float64
	Points    []point
	Held      float64         // share of the squared distances that two dimensions preserve, in per cent
	Has       map[string]bool // kinds that occur
	Truncated bool            // only a part of the support set is shown
}

// point is the place of a molecule.
type point struct {
	X, Y float64
	Kind string
	Name string
	Rank int // 0: a support molecule
}

// planeOf arranges the support set, the rows and the picks by classical scaling (Torgerson
// 1952) of the distances √(1 − T), with T the Tanimoto coefficient. T is a positive
// semidefinite kernel, so these are distances of points in a Euclidean space; the plane is the one in which
// the points vary most. It returns nil if fewer than three molecules differ.
func planeOf(ctx context.Context, p *Page) (*plane, error) {
	var smiles []string
	var points []point
	add := func(m Molecule, kind string, rank int) {
		name := cmp.Or(m.Name, m.SMILES)
		smiles, points = append(smiles, m.SMILES), append(points, point{Kind: kind, Name: name, Rank: rank})
	}
	for _, r := range p.Rows {
		if r.Pick == 0 {
			add(r.Molecule, kindRow, r.Rank)
		}
	}
	for _, r := range p.Picks {
		add(r.Molecule, kindPick, r.Rank)
	}
	every := (len(p.Support) + mostSupport - 1) / mostSupport
	for i, m := range p.Support {
		if i%max(1, every) == 0 {
			kind := kindInactive
			if m.Active {
				kind = kindActive
			}
			add(m, kind, 0)
		}
	}
	v, points, err := vectors(ctx, smiles, points)
	if err != nil || len(v) < 3 {
		return nil, err
	}
	var places mat.Dense
	k, eigen := mds.TorgersonScaling(&places, make([]float64, len(v)), distances(v))
	if k < 2 {
		return nil, nil
	}
	all := &plane{Side: planeSide, Points: points, Has: map[string]bool{}, Truncated: every > 1}
	sum := 0.0
	for _, e := range eigen {
		sum += math.Max(0, e)
	}
	all.Held = 100 * (eigen[0] + eigen[1]) / sum
	all.place(&places)
	for _, q := range points {
		all.Has[q.Kind] = true
	}
	return all, nil
}

// vectors returns the fingerprints of the molecules that can be read, and their points.
func vectors(ctx context.Context, smiles []string, points []point) ([]counts.Vector, []point, error) {
	store, rows, _ := molecule.FingerprintsOnly().ParseSMILES(ctx, smiles, 0)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	prints, _ := molecule.FingerprintsOf(store)
	var v []counts.Vector
	var kept []point
	for i, row := range rows {
		if row >= 0 {
			bit, count := prints.At(int(row))
			v, kept = append(v, counts.Vector{Bit: bit, Count: count}), append(kept, points[i])
		}
	}
	return v, kept, nil
}

func distances(v []counts.Vector) *mat.SymDense {
	d, like, index := mat.NewSymDense(len(v), nil), make([]float64, len(v)), counts.NewIndex(v)
	for i, one := range v {
		index.Tanimoto(one, like)
		for j := range i {
			d.SetSym(i, j, math.Sqrt(math.Max(0, 1-like[j])))
		}
	}
	return d
}

// place sets the coordinates of the points. Both axes have the same scale, the largest that fits the picture.
// Actives are to the right of inactives on average: the orientation of the plane is arbitrary.
func (p *plane) place(places *mat.Dense) {
	var middle, of [2]float64
	for i, q := range p.Points {
		if q.Rank == 0 {
			class := 0
			if q.Kind == kindActive {
				class = 1
			}
			middle[class], of[class] = middle[class]+places.At(i, 0), of[class]+1
		}
	}
	turn := 1.0
	if middle[1]/math.Max(1, of[1]) < middle[0]/math.Max(1, of[0]) {
		turn = -1
	}
	var low, high [2]float64
	for i := range p.Points {
		for c := range 2 {
			v := places.At(i, c)
			if i == 0 {
				low[c], high[c] = v, v
			}
			low[c], high[c] = math.Min(low[c], v), math.Max(high[c], v)
		}
	}
	wide := math.Max(1e-9, math.Max(high[0]-low[0], high[1]-low[1]))
	scale := (planeSide - 2*planeMargin) / wide
	for i := range p.Points {
		p.Points[i].X = planeSide/2 + turn*scale*(places.At(i, 0)-(low[0]+high[0])/2)
		p.Points[i].Y = planeSide/2 + scale*(places.At(i, 1)-(low[1]+high[1])/2)
	}
}
