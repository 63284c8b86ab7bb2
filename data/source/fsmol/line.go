package fsmol

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// line is the JSON of a molecule. Values that the benchmark copied from a CSV are strings.
type line struct {
	SMILES                json.RawMessage
	Property              json.RawMessage
	AssayID               json.RawMessage `json:"Assay_ID"`
	RegressionProperty    json.RawMessage
	LogRegressionProperty json.RawMessage
	Relation              json.RawMessage
	AssayType             json.RawMessage
	Fingerprints          json.RawMessage `json:"fingerprints"`
	Descriptors           json.RawMessage `json:"descriptors"`
	Graph                 struct {
		AdjacencyLists json.RawMessage `json:"adjacency_lists"`
		NodeTypes      json.RawMessage `json:"node_types"`
		NodeFeatures   json.RawMessage `json:"node_features"`
	} `json:"graph"`
}

func parseLine(b []byte) (m Molecule, err error) {
	var l line
	if err := unmarshal(b, &l); err != nil {
		return m, fmt.Errorf("broken JSON: %w", err)
	}
	m = Molecule{
		SMILES: text(l.SMILES), Assay: text(l.AssayID), Relation: text(l.Relation), AssayType: text(l.AssayType),
		Regression: text(l.RegressionProperty), LogRegression: text(l.LogRegressionProperty),
	}
	if m.SMILES == "" {
		return m, errors.New("no SMILES")
	}
	if m.Label, err = labelOf(l.Property); err != nil {
		return m, err
	}
	if m.Fingerprint, err = fingerprint(l.Fingerprints); err != nil {
		return m, fmt.Errorf("fingerprints: %w", err)
	}
	if m.Descriptors, err = descriptors(l.Descriptors); err != nil {
		return m, fmt.Errorf("descriptors: %w", err)
	}
	return m, m.Graph.parse(&l)
}

func labelOf(raw json.RawMessage) (uint8, error) {
	if !present(raw) {
		return 0, errors.New("no Property")
	}
	v, err := number(raw)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("label: Property %.20s is not a number", raw)
	}
	if v != 0 {
		return 1, nil
	}
	return 0, nil
}

func fingerprint(raw json.RawMessage) ([]uint16, error) {
	if !present(raw) {
		return nil, nil
	}
	counts := make([]uint16, 0, Counts)
	for item := range items(raw) {
		n, err := index(item, math.MaxUint16)
		if err != nil {
			return nil, err
		}
		counts = append(counts, uint16(n))
	}
	if len(counts) != Counts {
		return nil, fmt.Errorf("%d counts instead of %d", len(counts), Counts)
	}
	return counts, nil
}

func descriptors(raw json.RawMessage) ([]float32, error) {
	if !present(raw) {
		return nil, nil
	}
	if !isArray(raw) {
		return nil, errors.New("not a list")
	}
	var values []float32
	for item := range items(raw) {
		v := math.NaN()
		if present(item) {
			var err error
			if v, err = number(item); err != nil {
				return nil, err
			}
		}
		values = append(values, float32(v))
	}
	return values, nil
}

func (g *Graph) parse(l *line) error {
	for row := range items(l.Graph.NodeFeatures) {
		bits, width, err := feature(row)
		if err == nil && width != Features {
			err = fmt.Errorf("%d instead of %d", width, Features)
		}
		if err != nil {
			return fmt.Errorf("node_features of atom %d: %w", len(g.Atoms), err)
		}
		g.Atoms = append(g.Atoms, bits)
		if err := checkAtoms(len(g.Atoms)); err != nil {
			return fmt.Errorf("more than %d atoms", MaxAtoms)
		}
	}
	if len(g.Atoms) == 0 {
		return errors.New("no graph.node_features")
	}
	for item := range items(l.Graph.NodeTypes) {
		g.Types = append(g.Types, text(item))
	}
	if present(l.Graph.NodeTypes) && len(g.Types) != len(g.Atoms) {
		return fmt.Errorf("%d node_types for %d atoms", len(g.Types), len(g.Atoms))
	}
	return g.parseBonds(l.Graph.AdjacencyLists)
}

func feature(row json.RawMessage) (bits uint32, width int, err error) {
	for item := range items(row) {
		v, err := number(item)
		if err != nil {
			return 0, 0, err
		}
		if v != 0 && v != 1 {
			return 0, 0, fmt.Errorf("%v is neither 0 nor 1", v)
		}
		if v == 1 && width < Features {
			bits |= 1 << width
		}
		width++
	}
	return bits, width, nil
}

func (g *Graph) parseBonds(raw json.RawMessage) error {
	types := 0
	for list := range items(raw) {
		if types == BondTypes {
			return fmt.Errorf("more than %d adjacency_lists", BondTypes)
		}
		for bond := range items(list) {
			ends := make([]uint16, 0, 2)
			for item := range items(bond) {
				atom, err := index(item, len(g.Atoms)-1)
				if err != nil {
					return fmt.Errorf("adjacency_lists: atom %w", err)
				}
				ends = append(ends, uint16(atom))
			}
			if len(ends) != 2 || ends[0] == ends[1] {
				return fmt.Errorf("adjacency_lists: %.40s does not join two atoms", bond)
			}
			g.Bonds[types] = append(g.Bonds[types], ends...)
		}
		types++
	}
	if types != BondTypes {
		return fmt.Errorf("%d adjacency_lists instead of %d (single, double, triple bonds)", types, BondTypes)
	}
	return nil
}
