package evaluate

import (
	"context"
	"os"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/source"
	"pacia/data/source/fsmol"
	"pacia/data/split"
	"pacia/gnn/minimol"
	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// OpenData opens the data set of a run: a CSV, the embedded one, or a folder of
// task files, with its molecules in the form that the encoder reads.
func OpenData(ctx context.Context, c runconfig.Config) (*data.Dataset, error) {
	return OpenIn(ctx, c, Featurizer(c.Model))
}

// OpenIn is OpenData with another form of molecules, such as that of several models.
func OpenIn(ctx context.Context, c runconfig.Config, form molecule.Featurizer) (*data.Dataset, error) {
	o := source.Options{
		Options: c.Data.Reading(), Labels: c.Data.Labels(), Cache: c.Data.Cache, Threads: c.Threads, Featurizer: form,
		Rows: c.Data.Rows(),
	}
	path, err := c.Data.Location()
	if err != nil {
		return nil, err
	}
	if isFolder(path) {
		return fsmol.OpenFolder(ctx, path, o)
	}
	return source.Open(ctx, path, o)
}

// isFolder reports whether a data set is a folder of files.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && path != data.Embedded
}

// Drawn reports whether the molecules of a run's data set are as drawn: those of task files, and of published data sets
// unless the settings name their parents.
func Drawn(c runconfig.Config, d *data.Dataset) (bool, error) {
	path, err := c.Data.Location()
	if err == nil && isFolder(path) {
		if tables, err := fsmol.Tables(path); err != nil || !tables {
			return true, err
		}
	}
	return c.Data.Rows().Drawn(split.IsPublished(d.Hash, d.TaskNames())), err
}

// Hash returns the hash of the data set of a run, as in data.Dataset, without opening it.
func Hash(ctx context.Context, c runconfig.Config) (string, error) {
	path, err := c.Data.Location()
	if err != nil {
		return "", err
	}
	if isFolder(path) {
		return fsmol.Hash(ctx, path, c.Threads)
	}
	return source.Hash(ctx, path)
}

// ParseSMILES parses molecules for a model, as molecule.ParseSMILES does.
func ParseSMILES(ctx context.Context, c model.Config, smiles []string, threads int) (m molecule.List, index []int32, errs []error) {
	return Featurizer(c).ParseSMILES(ctx, smiles, threads)
}

// Unreadable returns an error for each molecule that cannot be parsed for a model, and nil for the
// others. It computes no vectors of a pretrained encoder, which take fifty times as long.
func Unreadable(ctx context.Context, c model.Config, smiles []string, threads int) []error {
	_, _, errs := ParseSMILES(ctx, c.Embedding(false), smiles, threads)
	return errs
}

// Featurizer returns the featurizer of a model: that of its encoder, with fingerprints if the
// encoder reads them or the method compares them.
func Featurizer(c model.Config) molecule.Featurizer {
	traits := methods.TraitsOf(c)
	encoder, _ := c.EncoderSpec()
	form := encoder.Reads.Featurizer(c.ReadsFingerprints() || traits.Compares)
	if traits.Fingerprints {
		form = molecule.FingerprintsOnly()
	}
	if c.Descriptors {
		form = form.Described()
	}
	if c.Embeds() && !form.Makes(molecule.Embeddings) {
		form = form.With(minimol.Embedder())
	}
	return form
}

// Fingerprinted reports whether molecules that are parsed for a model have fingerprints.
func Fingerprinted(c model.Config) bool { return Featurizer(c).Fingerprints }
