package rdkit

import (
	"context"
	"strconv"
	"strings"

	"pacia/internal/each"
)

// A Fragment is a part of a molecule. Indices of atoms are in the order of its SMILES.
type Fragment struct {
	Atoms  []int32 // not empty
	At     []int32 // atoms with a label: of the fragment, or beside it
	Labels []int32 // [At] numbers from 1
}

// Fragments returns the canonical SMILES of parts of a molecule. The labels of a part's own atoms are their
// numbers, such as [c:1]. Labelled atoms beside it are written as its attachment points: [*:1]OC is a methoxy
// group.
func Fragments(ctx context.Context, smiles string, parts []Fragment) ([]string, error) {
	if err := check(smiles); err != nil || len(parts) == 0 {
		return nil, err
	}
	text := smiles
	for _, p := range parts {
		text += "\n" + numberList(p.Atoms) + ";" + numberList(p.At) + ";" + numberList(p.Labels)
	}
	answer, err := question{kind: askFragments, text: text}.ask(ctx)
	if err != nil {
		return nil, err
	}
	all := strings.Split(strings.TrimSuffix(string(answer), "\n"), "\n")
	if len(all) != len(parts) {
		return nil, errAnswer
	}
	return all, nil
}

// numberList separates numbers by commas.
func numberList(all []int32) string {
	return strings.Join(each.Of(all, func(n int32) string { return strconv.Itoa(int(n)) }), ",")
}
