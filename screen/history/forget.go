package history

import (
	"path/filepath"
	"slices"

	"pacia/data/assay"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Forget returns past assays without those of these names, as Assays has them, or of files of these names.
func (p *Past) Forget(names []string) (*Past, error) {
	if len(names) == 0 {
		return p, nil
	}
	if p == nil {
		return nil, &badinput.Error{What: "--forget: the model knows no past assays", Fix: "name the model that does by --checkpoint"}
	}
	known, found := p.Assays(), map[string]bool{}
	rest, n := p.copy(), 0
	for i, m := range p.memories {
		for a := range m.Assays {
			at := place{i, a}
			if p.absent[at] {
				continue
			}
			for _, name := range names {
				if name == known[n] || name == m.Assays[a].File && !slices.Contains(known, name) {
					rest.absent[at], found[name] = true, true
				}
			}
			n++
		}
	}
	if unknown := each.If(names, func(name string) bool { return !found[name] }); len(unknown) > 0 {
		return nil, &badinput.Error{What: "--forget: the model knows no past assay " + badinput.List(unknown), Fix: "write a name of --list; it has " + assay.FirstNames(known)}
	}
	return rest, nil
}

// Add returns past assays with those that were read after them. Of two assays of one file and name, the one that was read counts:
// replaced is their number.
func (p *Past) Add(read *Past) (all *Past, replaced int) {
	if p == nil {
		return read, 0
	}
	all = p.copy()
	all.files, all.memories = read.files, slices.Concat(p.memories, read.memories)
	for i, m := range p.memories {
		for a := range m.Assays {
			if !p.absent[place{i, a}] && read.has(m.Assays[a].File, m.Assays[a].Name) {
				all.absent[place{i, a}] = true
				replaced++
			}
		}
	}
	for at := range read.absent {
		all.absent[place{at.memory + len(p.memories), at.assay}] = true
	}
	return all, replaced
}

// has reports whether an assay is of this file and name.
func (p *Past) has(file, name string) bool {
	for _, m := range p.memories {
		for _, a := range m.Assays {
			if a.File == file && a.Name == name {
				return true
			}
		}
	}
	return false
}

// twice returns an error if assays of two files have one name, and the files too: they could not be told apart.
func (p *Past) twice() error {
	type identity struct{ file, name string }
	of := map[identity]int{}
	for i, m := range p.memories {
		for _, a := range m.Assays {
			if first, known := of[identity{a.File, a.Name}]; known && first != i {
				return &badinput.Error{File: p.files[i].File, What: "it and " + badinput.Path(p.files[first].File) + " both have the assay " + badinput.Quote(a.Name) +
					", and are both called " + filepath.Base(a.File), Fix: "rename one of the files"}
			}
			of[identity{a.File, a.Name}] = i
		}
	}
	return nil
}

func (p *Past) copy() *Past {
	c := &Past{files: p.files, memories: p.memories, absent: map[place]bool{}}
	for at := range p.absent {
		c.absent[at] = true
	}
	return c
}
