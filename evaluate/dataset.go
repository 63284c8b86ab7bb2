package evaluate

import (
	"context"
	"os"

	"pacia/data"
	"pacia/data/fsmol"
	"pacia/model"
	"pacia/model/methods"
	"pacia/runconfig"
)

// OpenData opens the data set of a run: a CSV, the embedded one, or a folder of
// task files, with its molecules in the form that the encoder reads.
func OpenData(ctx context.Context, c runconfig.Config) (*data.Dataset, error) {
	o := data.Options{
		SMILES: c.Data.SMILES, Delimiter: c.Data.Delimiter, Encoding: c.Data.Encoding, Sheet: c.Data.Sheet,
		Cache: c.Data.Cache, Threads: c.Threads, Form: formOf(c.Model),
	}
	if info, err := os.Stat(c.Data.Path); err == nil && info.IsDir() && c.Data.Path != data.Embedded {
		return fsmol.OpenFolder(ctx, c.Data.Path, o)
	}
	return data.Open(ctx, c.Data.Path, o)
}

// ParseSMILES parses molecules for a model, as data.ParseSMILES does.
func ParseSMILES(c model.Config, smiles []string, threads int) (m data.Molecules, index []int32, errs []error) {
	return formOf(c).ParseSMILES(context.Background(), smiles, threads)
}

// formOf returns how a model sees molecules: by the features of FS-Mol's task files
// or RDKit's categories, and their fingerprints, or by these alone.
func formOf(c model.Config) data.Form {
	form := formWithout(c)
	if c.Descriptors && form.Fingerprints && !methods.Traits(c.Method).Fingerprints {
		return form.Described()
	}
	return form
}

// formWithout is formOf but for descriptors.
func formWithout(c model.Config) data.Form {
	graphs, fingerprints := c.Parts()
	traits := methods.Traits(c.Method)
	alone := fingerprints && graphs == ""
	fingerprints = fingerprints || traits.Compares
	switch {
	case alone || traits.Fingerprints:
		return data.FingerprintsOnly()
	case c.Features():
		return fsmol.Form(fingerprints)
	case fingerprints:
		return data.GraphsAndFingerprints()
	}
	return data.Form{}
}

// Fingerprinted says whether molecules that are parsed for a model have fingerprints.
func Fingerprinted(c model.Config) bool { return formOf(c).Fingerprints }
