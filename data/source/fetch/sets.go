package fetch

import (
	"context"
	"slices"
)

// Set is a public data set.
type Set struct {
	Name   string
	Folder string // name of its folder, by default
	Files  []File
	layOut func(ctx context.Context, dir string, files []File) ([]string, error)
}

// File is one file of a set. Size and checksums are empty if its publisher does not
// give them.
type File struct {
	Name   string // in the folder "source"
	URL    string
	Size   int64
	MD5    string
	SHA256 string
}

const deepChem = "https://deepchemdata.s3-us-west-1.amazonaws.com/datasets/"

// MoleculeNet's files on the server of DeepChem, its publisher. The checksums are from
// TorchDrug's loaders of the same files.
var moleculeNet = []File{
	{Name: "tox21.csv.gz", URL: deepChem + "tox21.csv.gz", MD5: "2882d69e70bba0fec14995f26787cc25"},
	{Name: "sider.csv.gz", URL: deepChem + "sider.csv.gz", MD5: "77c0ef421f7cc8ce963c5836c8761fd2"},
	{Name: "muv.csv.gz", URL: deepChem + "muv.csv.gz", MD5: "9c40bd41310991efd40f4d4868fa3ddf"},
	{Name: "toxcast.csv.gz", URL: deepChem + "toxcast_data.csv.gz", MD5: "92911bbf9c1e2ad85231014859388cd6"},
}

// FS-Mol's archive and list of tasks, from the README of github.com/microsoft/FS-Mol.
// It gives no checksums.
var fsMol = []File{
	{Name: "fsmol.tar", URL: "https://figshare.com/ndownloader/files/31345321"},
	{Name: "fsmol-0.1.json", URL: "https://raw.githubusercontent.com/microsoft/FS-Mol/main/datasets/fsmol-0.1.json"},
}

// Sets are the data sets that can be fetched.
var Sets = []Set{
	{"fsmol", "fsmol", fsMol, layOutTasks},
	{"moleculenet", "moleculenet", moleculeNet, layOutTables},
	{"tox21", "moleculenet", moleculeNet[0:1], layOutTables},
	{"sider", "moleculenet", moleculeNet[1:2], layOutTables},
	{"muv", "moleculenet", moleculeNet[2:3], layOutTables},
	{"toxcast", "moleculenet", moleculeNet[3:4], layOutTables},
}

// Find returns the set with a name, or nil.
func Find(name string) *Set {
	if i := slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name }); i >= 0 {
		return &Sets[i]
	}
	return nil
}
