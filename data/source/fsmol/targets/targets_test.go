package targets

import (
	"maps"
	"slices"
	"testing"
)

// TestTable2: the categories of the test assays have the sizes in the paper's table: all
// [157], kinases [125], hydrolases [20], oxidoreductases [7].
func TestTable2(t *testing.T) {
	var names []string
	for _, target := range all() {
		if target.Fold == "test" {
			names = append(names, target.Assay)
		}
	}
	slices.Sort(names)
	if len(names) != 157 || len(all()) != 157+40 {
		t.Errorf("%d of %d assays are for testing, want 157 of 197", len(names), len(all()))
	}
	want := map[string]int{Kinases: 125, Hydrolases: 20, Oxidoreductases: 7, Others: 5}
	got := map[string]int{}
	for _, c := range Group(names) {
		got[c.Name] = len(c.Tasks)
		for _, i := range c.Tasks {
			if target, ok := Find(names[i]); !ok || target.Category() != c.Name {
				t.Errorf("task %s is of %+v, and counted among %s", names[i], target, c.Name)
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("categories %v, want %v", got, want)
	}
	if c := Group([]string{"SR-p53", "NR-AR"}); c != nil {
		t.Errorf("tasks of Tox21 are in %v", c)
	}
}

// TestFamilies: 100 transferases belong to the family of kinases, as the comment on Categories states.
func TestFamilies(t *testing.T) {
	n := 0
	for _, target := range all() {
		if target.EC == "" || target.Class == "" || target.Family == "" {
			t.Errorf("%+v has an empty field", target)
		}
		if target.Fold == "test" && target.Class == "transferase" && target.Family == "kinase" {
			n++
		}
	}
	if n != 100 {
		t.Errorf("%d transferases are of the family of kinases, want 100", n)
	}
}
