package main

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// perClass is how many molecules of a class a task measures at most.
const perClass = 250

// column is one task: the labels of the molecules that it measures.
type column struct {
	feature
	number int    // of the feature, in molecule.has
	absent bool   // active means that the molecule does not have the feature
	labels []int8 // by molecule: 0, 1, or -1 where it was not measured
}

func (c column) title() string {
	if c.absent {
		return "no_" + c.name
	}
	return c.name
}

// columns makes the tasks: each training feature as presence and as absence,
// then the test features, half of them as absence.
//
// Both directions of each training feature are there because otherwise the
// sign of each of so few features could be learnt by heart; so it can only be
// read from the support labels.
func columns(list []molecule) []column {
	rng := rand.New(rand.NewPCG(seed, 2))
	var cols []column
	for i, f := range trainingFeatures {
		for _, absent := range []bool{false, true} {
			cols = append(cols, measure(list, f, i, absent, rng))
		}
	}
	var held []column
	for i, f := range testFeatures {
		held = append(held, measure(list, f, len(trainingFeatures)+i, false, rng))
	}
	polarise(list, held)
	return append(cols, held...)
}

// measure chooses the molecules that a task measures: of each size as many
// with the feature as without, at random. With classes as they come, most of
// the loss of a rare feature could be got rid of by guessing the larger
// class, and size would tell many features.
func measure(list []molecule, f feature, number int, absent bool, rng *rand.Rand) column {
	c := column{feature: f, number: number, absent: absent, labels: make([]int8, len(list))}
	var bySize [maxHeavy + 1][2][]int
	for i, m := range list {
		c.labels[i] = -1
		rows := &bySize[int(m.values[heavyAtoms])][class(m.has[number] != absent)]
		*rows = append(*rows, i)
	}
	var pairs [][2]int // an inactive and an active molecule of one size
	for _, rows := range bySize {
		shuffle(rng, rows[0])
		shuffle(rng, rows[1])
		for i := range min(len(rows[0]), len(rows[1])) {
			pairs = append(pairs, [2]int{rows[0][i], rows[1][i]})
		}
	}
	shuffle(rng, pairs)
	for _, p := range pairs[:min(len(pairs), perClass)] {
		c.labels[p[0]], c.labels[p[1]] = 0, 1
	}
	return c
}

func shuffle[T any](rng *rand.Rand, s []T) {
	rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func class(active bool) int {
	if active {
		return 1
	}
	return 0
}

// globals are the simple scores that must not predict the held-out tasks.
var globals = []string{heavyAtoms, logP, tpsa}

// polarise turns half of the held-out tasks round: the half that leaves the
// mean ROC-AUC of the simple scores nearest to 0.5.
func polarise(list []molecule, held []column) {
	best, chosen := math.Inf(1), uint(0)
	for set := range uint(1) << len(held) {
		if bits.OnesCount(set) != len(held)/2 {
			continue
		}
		if worst := imbalance(list, held, set); worst < best {
			best, chosen = worst, set
		}
	}
	for i := range held {
		if chosen>>i&1 == 1 {
			held[i].turn()
		}
	}
}

func (c *column) turn() {
	c.absent = !c.absent
	for i, l := range c.labels {
		if l >= 0 {
			c.labels[i] = 1 - l
		}
	}
}

// imbalance is the largest distance of a simple score's mean ROC-AUC from 0.5
// when the tasks of the set are turned round.
func imbalance(list []molecule, held []column, set uint) float64 {
	worst := 0.0
	for _, d := range globals {
		sum := 0.0
		for i, c := range held {
			a := c.auc(func(row int) float64 { return list[row].values[d] })
			if set>>i&1 == 1 {
				a = 1 - a
			}
			sum += a
		}
		worst = max(worst, math.Abs(sum/float64(len(held))-0.5))
	}
	return worst
}

// auc is the ROC-AUC of a score on the task's molecules; ties count half.
func (c column) auc(score func(row int) float64) float64 {
	var by [2][]float64
	for row, l := range c.labels {
		if l >= 0 {
			by[l] = append(by[l], score(row))
		}
	}
	slices.Sort(by[0])
	wins := 0.0
	for _, s := range by[1] {
		below, _ := slices.BinarySearch(by[0], s)
		upTo, _ := slices.BinarySearch(by[0], math.Nextafter(s, math.Inf(1)))
		wins += float64(below+upTo) / 2
	}
	return wins / float64(len(by[0])*len(by[1]))
}
