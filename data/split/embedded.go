package split

import (
	"crypto/sha256"
	"fmt"

	"pacia/data"
	"pacia/data/embedded"
	"pacia/internal/badinput"
)

// isEmbedded reports whether d is the embedded data set, by its content and not by its name.
func isEmbedded(d *data.Dataset) bool {
	return d.Hash == fmt.Sprintf("%x", sha256.Sum256(embedded.CSV()))
}

func embeddedSplit(d *data.Dataset) (data.Split, error) {
	if !isEmbedded(d) {
		f := badinput.Newf("split %q is of the embedded data set, not of %s", data.Embedded, d.Name)
		f.Fix = explicit
		return data.Split{}, f
	}
	var s data.Split
	for i := range d.Tasks {
		if i < embedded.TrainTasks {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	return s, nil
}
