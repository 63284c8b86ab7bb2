package tautomer

// Numbers of the elements that rules name.
const (
	carbon, nitrogen, oxygen, phosphorus, sulfur, selenium, tellurium = 6, 7, 8, 15, 16, 34, 52
)

// symbols are those of the elements, from hydrogen on.
var symbols = [...]string{
	"H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar", "K", "Ca",
	"Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr",
	"Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe", "Cs", "Ba",
	"La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",
	"Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",
	"Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds",
	"Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
}

var elements = func() map[string]uint8 {
	all := make(map[string]uint8, len(symbols))
	for i, s := range symbols {
		all[s] = uint8(i + 1)
	}
	return all
}()

// valences are the usual valences of atoms that SMILES writes without brackets, ascending.
func valences(number uint8) []int8 {
	switch number {
	case 5:
		return []int8{3}
	case carbon:
		return []int8{4}
	case nitrogen:
		return []int8{3, 5}
	case oxygen:
		return []int8{2}
	case phosphorus:
		return []int8{3, 5}
	case sulfur:
		return []int8{2, 4, 6}
	case 9, 17, 35, 53:
		return []int8{1}
	}
	return nil
}
