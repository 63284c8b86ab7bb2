package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// A variable that the set-up exports must not be taken for a misspelt setting:
// the program would refuse to run in the shell that built it.
func TestVariablesOfTheSetUpAreLetThrough(t *testing.T) {
	variable := regexp.MustCompile(`\bPACIA_[A-Z_]*[A-Z]\b`)
	known := slices.Clone(reserved)
	for _, s := range settings {
		known = append(known, s.Env())
	}
	for _, top := range []string{"Makefile", "Dockerfile", "scripts", ".ci"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(file) == ".h" {
				return nil //nolint:nilerr // what is not there names no variable
			}
			text, err := os.ReadFile(file)
			for _, name := range variable.FindAllString(string(text), -1) {
				if !slices.Contains(known, name) {
					t.Errorf("%s uses %s, which Load rejects: add it to reserved", file, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
