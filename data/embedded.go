package data

import (
	"context"
	"crypto/sha256"
	"fmt"

	"pacia/data/embedded"
	"pacia/internal/badinput"
)

// openSource reads the file at path, or the embedded data set.
func openSource(ctx context.Context, path string) (*source, error) {
	if path == Embedded {
		return newSource(Embedded, Embedded, embedded.CSV()), nil
	}
	return readSource(ctx, path)
}

// isEmbedded reports whether d is the embedded data set, by its content and not by its name.
func isEmbedded(d *Dataset) bool {
	return d.Hash == fmt.Sprintf("%x", sha256.Sum256(embedded.CSV()))
}

func embeddedSplit(d *Dataset) (Split, error) {
	if !isEmbedded(d) {
		f := badinput.Newf("split %q is of the embedded data set, not of %s", Embedded, d.Name)
		f.Fix = explicit
		return Split{}, f
	}
	var s Split
	for i := range d.Tasks {
		if i < embedded.TrainTasks {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	return s, nil
}
