package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"fmt"
	"strings"
)

// A Structure selects molecules by their structure, and the cells that describe them.
type Structure struct {
	// Match and Exclude are SMARTS. A selected molecule matches all in Match and none in
	// Exclude.
	Match, Exclude []string

	Properties, Alerts, Scaffold bool

	byCatalog bool // alerts by RDKit's FilterCatalog, for tests
}

// maxPatterns is the largest number of SMARTS in a Structure, and maxSMARTS the largest length of one in bytes.
const maxPatterns, maxSMARTS = 32, 1000

// Columns returns the names of the cells that [Structure.Of] returns, in their order:
//
//   - Properties: the molecular weight in g/mol, logP by Wildman and Crippen, the topological polar
//     surface area in Å², the numbers of hydrogen bond donors, acceptors and rings, QED;
//   - Alerts: the names of matching patterns in RDKit's catalogues PAINS, BRENK and NIH (reactive and other
//     groups that interfere with assays), separated by "; ";
//   - Scaffold: the SMILES of the Bemis–Murcko scaffold.
func (s Structure) Columns() (all []string) {
	if s.Properties {
		all = append(all, "molecular_weight", "logp", "tpsa", "donors", "acceptors", "rings", "qed")
	}
	if s.Alerts || s.byCatalog {
		all = append(all, "pains", "brenk", "nih")
	}
	if s.Scaffold {
		all = append(all, "scaffold")
	}
	return all
}

// Empty reports whether s selects all molecules and has no columns.
func (s Structure) Empty() bool {
	return len(s.Match)+len(s.Exclude) == 0 && len(s.Columns()) == 0
}

// Check returns an error if there are too many SMARTS, or if one is malformed or longer than maxSMARTS.
func (s Structure) Check(ctx context.Context) error {
	if n := len(s.Match) + len(s.Exclude); n > maxPatterns {
		return fmt.Errorf("%d SMARTS, more than %d", n, maxPatterns)
	}
	for _, list := range [][]string{s.Match, s.Exclude} {
		for _, smarts := range list {
			if len(smarts) > maxSMARTS {
				return fmt.Errorf("SMARTS of %d characters, more than %d", len(smarts), maxSMARTS)
			}
			if err := checkCharacters(smarts); err != nil {
				return fmt.Errorf("the SMARTS %q: %w", smarts, err)
			}
			if smarts == "" || strings.Contains(smarts, " ") {
				return fmt.Errorf("the SMARTS %q is empty or has a space", smarts)
			}
		}
	}
	_, err := s.Readings(ctx)
	return err
}

// Readings returns, for each pattern of Match and then of Exclude, the SMARTS by which it is searched as well, or an
// empty text.
//
// A pattern that was drawn as a molecule may have a spelling that no molecule of RDKit has, such as C1=CC=CC=C1 and
// N(=O)=O. It is also searched as RDKit spells such a molecule: c1ccccc1 and [N+]([O-])=O.
func (s Structure) Readings(ctx context.Context) ([]string, error) {
	if len(s.Match)+len(s.Exclude) == 0 {
		return nil, nil
	}
	q := Structure{Match: s.Match, Exclude: s.Exclude}.question("C")
	q.a = C.PACIA_STRUCTURE_READINGS
	answer, err := q.ask(ctx)
	if err != nil {
		return nil, err
	}
	return strings.Split(string(answer), "\n")[1:], nil
}

// Of returns the patterns that a molecule does not fulfil, by their places in Match and then in Exclude, and its cells if
// there are none. The error is RDKit's own reason in one line.
func (s Structure) Of(ctx context.Context, smiles string) (cells []string, unmet []int, err error) {
	if err := check(smiles); err != nil {
		return nil, nil, err
	}
	answer, err := s.question(smiles).ask(ctx)
	if err != nil {
		return nil, nil, err
	}
	patterns, text, _ := strings.Cut(string(answer), "\n")
	for i, fulfilled := range patterns {
		if fulfilled == '0' {
			unmet = append(unmet, i)
		}
	}
	if len(unmet) > 0 {
		return nil, unmet, nil
	}
	cells = strings.Split(text, "\n")
	if n := len(s.Columns()); n > 0 && len(cells) != n {
		return nil, nil, errAnswer
	}
	return cells[:len(s.Columns())], nil, nil
}

// question returns the question for a SMILES, with the patterns.
func (s Structure) question(smiles string) question {
	q := question{kind: askStructure, text: smiles}
	for bit, asked := range map[int32]bool{
		C.PACIA_STRUCTURE_PROPERTIES: s.Properties,
		C.PACIA_STRUCTURE_ALERTS:     s.Alerts,
		C.PACIA_STRUCTURE_CATALOG:    s.byCatalog,
		C.PACIA_STRUCTURE_SCAFFOLD:   s.Scaffold,
	} {
		if asked {
			q.a |= bit
		}
	}
	var lines []string
	for _, smarts := range s.Match {
		lines = append(lines, "+"+smarts)
	}
	for _, smarts := range s.Exclude {
		lines = append(lines, "-"+smarts)
	}
	q.with = strings.Join(lines, "\n")
	return q
}
