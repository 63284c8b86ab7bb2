package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// assembler puts fragments together at random:
//
//	ring     -> ring text with each slot filled by a branch or left as hydrogen
//	branch   -> linker + ring | group
type assembler struct{ rng *rand.Rand }

// firstAtom matches the first atom of a fragment with its ring closures.
var firstAtom = regexp.MustCompile(`^(\[[^]]*\]|[A-Za-z])[0-9]*`)

// Depths: the first ring has depth 0, a ring on its linker depth 1, and so on.
// Probability that a slot of a ring at that depth carries another ring, and
// that it carries a group instead; the rest stays hydrogen.
var (
	ringChance  = [...]float64{0.32, 0.0, 0}
	groupChance = [...]float64{0.58, 0.55, 0.90}
)

// molecule returns the SMILES text of a random molecule. RDKit may still
// refuse it, for instance where an aromatic ring has no Kekulé structure.
func (a *assembler) molecule() string {
	text := pick(a.rng, rings)
	// In the first ring the first atom is bound to nothing yet: it gets a slot.
	end := len(firstAtom.FindString(text))
	text = text[:end] + "(~)" + text[end:]
	return a.fill(text, 0, func() string { return a.branch(0) })
}

func (a *assembler) ring(depth int) string {
	return a.fill(pick(a.rng, rings), depth, func() string { return a.branch(depth) })
}

// branch returns what is attached to a slot of a ring at the given depth, or "".
func (a *assembler) branch(depth int) string {
	switch x := a.rng.Float64(); {
	case x < ringChance[depth]:
		return a.fill(pick(a.rng, linkers), depth, func() string { return a.ring(depth + 1) })
	case x < ringChance[depth]+groupChance[depth]:
		return a.fill(pick(a.rng, groups), depth+1, nil)
	}
	return ""
}

// fill writes the text of a fragment: ring closures renumbered for the depth,
// each slot replaced by what the function returns.
func (a *assembler) fill(text string, depth int, slot func() string) string {
	const perRing = 3 // ring closures that one fragment uses at most
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "(~)"):
			if s := slot(); s != "" {
				b.WriteString("(" + s + ")")
			}
			i += 2
		case c == '~':
			b.WriteString(slot())
		case '1' <= c && c <= '9':
			b.WriteString(closure(int(c-'0') + perRing*depth))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closure writes a ring closure number as SMILES does.
func closure(n int) string {
	if n > 9 {
		return "%" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// pick draws a fragment's text with the probability of its weight.
func pick(rng *rand.Rand, list []fragment) string {
	total := 0.0
	for _, f := range list {
		total += f.weight
	}
	x := rng.Float64() * total
	for _, f := range list {
		if x -= f.weight; x < 0 {
			return f.text
		}
	}
	return list[len(list)-1].text
}
