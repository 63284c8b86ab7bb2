package data

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"pacia/data/rdkit"
)

// featuriser is the version of what Graph holds. It goes up whenever a graph
// of the same SMILES would come out different, or be refused.
const featuriser = 2

// storeID names the content of a graph store.
type storeID [sha256.Size]byte

// storeKey is the identity of the graphs of a file: what they were made of and
// what made them.
func storeKey(fileHash, how string) storeID {
	return sha256.Sum256(fmt.Appendf(nil, "store %d\nfeaturiser %d\nrdkit %s\nfile %s\nread as %q\n",
		storeVersion, featuriser, rdkit.Version(), fileHash, how))
}

// CacheFolder returns dir, or folder "pacia" of the user's cache folder where dir is empty.
func CacheFolder(dir string) (string, error) {
	if dir != "" {
		return dir, nil
	}
	user, err := os.UserCacheDir()
	return filepath.Join(user, "pacia"), err
}

func storePath(dir, name string, key storeID) (string, error) {
	dir, err := CacheFolder(dir)
	if err != nil {
		return "", err
	}
	// The key tells stores apart; the name is for people, and file names have a limit.
	name = name[:min(len(name), 64)]
	return filepath.Join(dir, fmt.Sprintf("%s-%x.graphs", name, key[:8])), nil
}

// findStored returns the data set of a store, or nil where there is none that
// can be used. A damaged one is reported; it will be built again.
func findStored(file string, key storeID) *Dataset {
	d, err := readStore(file, key)
	if err == nil {
		return d
	}
	if !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the graph store is damaged and is built again", "file", file, "reason", err)
	}
	return nil
}
