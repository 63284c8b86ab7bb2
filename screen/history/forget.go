package history

import (
	"path/filepath"
	"slices"

	"pacia/data/assay"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model/shared/past"
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
	for _, name := range names {
		if !found[name] && slices.Contains(p.ambiguous(), name) {
			return nil, &badinput.Error{What: "--forget: several files have an assay " + badinput.Quote(name), Fix: "write FILE: NAME, as --list does"}
		}
	}
	if unknown := each.If(names, func(name string) bool { return !found[name] }); len(unknown) > 0 {
		return nil, &badinput.Error{What: "--forget: the model knows no past assay " + badinput.List(unknown), Fix: "write a name of --list; it has " + assay.FirstNames(known)}
	}
	return rest, nil
}

// Add returns past assays with those that were read after them. A file with the same assays as one before, perhaps of another name,
// counts once. Otherwise, of two assays of one file and name the one that was read counts: replaced is their number.
func (p *Past) Add(read *Past) (all *Past, replaced int) {
	if p == nil {
		return read, 0
	}
	all = p.copy()
	all.files, all.memories = read.files, slices.Concat(p.memories, read.memories)
	for at := range read.absent {
		all.absent[place{at.memory + len(p.memories), at.assay}] = true
	}
	for i, m := range read.memories {
		if p.knows(m) {
			for a := range m.Assays {
				all.absent[place{len(p.memories) + i, a}] = true
			}
			read.files[i].Notes = append(read.files[i].Notes, "the model knows all of its past assays already")
			continue
		}
		replaced += all.replace(p, read.files[i], m)
	}
	return all, replaced
}

// replace leaves out the assays of p that are also in a file with this memory, and returns their number.
func (p *Past) replace(of *Past, f *file, by *past.Memory) (replaced int) {
	names := each.Pairs(by.Assays, func(a past.Assay) (string, bool) { return a.Name, true })
	for _, name := range f.apart {
		names[name] = true
	}
	for i, m := range of.memories {
		for n, a := range m.Assays {
			if at := (place{i, n}); !p.absent[at] && names[a.Name] && a.File == filepath.Base(f.File) {
				p.absent[at] = true
				replaced++
			}
		}
	}
	return replaced
}

// knows reports whether the assays of a file that was read are those of one file that p has.
func (p *Past) knows(read *past.Memory) bool {
	of := map[string][]past.Assay{}
	for i, m := range p.memories {
		for n, a := range m.Assays {
			if !p.absent[place{i, n}] {
				of[a.File] = append(of[a.File], bare(a))
			}
		}
	}
	wanted := each.Of(read.Assays, bare)
	for _, assays := range of {
		if slices.Equal(assays, wanted) {
			return true
		}
	}
	return false
}

// bare returns an assay without its file and date. Its sums tell it from others.
func bare(a past.Assay) past.Assay {
	a.File, a.Added = "", ""
	return a
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
