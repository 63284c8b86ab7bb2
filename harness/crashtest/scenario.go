package main

import "strings"

// A scenario is a command that writes files.
type scenario struct {
	name  string
	args  []string // of pacia, in the folder of the scenario
	files []string // patterns of the files to compare; other files are logs or caches
	// from lists commands that make the inputs, in the folder of a reference.
	from [][]string
	// inPlace is set if the files replace inputs of the same names: they are as before or as after, at any moment.
	inPlace bool
	// once is set if the command refuses its output of before.
	once bool
	// stdin is the file that is its standard input; answersFile is its standard output then. It is not traced.
	stdin string
}

// quick has the settings of all scenarios, a tiny model.
const quick = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {layers: 2, width: 8, dropout: 0.1, relation: {layers: 1, width: 8}}
episode: {shots: 2, queries: 4}
train: {episode_unit: step, episodes: 8, tasks_per_step: 1, evaluate_every: 4, checkpoint_every: 2, validation_tasks: 1, adaptivity: never}
`

// kernelQuick is the same for a model that compares molecules by past assays.
const kernelQuick = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {method: kernel, layers: 2, width: 8}
episode: {shots: 2, queries: 4}
train: {episode_unit: step, episodes: 4, tasks_per_step: 1, evaluate_every: 4, validation_tasks: 1, adaptivity: never}
`

// remembered are the commands that make a model that knows past assays.
var remembered = [][]string{words("train --config kernel.yaml --out run"),
	words("remember --checkpoint run/best.ckpt --history library.csv --out run/mine.safetensors")}

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
	{name: "remember", args: words("remember --checkpoint run/mine.safetensors --history new.csv --out run/mine.safetensors"),
		files: []string{"run/mine.safetensors"}, from: remembered, inPlace: true},
	{name: "recall", args: words("predict --checkpoint run/mine.safetensors --support support.csv --candidates library.csv --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}, from: remembered},
	{name: "shards", args: words("predict --shards 3 --checkpoint run/best.ckpt --support support.csv --candidates long.csv --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "columns", args: words("predict --method similarity --support support.csv --candidates library.20261128.tmp --reasons 3" +
		" --group scaffold --columns properties --columns alerts --diverse 4 --report page.html --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}},
	{name: "grouped", args: words("predict --shards 3 --checkpoint run/best.ckpt --support support.csv --candidates long.csv" +
		" --group number --out ranked.csv"),
		files: []string{"ranked.csv", "ranked.invalid.csv"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "next",
		args:  words("next --checkpoint run/best.ckpt --support support.csv --candidates library.20261128.tmp --batch 4 --out next.csv"),
		files: []string{"next.csv", "next.invalid.csv"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "score", args: words("score --checkpoint run/best.ckpt --support support.csv"), stdin: "library.20261128.tmp",
		files: []string{answersFile}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "results", args: words("eval --checkpoint run/best.ckpt --results tables --sizes 4,8 --draws 3"),
		files: []string{"tables/*.csv", "tables/*.json"}, from: [][]string{words("train --config quick.yaml --out run")}},
	{name: "convert", args: words("data convert library.20261128.tmp converted --split 0-4/5-6"),
		files: []string{"converted/*", "converted/*/*"}, once: true},
	{name: "targets", args: words("data targets assays held --new 1 --known 1 --smallest 1"), files: []string{"held/*/*"}, once: true},
	{name: "export", args: words("export run/best.ckpt --half --out model.safetensors"),
		files: []string{"model.safetensors"}, from: [][]string{words("train --config quick.yaml --out run")}},
}

func words(s string) []string { return strings.Fields(s) }

// answersFile is the standard output of a scenario that reads the standard input.
const answersFile = "answers.txt"
