package history

import (
	"slices"

	"pacia/internal/each"
	"pacia/model/shared/past"
)

// With returns past assays with those that models hold, which come first. Memories of the same assays count once.
func (p *Past) With(held ...*past.Memory) *Past {
	all := new(Past)
	for _, m := range held {
		if m != nil && !slices.ContainsFunc(all.memories, func(of *past.Memory) bool { return slices.Equal(of.Assays, m.Assays) }) {
			all.memories = append(all.memories, m)
		}
	}
	if len(all.memories) == 0 {
		return p
	}
	if p == nil {
		return all
	}
	all, _ = all.Add(p)
	return all
}

// Files returns what was read of each file.
func (p *Past) Files() []Read {
	if p == nil {
		return nil
	}
	return each.Of(p.files, func(f *file) Read { return f.Read })
}

// counting returns the parts of the memories that count, and their assays.
func (p *Past) counting() ([]past.Part, []*past.Assay) {
	return past.PartsOf(p.memories, func(memory, assay int) bool { return p.absent[place{memory, assay}] })
}

// Memory returns one memory of all past assays that count.
func (p *Past) Memory() *past.Memory {
	parts, _ := p.counting()
	return past.Compose(parts)
}

// Molecules returns the number of molecules in the past assays that count.
func (p *Past) Molecules() int {
	parts, _ := p.counting()
	return past.Molecules(parts)
}

// Assays returns the names of the past assays, in the order in which models have them. Assays of one name in several files are called
// FILE: NAME.
func (p *Past) Assays() (names []string) {
	if p == nil {
		return nil
	}
	_, assays := p.counting()
	several := p.ambiguous()
	return each.Of(assays, func(a *past.Assay) string {
		if slices.Contains(several, a.Name) {
			return a.File + ": " + a.Name
		}
		return a.Name
	})
}

// ambiguous returns the names of assays that are in several files, in the order of the files.
func (p *Past) ambiguous() (names []string) {
	in := map[string]string{} // the first file of each name
	for i, m := range p.memories {
		for n, a := range m.Assays {
			if p.absent[place{i, n}] {
				continue
			}
			if first, known := in[a.Name]; known && first != a.File && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			} else if !known {
				in[a.Name] = a.File
			}
		}
	}
	return names
}
