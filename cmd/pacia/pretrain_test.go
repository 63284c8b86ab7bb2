package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/internal/safetensors"
)

// TestPretrain checks the output and the files of a run, and that a training run can start
// from its encoder.
func TestPretrain(t *testing.T) {
	seconds(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
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

// TestPretrainMotifs runs stages that start from each other's encoders, with and without motifs and
// in both orders of motifs. Motifs are kept in the cache, and the rare ones are reported as one kind.
func TestPretrainMotifs(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	small := []string{"--layers", "2", "--width", "12", "--batch", "16", "--steps", "3", "--threads", "1", "--start"}
	pretrain := func(from, to string, more ...string) string {
		return ok(t, slices.Concat([]string{"pretrain", "library.csv"}, small, []string{from, "--out", to}, more)...)
	}
	pretrain("", "a")
	out := pretrain("a/encoder.safetensors", "b", "--task", "mgssl")
	if want := regexp.MustCompile(`motifs +\d+ kinds\n`); !want.MatchString(out) {
		t.Errorf("the head lacks the motifs:\n%s", out)
	}
	out = pretrain("b/encoder.safetensors", "c", "--task", "mgssl", "--order", "dfs", "--rare", "20")
	if want := regexp.MustCompile(`motifs +\d+ kinds, \d+ of them distinguished; the others are \d+\.\d\d % of the motifs\n`); !want.MatchString(out) {
		t.Errorf("the head lacks the rare motifs:\n%s", out)
	}
	if kept, err := filepath.Glob(filepath.Join(cache, "pacia", "library-*.motifs")); err != nil || len(kept) != 1 {
		t.Errorf("kept are %v (%v)", kept, err)
	}
	pretrain("c/encoder.safetensors", "d", "--task", "edges")
	startsFrom(t, "d", "model.encoder=gin")
	wantFault(t, "pacia: --order, --rare and --levels go with --task mgssl alone; leave them out", "pretrain", "library.csv", "--order", "dfs")
	wantFault(t, "pacia: the run was begun with --rare 20, now it is 6; write --rare 20 to resume it, or another --out",
		"pretrain", "library.csv", "--resume", "--rare", "6", "--out", "c")
}

// startsFrom trains with steps that are too small to change a weight, and checks that the model
// has the encoder's weights.
func startsFrom(t *testing.T, dir, setting string) {
	t.Helper()
	file := filepath.Join(dir, "encoder.safetensors")
	trained(t, dir+"-run", "--set", setting, "--set", "model.pretrained="+file, "--set", "train.learning_rate=1e-60") // below the smallest float32
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

// TestPretrainListsWhatItCannotUse checks that molecules that cannot be used are counted and listed.
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
	exampleFolder(t)
	for args, want := range map[string]string{
		"":                                    "pacia pretrain takes one file of molecules, not 0; write pacia pretrain FILE.csv.gz",
		"library.csv --encoder pna":           `--encoder "pna" is not one of gin, gcn, graphsage, gat`,
		"library.csv --layer 3":               "pacia pretrain: unknown flag: --layer; the nearest known one is --layers",
		"library.csv --task jigsaw":           `--task "jigsaw" is not one of masking, context, edges, infomax, supervised, graphmae, graphlog, mgssl`,
		"library.csv --mask 0.2 --task edges": "--mask goes with --task masking, graphmae, graphlog and mgssl --levels; leave it out",
		"library.csv --start gone.pth":        "gone.pth: cannot be read: no such file or directory; check --start",
		"library.csv --threads -1":            "--threads -1 cannot be used; write 0 (all cores) to 1024",
		"library.csv --smiles mol":            `library.csv: row 1: no column "mol" among smiles, has_0, has_1, has_2, has_3, has_4, has_5, has_6; write --smiles with the name of the molecules' column`,
		"none.csv":                            "none.csv: cannot be read: no such file or directory; check the file",
		"library.csv --out small.yaml":        "--out small.yaml cannot be made: mkdir small.yaml: not a directory; choose another folder",
	} {
		wantFault(t, "pacia: "+want, append([]string{"pretrain"}, strings.Fields(args)...)...)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a refused run made a folder")
	}
}

// interruptedPretraining runs a pretraining that gets SIGINT after some steps. The last of the words
// is its folder.
func interruptedPretraining(t *testing.T, words ...string) result {
	t.Helper()
	done := make(chan result)
	go func() { done <- pacia(words...) }()
	for i := 0; ; i++ { // until steps are made, and signals are caught for certain
		if text, _ := os.ReadFile(filepath.Join(words[len(words)-1], "pretrain.jsonl")); strings.Count(string(text), "\n") > 1 {
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
	return <-done
}

// After SIGINT, a run can start from the encoder that is written.
func TestInterruptedPretrainingKeepsWhatItLearnt(t *testing.T) {
	exampleFolder(t)
	r := interruptedPretraining(t, "pretrain", "library.csv", "--layers", "2", "--width", "12", "--steps", "100000000", "--threads", "1", "--out", "encoder")
	if r.code != exitInterrupted || !strings.HasPrefix(r.err, "pacia: stopped after step ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("exit code %d, want %d; standard error %q", r.code, exitInterrupted, r.err)
	}
	startsFrom(t, "encoder", "model.encoder=gin")
}

// TestPretrainResumes checks that after SIGINT --resume continues with the options of the run, and
// ends with the same bytes as an undisturbed run.
func TestPretrainResumes(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	options := []string{"pretrain", "library.csv", "--task", "supervised", "--layers", "2", "--width", "12", "--batch", "16", "--threads", "1", "--exclude", "others.smi"}
	if err := os.WriteFile("others.smi", []byte("CCO\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := interruptedPretraining(t, append(options, "--steps", "100000000", "--out", "broken")...)
	if !strings.HasSuffix(strings.TrimSpace(r.err), "; --resume --out broken continues") {
		t.Errorf("standard error %q", r.err)
	}
	var step int
	if _, err := fmt.Sscanf(r.err, "pacia: stopped after step %d;", &step); err != nil {
		t.Fatalf("%v in %q", err, r.err)
	}
	steps := strconv.Itoa(step + 5)
	ok(t, "pretrain", "library.csv", "--threads", "1", "--exclude", "others.smi", "--resume", "--out", "broken", "--steps", steps)
	ok(t, append(options, "--steps", steps, "--out", "whole")...)
	if !maps.EqualFunc(tensors(t, "broken/encoder.safetensors"), tensors(t, "whole/encoder.safetensors"), slices.Equal) {
		t.Error("another encoder than that of a run that was not interrupted")
	}
	wantFault(t, "pacia: the run was begun with --width 12, now it is 13; write --width 12 to resume it, or another --out",
		"pretrain", "library.csv", "--threads", "1", "--exclude", "others.smi", "--resume", "--out", "broken", "--width", "13")
	wantFault(t, "pacia: broken: the run was begun with other molecules than those of library; resume with the same file, or write another --out",
		"pretrain", "library.csv", "--threads", "1", "--resume", "--out", "broken")
	startsFrom(t, "broken", "model.encoder=gin")
}
