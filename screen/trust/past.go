package trust

import (
	"strings"

	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/model/shared/counts"
)

// Past are past assays of a user. Nil has none.
type Past struct {
	Files  []string // their names
	Assays int
	Notes  []string // on them

	// Counts returns in how many assays a molecule with this fingerprint was measured, and in how many of these it was active.
	Counts func(bit, count []uint16) (measured, active int)
}

// PastFigures state how many molecules are in past assays.
type PastFigures struct {
	Assays  int `json:"assays"`
	Support int `json:"support"` // support molecules that are in one of them
	Library int `json:"library"` // molecules of the library that are

	Notes []string `json:"notes,omitempty"`
}

func (p *Past) of(v counts.Vector) (measured, active int32) {
	if p == nil {
		return 0, 0
	}
	m, a := p.Counts(v.Bit, v.Count)
	return int32(m), int32(a)
}

// measured returns the number of molecules that are in past assays.
func (p *Past) measured(v []counts.Vector) int {
	return each.Count(v, func(one counts.Vector) bool { n, _ := p.of(one); return n > 0 })
}

// Apart reports whether neither the support set nor the library has a molecule of the past assays, once the library is ranked.
func (p *Panel) Apart() bool { return p.past != nil && p.supportInPast+p.inPast == 0 }

// pastLines returns the lines of the panel about past assays.
func (p *Panel) pastLines() (lines [][2]string) {
	if p.past == nil {
		return nil
	}
	lines = append(lines, [2]string{"past assays", p.pastText()})
	for _, text := range p.past.Notes {
		lines = append(lines, [2]string{"", text})
	}
	return lines
}

// pastText states how many molecules are in past assays.
func (p *Panel) pastText() string {
	if p.Apart() && p.molecules > 0 {
		return "no molecule of the library or the support set is in " + strings.Join(p.past.Files, ", ") + ": nothing changes"
	}
	text := ui.Grouped(p.past.Assays) + "; " + ui.Grouped(p.supportInPast) + " of " + ui.Grouped(p.Support) + " support molecules"
	if p.molecules > 0 {
		text += " and " + ui.Grouped(p.inPast) + " of " + ui.Grouped(p.molecules) + " library molecules"
	}
	return text + " are in them"
}
