package targets

import "testing"

// TestClassOf: 3,040 of FS-Mol's 4,938 training assays have a class, and no other task has one.
func TestClassOf(t *testing.T) {
	if n := len(classOf()); n != 3040 {
		t.Errorf("%d assays have a class, want 3,040", n)
	}
	for assay, want := range map[string]string{
		"CHEMBL1799741": "Cytochrome P450 3A4", "CHEMBL1063729": "Tyrosine protein kinase PDGFR family", "tox21": "",
	} {
		if got := ClassOf(assay); got != want {
			t.Errorf("the class of %s is %q, want %q", assay, got, want)
		}
	}
}
