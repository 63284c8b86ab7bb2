package evaluate

import (
	"context"
	"os"

	"pacia/data"
	"pacia/data/fsmol"
	"pacia/gnn/minimol"
	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// OpenData opens the data set of a run: a CSV, the embedded one, or a folder of
// task files, with its molecules in the form that the encoder reads.
func OpenData(ctx context.Context, c runconfig.Config) (*data.Dataset, error) {
	o := data.Options{
		Options: c.Data.Reading(), Labels: c.Data.Labels(), Cache: c.Data.Cache, Threads: c.Threads, Form: formOf(c.Model),
	}
	if info, err := os.Stat(c.Data.Path); err == nil && info.IsDir() && c.Data.Path != data.Embedded {
		return fsmol.OpenFolder(ctx, c.Data.Path, o)
	}
	return data.Open(ctx, c.Data.Path, o)
}

// ParseSMILES parses molecules for a model, as data.ParseSMILES does.
func ParseSMILES(ctx context.Context, c model.Config, smiles []string, threads int) (m data.Molecules, index []int32, errs []error) {
	return formOf(c).ParseSMILES(ctx, smiles, threads)
}

// formOf returns how a model sees molecules.
func formOf(c model.Config) data.Form {
	seen := sees(c)
	form := data.Form{}
	switch {
	case seen.fingerprints && !seen.graphs:
		form = data.FingerprintsOnly()
	case seen.space:
		form = data.InSpace(seen.fingerprints)
	case seen.features:
		form = fsmol.Form(seen.fingerprints)
	case seen.fingerprints:
		form = data.GraphsAndFingerprints()
	}
	if seen.descriptors {
		form = form.Described()
	}
	if c.Embeds() {
		form = form.Embedded(minimol.Embedder())
	}
	return form
}

// seen is what a model sees of molecules: graphs by RDKit's categories or by the features
// of FS-Mol's task files or in space, fingerprints, or both; and descriptors beside fingerprints.
type seen struct{ graphs, features, space, fingerprints, descriptors bool }

func sees(c model.Config) seen {
	graphs, fingerprints := c.Parts()
	traits := methods.Traits(c.Method)
	switch {
	case traits.Fingerprints:
		return seen{fingerprints: true}
	case fingerprints && graphs == "":
		return seen{fingerprints: true, descriptors: c.Descriptors}
	}
	return seen{graphs: true, features: c.Features(), space: c.Space(), fingerprints: fingerprints || traits.Compares, descriptors: c.Descriptors}
}

// Fingerprinted says whether molecules that are parsed for a model have fingerprints.
func Fingerprinted(c model.Config) bool { return formOf(c).Fingerprints }
