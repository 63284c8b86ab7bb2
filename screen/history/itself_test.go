package history

import (
	"slices"
	"strings"
	"testing"

	"pacia/data/label"
)

// labelled returns a support set of the first molecules of the tests.
func labelled(labels ...uint8) Support {
	return Support{Keys: moleculeKeys()[:len(labels)], Labels: labels}
}

// TestItself: the assay of the support set is left out of its past, also where it is reversed, has another threshold, or only
// the same name. Near copies count, and others too.
func TestItself(t *testing.T) {
	path := write(t, "past.csv", `smiles,same,reversed,near,other,pKi,fewer|@0,1,0,1,1,9,1|@1,1,0,1,0,8.5,1|@2,1,0,1,1,8,1|@3,1,0,1,0,7.7,1|@4,1,0,1,1,7.5,0|`+
		`@5,0,1,0,0,7,0|@6,0,1,0,1,6,0|@7,0,1,0,0,5,0|@8,0,1,0,1,4.5,0|@9,0,1,0,0,4.2,|@10,0,1,0,1,4.1,|@11,0,1,1,0,4,`)
	p, _, err := read(t, path)
	if err != nil {
		t.Fatal(err)
	}
	s := labelled(1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
	named := labelled(1, 0, 1, 0)
	named.Name = "Other"
	vague := labelled(1, 0, 1, 0)
	vague.Name = "pKi"
	values := labelled(1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
	for i := range values.Labels {
		values.Values = append(values.Values, label.Measured{Value: 9 - float64(i)})
	}
	for _, tt := range []struct {
		name   string
		s      Support
		itself []string
		near   []string
		keep   bool
	}{
		{"labels", s, []string{"same", "reversed", "pKi"}, []string{"near"}, false},
		{"kept", s, []string{"same", "reversed", "pKi"}, []string{"near"}, true},
		{"values", values, []string{"same", "reversed", "pKi"}, []string{"near"}, false},
		{"name", named, []string{"other"}, nil, false},
		{"a name of many assays", vague, nil, nil, false},
		{"few molecules", labelled(1, 1, 1, 1, 1, 0, 0, 0, 0), nil, nil, false},
		{"one class", labelled(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), nil, nil, false},
	} {
		rest, err := p.Without(tt.s, tt.keep)
		if err != nil {
			t.Fatal(err)
		}
		names := func(all []Copy) (names []string) {
			for _, c := range all {
				names = append(names, c.Assay)
			}
			return names
		}
		if !slices.Equal(names(rest.Itself()), tt.itself) || !slices.Equal(names(rest.Near()), tt.near) {
			t.Errorf("%s: itself %v, near %v", tt.name, rest.Itself(), rest.Near())
		}
		for _, name := range p.Assays() {
			if counts := slices.Contains(rest.Assays(), name); counts == (slices.Contains(tt.itself, name) && !tt.keep) {
				t.Errorf("%s: %s counts: %v", tt.name, name, counts)
			}
		}
		if lines := strings.Join(rest.Copies(tt.keep), "\n"); len(tt.itself) > 1 && !strings.Contains(lines, "3 past assays are that of the support set, and ") {
			t.Errorf("%s: %s", tt.name, lines)
		}
	}
	if n := len(p.Assays()); n != 6 {
		t.Errorf("%d assays after Without", n)
	}
	if none, err := (*Past)(nil).Without(s, false); none != nil || err != nil {
		t.Errorf("without past assays: %v %v", none, err)
	}
	if _, err := p.Without(Support{Keys: make([]uint64, 2), Labels: make([]uint8, 3)}, false); err == nil {
		t.Error("labels for other molecules are accepted")
	}
}
