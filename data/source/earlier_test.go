package source

import (
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// earlier returns a store of a data set in the layout of version 5 or 6: vectors come first, and the header has what
// named arrays there are.
func earlier(t *testing.T, d *data.Dataset, version uint32) []byte {
	t.Helper()
	h, all, err := arraysOf(d)
	if err != nil {
		t.Fatal(err)
	}
	h.Magic, h.Version, h.Key = storeMagic, version, storeID{1}
	s := d.Store.(*molecule.Store).Arrays()
	h.Values, h.Places = int64(len(s.Named.Floats(molecule.Descriptors))), int64(len(s.Named.Floats(molecule.Places)))
	h.Features = uint32(s.Named.Array(molecule.Features).Width)
	var c contents
	for _, a := range []molecule.Field{molecule.Descriptors, molecule.Places, molecule.Features, molecule.Embeddings} {
		if one := s.Named.Array(a); len(one.Floats)+len(one.Bytes) > 0 {
			c.store.Named = append(c.store.Named, one)
		}
	}
	// The order of the old layout, written out: it must not change with that of this version.
	raws := map[int][]byte{}
	for i, a := range all {
		raws[i] = a.raw()
	}
	floats := func(f molecule.Field) []byte { return raw(s.Named.Floats(f)) }
	n := len(all)
	rest := slices.Concat(raws[0], raw(s.MolPtr), raw(s.EdgePtr), raw(s.RowPtr), raws[4], raw(s.Fingerprints.Ptr),
		floats(molecule.Descriptors), floats(molecule.Places), raw(s.Col), raw(s.Fingerprints.Bit), raw(s.Fingerprints.Count),
		s.Atoms, s.Named.Array(molecule.Features).Bytes, s.Bonds, raws[n-2], raws[n-1])
	rest = slices.Concat(floats(molecule.Embeddings), rest)
	h.Sum = crc32.Checksum(rest, castagnoli)
	return slices.Concat(h.bytes(), rest)
}

// TestEarlierStores: stores of versions 5 and 6 are read, with descriptors, coordinates, features and vectors. Damaged
// ones are refused.
func TestEarlierStores(t *testing.T) {
	smiles := []string{"CCO", "c1ccccc1N", "C"}
	for name, form := range map[string]molecule.Featurizer{
		"graphs": {}, "space": molecule.InSpace(true), "descriptors": molecule.GraphsAndFingerprints().Described(),
		"vectors": molecule.FingerprintsOnly().With(lengths), "all": molecule.InSpace(true).Described().With(lengths),
	} {
		version := uint32(oldestVersion)
		if form.Makes(molecule.Embeddings) {
			version = embeddedVersion
		}
		m, _, _ := form.ParseSMILES(t.Context(), smiles, 1)
		d := &data.Dataset{Store: m, Tasks: []data.Task{{Name: "T", Rows: []int32{0, 2}, Labels: []uint8{1, 0}}}}
		b := earlier(t, d, version)
		got, err := parseStore(b, storeID{1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		of := func(m molecule.List) *data.Batch {
			b, err := data.AssembleQueries(m, []int32{2, 0, 1})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		want, have := of(m), of(got.Store)
		for _, f := range []molecule.Field{molecule.Features, molecule.Places, molecule.Descriptors, molecule.Embeddings} {
			if !slices.Equal(raw(have.Floats(f)), raw(want.Floats(f))) {
				t.Errorf("%s: other %s", name, f.Name)
			}
		}
		if !slices.Equal(have.Atoms, want.Atoms) || !slices.Equal(have.Bond, want.Bond) || !slices.Equal(have.Fingerprints.Count, want.Fingerprints.Count) {
			t.Errorf("%s: other graphs", name)
		}
	}
}

// TestHostileStores: a header or fields that do not go with the length of a file are refused, also with checksums that fit.
func TestHostileStores(t *testing.T) {
	m, _, _ := molecule.InSpace(true).ParseSMILES(t.Context(), []string{"CCO", "CCN"}, 1)
	d := &data.Dataset{Store: m}
	for want, spoil := range map[string]func(*fileHeader, *string){
		"fewer than its arrays": func(h *fileHeader, _ *string) { h.Atoms = 1 << 62 },
		"more than its arrays":  func(h *fileHeader, _ *string) { h.Edges -= 2 },
		"and texts of":          func(h *fileHeader, _ *string) { h.Notes = 1 << 40 },
		"has kind 1, 0 numbers in a row": func(_ *fileHeader, text *string) {
			*text = strings.Replace(*text, `"kind":0,"width":3`, `"kind":1,"width":0`, 1)
		},
		"has kind 0, 3 numbers in a row": func(_ *fileHeader, text *string) { *text = strings.Replace(*text, `"per":0`, `"per":9`, 1) },
	} {
		h, all, err := arraysOf(d)
		if err != nil {
			t.Fatal(err)
		}
		var rest []byte
		for _, a := range all[:len(all)-1] {
			rest = append(rest, a.raw()...)
		}
		text := string(all[len(all)-1].raw())
		text = strings.Replace(text, `{"name":"features","per":0,"kind":2,"width":27},`, "", 1)
		h.Magic, h.Key = storeMagic, storeID{1}
		spoil(&h, &text)
		if h.Notes < 1<<40 {
			h.Notes = int64(len(text))
		}
		rest = append(rest, text...)
		h.Sum = crc32.Checksum(rest, castagnoli)
		if _, err := parseStore(slices.Concat(h.bytes(), rest), storeID{1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error %v does not contain %q", err, want)
		}
	}
}

// TestValuesAreStored: measured values are read back, also where tasks have none. A header with another number of them is
// refused.
func TestValuesAreStored(t *testing.T) {
	m, _, _ := molecule.FingerprintsOnly().ParseSMILES(t.Context(), []string{"CCO", "CCN", "C"}, 1)
	d := &data.Dataset{Store: m, Tasks: []data.Task{
		{Name: "labels", Rows: []int32{0, 2}, Labels: []uint8{1, 0}},
		{Name: "values", Rows: []int32{2, 1, 0}, Labels: []uint8{1, 0, 0}, Values: []data.Measured{{Value: 7.25}, {Value: math.NaN()}, {Value: -1e-3}}},
	}}
	h, all, err := arraysOf(d)
	if err != nil {
		t.Fatal(err)
	}
	var rest []byte
	for _, a := range all {
		rest = append(rest, a.raw()...)
	}
	h.Magic, h.Key, h.Sum = storeMagic, storeID{1}, crc32.Checksum(rest, castagnoli)
	got, err := parseStore(slices.Concat(h.bytes(), rest), storeID{1})
	if err != nil {
		t.Fatal(err)
	}
	if v := got.Tasks[1].Values; got.Tasks[0].Values != nil || len(v) != 3 || v[0].Value != 7.25 || !math.IsNaN(v[1].Value) || v[2].Value != -1e-3 {
		t.Errorf("values %v and %v", got.Tasks[0].Values, v)
	}
	h.Values--
	if _, err := parseStore(slices.Concat(h.bytes(), rest), storeID{1}); err == nil || !strings.Contains(err.Error(), "4 values of 5 labels") {
		t.Errorf("another number of values: %v", err)
	}
	d.Tasks = d.Tasks[:1]
	if h, _, err = arraysOf(d); err != nil || h.Version != namedVersion {
		t.Errorf("without values: version %d, %v", h.Version, err)
	}
}
