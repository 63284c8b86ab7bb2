package rdkit

import (
	"fmt"
	"slices"
	"testing"
)

// TestFragments: parts of a molecule have attachment points beside them, and numbers on their own atoms.
func TestFragments(t *testing.T) {
	const smiles = "COc1ccc2[nH]cnc2c1" // C0 O1 c2 c3 c4 c5 n6 c7 n8 c9 c10
	got, err := Fragments(t.Context(), smiles, []Fragment{
		{Atoms: []int32{0, 1}, At: []int32{2}, Labels: []int32{1}},
		{Atoms: []int32{2, 3, 4, 5, 6, 7, 8, 9, 10}, At: []int32{2}, Labels: []int32{1}},
		{Atoms: []int32{6, 7, 8}, At: []int32{5, 9}, Labels: []int32{2, 3}},
		{Atoms: []int32{0}},
	})
	want := []string{"[*:1]OC", "c1nc2c[c:1]ccc2[nH]1", "[*:2]:[nH]cn:[*:3]", "C"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, wrong := range []Fragment{{}, {Atoms: []int32{11}}, {Atoms: []int32{-1}}, {Atoms: []int32{0}, At: []int32{1}}} {
		if got, err := Fragments(t.Context(), smiles, []Fragment{wrong}); err == nil {
			t.Errorf("%+v: %q, want an error", wrong, got)
		}
	}
}

// TestDrawLike: atoms are drawn in the places of those of another molecule, in the same orientation, whatever the
// order of atoms; places that are not connected have no effect.
func TestDrawLike(t *testing.T) {
	centre := func(svg []byte, atom int) string {
		d, err := ReadDrawing(svg)
		if err != nil {
			t.Fatal(err)
		}
		return d.Paths[atom].D // circles come first
	}
	red := slices.Repeat([]uint32{0xff0000ff}, 7)
	model, err := DrawLook(t.Context(), "Cc1ccccc1", Look{Colours: red}, 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	onto := []int32{2, 3, 4, 5, 6, 1, 0}
	drawn, err := DrawLook(t.Context(), "c1ccccc1F", Look{Colours: red, Like: "Cc1ccccc1", Onto: onto}, 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	direction := func(svg []byte, from, to int) (d [2]int) {
		var x, y [2]float64
		for i, atom := range []int{from, to} {
			if _, err := fmt.Sscanf(centre(svg, atom), "M %f,%f", &x[i], &y[i]); err != nil {
				t.Fatal(err)
			}
		}
		return [2]int{int(x[1]-x[0]+100.5) / 4, int(y[1]-y[0]+100.5) / 4}
	}
	for atom := range 6 {
		if got, want := direction(drawn, atom, atom+1), direction(model, int(onto[atom]), int(onto[atom+1])); got != want {
			t.Errorf("atom %d is in the direction %v of the next, want %v", atom, got, want)
		}
	}
	own, err := Draw(t.Context(), "CCCCO", 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	far, err := DrawLook(t.Context(), "CCCCO", Look{Like: "CCCCN", Onto: []int32{0, -1, 2, -1, 4}}, 200, 150)
	if err != nil || string(far) != string(own) {
		t.Errorf("places that are not connected change the drawing: %v", err)
	}
}
