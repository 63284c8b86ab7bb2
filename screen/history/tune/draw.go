package tune

import (
	"cmp"
	"hash/fnv"
	"slices"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Legend: n molecules of a trial, A past assays.

// Molecules of a trial. Actives are drawn more often than they are in most assays, as few of them measure nothing.
const (
	ofSupport       = 16
	activeQueries   = 16
	inactiveQueries = 48
	fewest          = 3 // of each class, in the support set and among the queries
)

// Most is the number of trials that a model keeps, those of the assays whose names have the smallest hashes: so it does not matter in
// which order assays were added. Up to that number of assays, forgetting one leaves what there was without it.
const Most = 512

// Trial is a past assay as a model without past assays compares its molecules.
type Trial struct {
	Assay string   // of File: NAME
	Keys  []uint64 // [n] of the molecules
	model.Trial
}

// nameOf returns the name of an assay among those of all files.
func nameOf(a *past.Assay) string { return a.File + ": " + a.Name }

// hash returns a hash of an assay's name.
func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return ops.MixBits(h.Sum64())
}

// first returns the assays with the smallest hashes, at most Most, in their order.
func first[T any](all []T, name func(*T) string) []T {
	slices.SortFunc(all, func(a, b T) int {
		return cmp.Or(cmp.Compare(hash(name(&a)), hash(name(&b))), cmp.Compare(name(&a), name(&b)))
	})
	return all[:min(len(all), Most)]
}

// Joined returns the trials of two memories, but at most Most. Of an assay of both, that of added counts, or none.
func Joined(former, added []Trial, of *past.Memory) []Trial {
	rest, _ := parted(former, of)
	return first(append(rest, added...), func(t *Trial) string { return t.Assay })
}

// Counting returns the trials of the past assays of m.
func Counting(trials []Trial, m *past.Memory) []Trial {
	_, counting := parted(trials, m)
	return counting
}

// parted divides trials into those of other past assays than m has, and of these.
func parted(trials []Trial, m *past.Memory) (others, these []Trial) {
	has := each.Pairs(m.Assays, func(a past.Assay) (string, bool) { return nameOf(&a), true })
	for _, t := range trials {
		if has[t.Assay] {
			these = append(these, t)
		} else {
			others = append(others, t)
		}
	}
	return others, these
}

// draw is the molecules of a trial, which depend on the labels of its assay and on its name alone.
type draw struct {
	name string
	seed uint64
	of   [2][]placed // of each class, the first ones in their order
}

// placed is a molecule with its place in the order of the draw.
type placed struct{ at, key uint64 }

// drawn returns the draws of the assays in m that have trials.
func drawn(m *past.Memory) []draw {
	large := each.If(m.Assays, func(a past.Assay) bool { return min(shots(a.Molecules-a.Actives, a.Actives)) >= fewest })
	names := first(each.Of(large, func(a past.Assay) string { return nameOf(&a) }), func(name *string) string { return *name })
	place := each.Pairs(each.Order[int](len(names)), func(i int) (string, int) { return names[i], i })
	draws := each.Of(names, func(name string) draw { return draw{name: name, seed: hash(name)} })
	parts, assays := past.PartsOf([]*past.Memory{m}, nil)
	var labels []past.Label
	for _, key := range m.Keys() {
		for _, l := range parts[0].Append(labels[:0], key) {
			if i, has := place[nameOf(assays[l.Assay])]; has {
				draws[i].add(key, l.Active)
			}
		}
	}
	return draws
}

// enough is the number of molecules of a class that a trial may have.
const enough = ofSupport + inactiveQueries

// add adds a molecule, unless enough others of its class come first.
func (d *draw) add(key uint64, active bool) {
	class := 0
	if active {
		class = 1
	}
	of := append(d.of[class], placed{ops.MixBits(d.seed ^ key), key})
	if len(of) >= 4*enough {
		of = ordered(of)[:enough]
	}
	d.of[class] = of
}

func ordered(of []placed) []placed {
	slices.SortFunc(of, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	return of
}

// shots returns how many molecules of each class are in the support set of an assay: at most half of them.
func shots(inactive, active int) (ofInactive, ofActive int) {
	ofInactive = min(ofSupport/2, inactive/2)
	ofActive = min(ofSupport-ofInactive, active/2)
	return min(ofSupport-ofActive, inactive/2), ofActive
}

// molecules returns the keys of the support set and of the queries with their labels, in each inactive ones first.
func (d *draw) molecules() (support, queries labelled) {
	var counts [2]int
	counts[0], counts[1] = shots(len(d.of[0]), len(d.of[1]))
	for class, most := range []int{inactiveQueries, activeQueries} {
		of, n := ordered(d.of[class]), counts[class]
		support.add(of[:n], class)
		queries.add(of[n:min(len(of), n+most)], class)
	}
	return support, queries
}

// labelled are molecules with labels.
type labelled struct {
	keys   []uint64
	labels []uint8
}

func (l *labelled) add(of []placed, class int) {
	for _, m := range of {
		l.keys, l.labels = append(l.keys, m.key), append(l.labels, uint8(class))
	}
}
