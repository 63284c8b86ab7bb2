package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/safetensors"
)

// TestPretrain: what a run prints and leaves, and that a training run starts
// from its encoder.
func TestPretrain(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	workplace(t)
	out := ok(t, "pretrain", "library.csv", "--layers", "2", "--width", "12", "--batch", "16", "--steps", "7", "--bonds", "--threads", "1", "--out", "encoder")
	for _, name := range []string{"encoder.safetensors", "pretrain.jsonl", "summary.json"} {
		if _, err := os.Stat(filepath.Join("encoder", name)); err != nil {
			t.Error(err)
		}
	}
	for _, kind := range []string{"gcn", "graphsage", "gat"} {
		ok(t, "pretrain", "library.csv", "--layers", "2", "--width", "12", "--batch", "16", "--steps", "2", "--encoder", kind, "--threads", "1", "--out", kind)
		startsFrom(t, kind, "model.encoder="+kind)
	}
	startsFrom(t, "encoder", "model.encoder=gin")
	wantFault(t, "pacia: encoder/encoder.safetensors: the encoder does not fit model.pretrained: its encoder.atom has shape [120 12], the model's [120 13]; write model.encoder=gin, model.layers=2 and model.width=12",
		"train", "--config", "small.yaml", "--out", "other", "--set", "model.width=13", "--set", "model.pretrained=encoder/encoder.safetensors")
	t.Chdir(here)
	golden(t, "pretrain", mask(out, `\d+\.\d{4}`, `\d+\.\d (s|min)\b`))
	golden(t, "help_pretrain", ok(t, "pretrain", "--help"))
}

// startsFrom trains with steps too small to change a weight, and finds those of
// the encoder in the model.
func startsFrom(t *testing.T, dir, setting string) {
	t.Helper()
	file := filepath.Join(dir, "encoder.safetensors")
	trained(t, dir+"-run", "--set", setting, "--set", "model.pretrained="+file, "--set", "train.learning_rate=1e-30")
	model := tensors(t, filepath.Join(dir+"-run", "last.ckpt"))
	encoder := tensors(t, file)
	if len(encoder) == 0 {
		t.Fatalf("%s holds no tensors", file)
	}
	for name, values := range encoder {
		averages := strings.HasSuffix(name, "norm.mean") || strings.HasSuffix(name, "norm.var") // training moves them
		if !averages && !slices.Equal(model[name], values) {
			t.Errorf("%s: %s is not the model's", file, name)
		}
		if model[name] == nil {
			t.Errorf("the model has no %s", name)
		}
	}
}

func tensors(t *testing.T, file string) map[string][]float32 {
	t.Helper()
	f, err := safetensors.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][]float32{}
	for _, tensor := range f.Tensors {
		if all[tensor.Name], err = tensor.Read(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Molecules that cannot be used are counted and listed.
func TestPretrainListsWhatItCannotUse(t *testing.T) {
	var chains []string
	for n := 1; n <= 25; n++ {
		chains = append(chains, strings.Repeat("C", n)+"O first")
	}
	inFolder(t, "molecules.smi", strings.Join(append(chains, "C1CC", ""), "\n"))
	out := ok(t, "pretrain", "molecules.smi", "--layers", "1", "--width", "4", "--steps", "1", "--threads", "1")
	const dir = "runs/pretrain-molecules-0"
	if want := "molecules: 25 molecules (1 more cannot be used; " + dir + "/invalid.csv lists them)"; !strings.Contains(out, want) {
		t.Errorf("the head lacks %q:\n%s", want, out)
	}
	list, err := os.ReadFile(filepath.Join(dir, "invalid.csv"))
	if err != nil || !strings.HasPrefix(string(list), "row,smiles,reason\n26,C1CC,") {
		t.Errorf("listed are %q (%v)", list, err)
	}
	if out := ok(t, "pretrain", "molecules.smi", "--layers", "1", "--width", "4", "--steps", "1", "--threads", "1"); !strings.Contains(out, dir+"-2") {
		t.Errorf("a second run does not go to %s-2:\n%s", dir, out)
	}
}

func TestPretrainFaults(t *testing.T) {
	workplace(t)
	for args, want := range map[string]string{
		"":                             "pacia pretrain takes one file of molecules, not 0; write pacia pretrain FILE.csv.gz",
		"library.csv --encoder pna":    "--encoder pna: it takes FS-Mol's features of atoms, which SMILES do not give; write one of gin, gcn, graphsage, gat",
		"library.csv --layer 3":        "pacia pretrain: unknown flag: --layer; the nearest known one is --layers",
		"library.csv --threads -1":     "--threads -1 cannot be used; write 0 (all cores) to 1024",
		"library.csv --smiles mol":     `library.csv: row 1: no column "mol" among smiles, has_0, has_1, has_2, has_3, has_4, has_5, has_6; name the column of the SMILES with --smiles`,
		"none.csv":                     "none.csv: cannot be read: no such file or directory; check the file",
		"library.csv --out small.yaml": "--out small.yaml cannot be made: mkdir small.yaml: not a directory; choose another folder",
	} {
		wantFault(t, "pacia: "+want, append([]string{"pretrain"}, strings.Fields(args)...)...)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a refused run made a folder")
	}
}

// SIGINT ends in an encoder that a run can start from.
func TestInterruptedPretrainingKeepsWhatItLearnt(t *testing.T) {
	workplace(t)
	done := make(chan result)
	go func() {
		done <- pacia("pretrain", "library.csv", "--layers", "2", "--width", "12", "--steps", "100000000", "--threads", "1", "--out", "encoder")
	}()
	for i := 0; ; i++ { // until steps are made, and signals are caught for certain
		if text, _ := os.ReadFile("encoder/pretrain.jsonl"); strings.Count(string(text), "\n") > 1 {
			break
		}
		if i == 3000 {
			t.Fatal("no step was made within 30 s")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	r := <-done
	if r.code != exitInterrupted || !strings.HasPrefix(r.err, "pacia: stopped after step ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("exit code %d, want %d; standard error %q", r.code, exitInterrupted, r.err)
	}
	startsFrom(t, "encoder", "model.encoder=gin")
}
