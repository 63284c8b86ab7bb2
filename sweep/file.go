package sweep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/internal/setting"
	"pacia/run/runconfig"
)

// file is the content of a sweep's file.
type file struct {
	path      string
	preset    string
	config    string
	set       []assignment
	seeds     []uint64
	points    [][]assignment // settings of the runs, one element for each, without seeds
	names     []string       // of the points; empty: made from their settings
	devices   []string
	perDevice int
	slurm     []string // options of sbatch
}

// assignment is one setting in the file.
type assignment struct {
	name, value string
	row         int
}

func (a assignment) String() string { return a.name + "=" + a.value }

// maxRuns prevents a typing error from filling a queue.
const maxRuns = 10_000

var keys = []string{"preset", "config", "set", "seeds", "grid", "list", "random", "devices", "per_device", "slurm"}

func readFile(path string) (*file, error) {
	text, err := input.ReadAll(context.Background(), path, input.Stream, runconfig.MaxFile)
	if err != nil {
		f := *input.Unreadable(path, err)
		if f.What == "cannot be read" {
			f.What, f.Fix = "cannot read the sweep", "check its name"
		}
		return nil, &f
	}
	doc, err := setting.Document(text)
	if err != nil {
		return nil, located(path, err)
	}
	f := &file{path: path, seeds: []uint64{0}, devices: []string{"cpu"}, perDevice: 1}
	if doc != nil {
		err = f.read(doc)
	}
	if err == nil && f.points == nil {
		f.points = [][]assignment{nil} // seeds alone
	}
	return f, located(path, err)
}

// located adds the file to an error without one.
func located(path string, err error) error {
	var f *badinput.Error
	if errors.As(err, &f) && f.File == "" {
		f.File = path
	}
	return err
}

func wrong(n *yaml.Node, fix, format string, args ...any) error {
	return &badinput.Error{Row: n.Line, What: fmt.Sprintf(format, args...), Fix: fix}
}

func (f *file) read(n *yaml.Node) error {
	return entries(n, func(key, value *yaml.Node) (err error) {
		switch key.Value {
		case "preset":
			f.preset, err = scalar(value)
		case "config":
			f.config, err = scalar(value)
		case "set":
			f.set, err = assignments(value)
		case "seeds":
			f.seeds, err = seeds(value)
		case "grid", "list", "random":
			if f.points != nil {
				return wrong(key, "keep one of grid, list and random", "%s beside another way to vary settings", key.Value)
			}
			switch key.Value {
			case "grid":
				f.points, err = grid(value)
			case "list":
				f.points, f.names, err = list(value)
			case "random":
				f.points, err = random(value)
			}
		case "devices":
			f.devices, err = scalars(value)
			for i, d := range f.devices {
				if !runconfig.IsDevice(d) {
					return wrong(value.Content[i], "write cpu, cuda or cuda:N", "device %s is not known", badinput.Quote(d))
				}
			}
		case "per_device":
			f.perDevice, err = number(value)
		case "slurm":
			f.slurm, err = scalars(value)
			for i, o := range f.slurm {
				if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
					return wrong(value.Content[i], "write one such as --mem=8G", "%s is not an option of sbatch", badinput.Quote(o))
				}
			}
		default:
			return wrong(key, "write one of "+strings.Join(keys, ", "), "a sweep has no %s", badinput.Quote(key.Value))
		}
		return err
	})
}

// entries calls f for the entries of a mapping, and refuses repeated keys.
func entries(n *yaml.Node, f func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return wrong(n, "write name: value", "%s where names with values should be", quoted(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			return wrong(key, "keep one of the two", "%s is there twice", key.Value)
		}
		seen[key.Value] = true
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	return nil
}

// quoted returns the description of a node in an error.
func quoted(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Value == "":
		return "nothing"
	}
	return badinput.Quote(n.Value)
}

func scalar(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", wrong(n, "write one value"+whole(n), "a list or a group where one value should be")
	}
	if n.Tag == "!!null" {
		return "", nil
	}
	return n.Value, nil
}

// whole returns advice on the names of settings, if the node is a group.
func whole(n *yaml.Node) string {
	if n.Kind == yaml.MappingNode {
		return "; a setting has its whole name, such as model.layers"
	}
	return ""
}

func scalars(n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, wrong(n, "write values such as [1, 2]"+whole(n), "no list of values")
	}
	all := make([]string, len(n.Content))
	for i, item := range n.Content {
		var err error
		if all[i], err = scalar(item); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func number(n *yaml.Node) (int, error) {
	v, err := strconv.Atoi(n.Value)
	if err != nil || v < 1 || v > maxRuns {
		return 0, wrong(n, fmt.Sprintf("write a whole number from 1 to %d", maxRuns), "%s is not a valid count", badinput.Quote(n.Value))
	}
	return v, nil
}

func seeds(n *yaml.Node) ([]uint64, error) {
	if n.Kind == yaml.ScalarNode {
		count, err := number(n)
		all := each.Order[uint64](count)
		return all, err
	}
	texts, err := scalars(n)
	all := make([]uint64, len(texts))
	for i, text := range texts {
		if all[i], err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, wrong(n.Content[i], "write a whole number, 0 or more", "%s is not a seed", badinput.Quote(text))
		}
	}
	return all, err
}

func assignments(n *yaml.Node) ([]assignment, error) {
	var all []assignment
	err := entries(n, func(key, value *yaml.Node) error {
		text, err := scalar(value)
		all = append(all, assignment{key.Value, text, key.Line})
		return err
	})
	return all, err
}

func (f *file) label() string {
	return strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path))
}
