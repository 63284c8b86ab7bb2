package tautomer_test

import (
	"testing"

	"pacia/data/tautomer"
)

// drugs are molecules of a usual library: most have a region, few change.
var drugs = []string{
	"CC(C)Cc1ccc(cc1)C(C)C(=O)O", "CC(=O)Nc1ccc(O)cc1",
	"CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21", "Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1",
	"O=C(NCCN1CCOCC1)c1ccc(Cl)cc1",
	"COc1ccc(CCN(C)CCCC(C#N)(C(C)C)c2ccc(OC)c(OC)c2)cc1OC",
	"Clc1ccc(cc1)C(c1ccccc1)N1CCN(CCOCCO)CC1", "NS(=O)(=O)c1cc(C(=O)O)c(NCc2ccco2)cc1Cl",
	"CCOC(=O)c1cnc2ccccc2c1Nc1ccc(F)cc1", "O=C(Nc1ccc(Cl)c(Cl)c1)N1CCC(c2c[nH]c3ccccc23)CC1",
}

func BenchmarkNormal(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		tautomer.Normal(drugs[i%len(drugs)])
	}
}

func BenchmarkSkeleton(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		tautomer.Skeleton(drugs[i%len(drugs)])
	}
}
