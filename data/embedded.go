package data

import "pacia/fault"

// openSource reads the file at path, or the data set inside the program.
func openSource(path string) (*source, error) {
	if path == Embedded {
		return nil, fault.Newf("no data set is embedded; set data.path to a CSV file")
	}
	return readSource(path)
}

// embeddedSplit returns the split that the embedded tasks were made for.
func embeddedSplit(d *Dataset) (Split, error) {
	f := fault.Newf("split %q is of the embedded data set, not of %s", Embedded, d.Name)
	f.Fix = explicit
	return Split{}, f
}
