package source

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"pacia/data"
	"pacia/data/rdkit"
)

// featuriser is the version of the contents of Graph. It is incremented when a SMILES
// gives another graph than before, or is refused.
const featuriser = 2

// storeID identifies the content of a graph store.
type storeID [sha256.Size]byte

// storeKey identifies the graphs of a file by their source and by the versions of the
// code that made them.
func storeKey(fileHash, how string) storeID {
	return sha256.Sum256(fmt.Appendf(nil, "store %d\nfeaturiser %d\nrdkit %s\nfile %s\nread as %q\n",
		oldestVersion, featuriser, rdkit.Version(), fileHash, how))
}

// CacheFolder returns dir or, if it is empty, folder "pacia" in the user's cache folder.
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
	// The key makes the path unique. The name is for people, and file names have a limit.
	name = name[:min(len(name), 64)]
	return filepath.Join(dir, fmt.Sprintf("%s-%x.graphs", name, key[:8])), nil
}

// findStored returns the data set of a store, or nil if the store is missing or
// damaged. A damaged store is logged, and will be built again.
func findStored(file string, key storeID) *data.Dataset {
	d, err := readStore(file, key)
	if err == nil {
		return d
	}
	if !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the graph store is damaged and is built again", "file", file, "reason", err)
	}
	return nil
}
