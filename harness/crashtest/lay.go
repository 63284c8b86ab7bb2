package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pacia/harness/chains"
	"pacia/internal/atomicfile"
)

// laid returns the inputs of all scenarios, and files of the user's with the names of temporary ones.
func laid() map[string]string {
	all := map[string]string{
		"library.csv": library(), "library.20261128.tmp": library(), "long.csv": long(), "support.csv": support(),
		"quick.yaml": quick, "kernel.yaml": kernelQuick, "two.yaml": sweepOfTwo, "new.csv": measured(),
	}
	for _, name := range words(`
		ranked.csv.20261128.tmp ranked.csv.abcdefgh.tmp ranked.invalid.csv.1234abcd.tmp next.csv.20261128.tmp ranked.csv.part
		page.html.20261128.tmp tables/summary.csv.20261128.tmp held.20261128.tmp/notes converted.abcdefgh.tmp/notes out.20261128.tmp
		enc/encoder.safetensors.20261128.tmp model.safetensors.20261128.tmp cache/x.graphs.20261128.tmp
		tmp/pacia-scratch-mine/notes tmp/pacia-scratch-files.20261128.tmp/notes`) {
		all[name] = "of the user\n"
	}
	for name, rows := range map[string]string{
		"train/CHEMBL1664615": "C,1 CC,0 CCC,1 CCCCCC,0", "train/CHEMBL760830": "C,1 CC,1 CCCC,0 OO,1", "train/CHEMBL762819": "CCO,0 CCN,1",
		"train/CHEMBL1737966": "CCCCC,1 N,0 O,1 OCCO,0", "train/CHEMBL4234578": "CS,1 N,0 CO,0", "train/CHEMBL1": "CF,1", "valid/CHEMBL2": "CF,0",
	} {
		all["assays/"+name+".csv"] = "smiles,a\n" + strings.ReplaceAll(rows, " ", "\n") + "\n"
	}
	return all
}

func lay(dir string) error {
	for name, text := range laid() {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// untouched returns an error if a command has changed or removed a file that lay has made.
func untouched(dir string) error {
	for name, want := range laid() {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			return fmt.Errorf("the user's file %s has %d bytes, not %d (%v)", name, len(text), len(want), err)
		}
	}
	return nil
}

// finished returns an error if a folder has an unfinished file of the program that it did not have before. Those of the
// parts of a ranking may stay until the next command.
func finished(dir string, before []string) error {
	for _, path := range unfinished(dir) {
		if !slices.Contains(before, path) {
			return fmt.Errorf("%s stays", path)
		}
	}
	return nil
}

// unfinished lists the temporary files of the program in a folder.
func unfinished(dir string) (paths []string) {
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if _, is := atomicfile.TemporaryOf(filepath.Base(path)); is && !strings.Contains(path, ".parts/") && err == nil {
			paths = append(paths, path)
		}
		return nil // another process removes what it has made
	})
	return paths
}

// library returns the chains. One molecule more cannot be read.
func library() string { return chains.Library() + "C1CC,0,0,0,0,0,0,0\n" }

// long returns a library that is large enough for several parts.
func long() string {
	var b strings.Builder
	b.WriteString("smiles,number\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%s%s,%d\n", strings.Repeat("C", 1+i%40), chains.Groups[i%len(chains.Groups)], i)
	}
	return b.String() + "C1CC,0\n"
}

// measured returns two past assays.
func measured() string {
	text := "smiles,hERG IC50 (nM),toxic\n"
	for n := range 8 {
		text += fmt.Sprintf("%sO,%d,%d\n", strings.Repeat("C", 1+n), 10*n+5, n%2)
	}
	return text
}

func support() string { return "smiles,label\nCCO,1\nCCCO,1\nCCN,0\nCCCBr,0\n" }
