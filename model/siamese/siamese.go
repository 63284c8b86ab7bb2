package siamese

import (
	"pacia/model"
	"pacia/model/shared/matching"
)

// Spec is Siamese networks' line in the table of methods.
var Spec = model.Spec{
	Name: "siamese", Title: "Siamese",
	Source:   "Altae-Tran, Ramsundar, Pappu and Pande: Low Data Drug Discovery with One-Shot Learning, ACS Central Science 3, 2017, and Schimunek et al., ICLR 2023",
	Traits:   model.Traits{CachesStates: true},
	Settings: func(string) model.Settings { return matching.Default() },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return matching.New(b, c.Own.(matching.Settings), matching.Refinement{})
	},
}
