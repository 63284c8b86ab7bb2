package data

import "pacia/data/label"

// Measured is what an assay measured of a molecule.
type Measured = label.Measured
