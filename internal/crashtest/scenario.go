package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pacia/internal/chains"
)

// A scenario is a command that writes files.
type scenario struct {
	name  string
	args  []string // of pacia, in the folder of the scenario
	files []string // patterns of the files to compare; other files are logs or caches
	// from lists commands that make the inputs, in the folder of a reference.
	from [][]string
}

// quick has the settings of all scenarios, a tiny model.
const quick = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {layers: 2, width: 8, dropout: 0.1, relation: {layers: 1, width: 8}}
episode: {shots: 2, queries: 4}
train: {episode_unit: step, episodes: 8, tasks_per_step: 1, evaluate_every: 4, checkpoint_every: 2, validation_tasks: 1, adaptivity: never}
`

const sweepOfTwo = `
config: quick.yaml
set: {train.episodes: 4, train.evaluate_every: 2}
seeds: [0, 1]
per_device: 2
`

var run1 = []string{"run/config.yaml", "run/metrics.jsonl", "run/*.ckpt", "run/summary.json", "cache/*.graphs"}

var scenarios = []scenario{
	{name: "train", args: words("train --config quick.yaml --out run --resume"), files: run1},
	{name: "replicas", args: words("train --config quick.yaml --set train.replicas=2 --set threads=2 --set train.episodes=4 --out run --resume"),
		files: []string{"run/config.yaml", "run/summary.json", "run/seed-*/metrics.jsonl", "run/seed-*/*.ckpt", "run/seed-*/summary.json"}},
	{name: "sweep", args: words("sweep two.yaml --out out --retry"),
		files: []string{"out/*/metrics.jsonl", "out/*/*.ckpt", "out/*/summary.json", "out/*/config.yaml", "out/settings/*", "out/state/*.json"}},
	{name: "pretrain", args: words("pretrain library.csv --out enc --width 8 --layers 2 --batch 8 --epochs 4 --threads 1 --resume"),
		files: []string{"enc/*.safetensors", "enc/*.json", "enc/*.jsonl"}},
	{name: "prepare", args: words("data prepare library.csv --cache cache --threads 1"), files: []string{"cache/*.graphs"}},
	{name: "predict", args: words("predict --checkpoint run/best.ckpt --support support.csv --candidates library.csv --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "shards", args: words("predict --shards 3 --checkpoint run/best.ckpt --support support.csv --candidates long.csv --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "export", args: words("export run/best.ckpt --half --out model.safetensors"),
		files: []string{"model.safetensors"}, from: [][]string{words("train --config quick.yaml --out run")}},
}

func words(s string) []string { return strings.Fields(s) }

func lay(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"library.csv": library(), "long.csv": long(), "support.csv": support(), "quick.yaml": quick, "two.yaml": sweepOfTwo,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
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

func support() string { return "smiles,label\nCCO,1\nCCCO,1\nCCN,0\nCCCBr,0\n" }
