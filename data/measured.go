package data

import "pacia/data/label"

// Measured is an assay's measurement of a molecule.
type Measured = label.Measured
