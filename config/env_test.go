package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Load must accept variables that tests read, or the commands of other tests would fail.
func TestVariablesOfTheTestsAreLetThrough(t *testing.T) {
	reads := regexp.MustCompile(`(?:Getenv|golden\.Path)\("(PACIA_[A-Z_]+)"`)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		for _, found := range reads.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(reserved, found[1]) {
				t.Errorf("%s reads %s, which Load rejects: add it to reserved", file, found[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Load must accept variables that the set-up exports, or the program would refuse to run
// in the shell that built it.
func TestVariablesOfTheSetUpAreLetThrough(t *testing.T) {
	variable := regexp.MustCompile(`\bPACIA_[A-Z_]*[A-Z]\b`)
	known := slices.Clone(reserved)
	for _, s := range settings {
		known = append(known, Variable(s.Name))
	}
	for _, top := range []string{"Makefile", "Dockerfile", "scripts", ".ci"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(file) == ".h" {
				return nil //nolint:nilerr // a missing file uses no variables
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
