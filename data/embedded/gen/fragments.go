package main

// A fragment is a piece of a molecule as SMILES text. Its first atom is bound
// to what stands before it. "(~)" inside and "~" at the end are slots for
// further fragments. Ring closures are numbered 1 to 3 and renumbered when
// the text is put into another fragment. The weight is its relative frequency.
type fragment struct {
	text   string
	weight float64
}

// rings carry one or more slots for linkers and groups.
var rings = []fragment{
	// Benzenes and azines.
	{"c1ccc(~)cc1", 8}, {"c1cccc(~)c1", 3}, {"c1ccc(~)c(~)c1", 3}, {"c1ccccc1~", 3},
	{"c1ccc(~)nc1", 3}, {"c1cncc(~)c1", 1}, {"c1cnc(~)nc1", 3}, {"c1cnc(~)cn1", 1},
	// Five-membered heteroaromatics.
	{"c1ccc(~)s1", 5}, {"c1csc(~)n1", 4}, {"c1ccc(~)o1", 5}, {"c1cc(~)no1", 4},
	{"c1c[nH]c(~)n1", 2}, {"c1cc(~)n[nH]1", 2},
	// Fused aromatics.
	{"c1c[nH]c2ccc(~)cc12", 3}, {"c1nc2ccc(~)cc2[nH]1", 2}, {"c1ccc2nc(~)ccc2c1", 3},
	{"c1nc2ccc(~)cc2s1", 3}, {"c1cc2ccc(~)cc2o1", 2}, {"c1ccc2cc(~)ccc2c1", 2},
	// Saturated nitrogen rings, bound at nitrogen or at carbon.
	{"N1CCN(~)CC1", 5}, {"N1CCC(~)CC1", 4}, {"C1CCN(~)CC1", 4}, {"N1CCC[C@H]1~", 3},
	{"[C@@H]1CCN(~)C1", 3}, {"N1C[C@H](~)OCC1", 3},
	// Saturated carbon and oxygen rings.
	{"C1CCC(~)CC1", 5}, {"C1(~)CCCC1", 4}, {"[C@H]1C[C@@H]1~", 4}, {"C1(~)CC1", 4},
	{"C1(~)CCOCC1", 3}, {"[C@H]1CC[C@@H](~)O1", 3},
}

// linkers carry a ring in their slot.
var linkers = []fragment{
	{"~", 6}, {"C~", 4}, {"CC~", 3}, {"[C@@H](C)~", 3}, {"O~", 4}, {"OC~", 3}, {"CO~", 3},
	{"S~", 3}, {"SC~", 3}, {"CS~", 2}, {"N~", 3}, {"NC~", 2}, {"CN~", 2},
	{"C(=O)N~", 5}, {"NC(=O)~", 5}, {"C(=O)~", 5}, {"S(=O)(=O)N~", 4}, {"NS(=O)(=O)~", 4},
	{"C(=O)OC~", 3}, {"COC(=O)~", 2}, {"/C=C/~", 4}, {"C#C~", 4},
}

// groups end a chain.
var groups = []fragment{
	{"F", 7}, {"Cl", 6}, {"Br", 4}, {"C(F)(F)F", 5}, {"C", 5}, {"C(C)C", 4}, {"C(C)(C)C", 5}, {"CCCC", 4},
	{"OC", 6}, {"OCC", 3}, {"O", 5}, {"CO", 3}, {"[C@H](C)O", 4},
	{"C(=O)O", 8}, {"CC(=O)O", 3}, {"C(=O)OC", 7}, {"OC(C)=O", 3}, {"C(N)=O", 4}, {"NC(C)=O", 4},
	{"C(C)=O", 7}, {"C#N", 8}, {"C#C", 4}, {"[N+](=O)[O-]", 9},
	{"S(N)(=O)=O", 5}, {"S(C)(=O)=O", 6}, {"SC", 7}, {"CSC", 2},
	{"N", 5}, {"N(C)C", 4}, {"CN", 4}, {"CN(C)C", 4}, {"[C@@H](C)N", 4}, {"C=C", 4},
}
