package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pacia/data/rdkit"
)

// rdkitVersion is the version that the committed set was made with.
const rdkitVersion = "2022.09.3"

func main() {
	out := flag.String("out", "data/embedded", "folder that gets embedded.csv.gz and TASKS.md")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	if v := rdkit.Version(); v != rdkitVersion {
		return fmt.Errorf("RDKit is %s, but the set is made with %s; install that version, or change rdkitVersion", v, rdkitVersion)
	}
	list, cols, err := build()
	if err != nil {
		return err
	}
	csv, err := table(list, cols)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "embedded.csv.gz"), csv, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "TASKS.md"), describeTasks(list, cols), 0o644)
}

func build() ([]molecule, []column, error) {
	d, err := newDescriber(slices.Concat(trainingFeatures, testFeatures))
	if err != nil {
		return nil, nil, err
	}
	list := molecules(d)
	return list, columns(list), nil
}
