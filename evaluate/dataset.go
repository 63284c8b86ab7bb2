package evaluate

import (
	"context"
	"os"

	"pacia/data"
	"pacia/data/fsmol"
	"pacia/model"
	"pacia/runconfig"
)

// OpenData opens the data set of a run: a CSV, the embedded one, or a folder of
// task files, with its molecules in the form that the encoder reads.
func OpenData(ctx context.Context, c runconfig.Config) (*data.Dataset, error) {
	o := data.Options{SMILES: c.Data.SMILES, Cache: c.Data.Cache, Threads: c.Threads, Form: formOf(c.Model)}
	if info, err := os.Stat(c.Data.Path); err == nil && info.IsDir() && c.Data.Path != data.Embedded {
		return fsmol.OpenFolder(ctx, c.Data.Path, o)
	}
	return data.Open(ctx, c.Data.Path, o)
}

// ParseSMILES parses molecules for a model, as data.ParseSMILES does.
func ParseSMILES(c model.Config, smiles []string, threads int) (m data.Molecules, index []int32, errs []error) {
	return formOf(c).ParseSMILES(context.Background(), smiles, threads)
}

// formOf returns how a model's encoder sees molecules: by the features of FS-Mol's
// task files, or by RDKit's categories.
func formOf(c model.Config) data.Form {
	if c.CheckAtoms(true) == nil {
		return fsmol.Form(false)
	}
	return data.Form{}
}
