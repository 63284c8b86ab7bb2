package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/internal/version"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/run/loop"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// formatVersion changes when the meaning of a checkpoint's content changes.
const formatVersion = "1"

// Meta describes the run that a checkpoint comes from.
type Meta struct {
	Config    runconfig.Config `json:"-"`
	Dataset   string           `json:"dataset"`
	DataHash  string           `json:"data_sha256"`
	Tasks     TaskNames        `json:"tasks"`
	Progress  Progress         `json:"progress"`
	AdamSteps int64            `json:"adam_steps"`
	Program   string           `json:"-"` // version of the program that wrote it; "" before 0.9.0
	Past      past.Size        `json:"-"` // of the past assays that the file holds
}

// TaskNames are the names of a run's tasks.
type TaskNames struct {
	Train      []string `json:"train"`
	Validation []string `json:"validation"`
	Test       []string `json:"test"`
}

// Progress records the steps and results of a run so far. It is part of the checkpoint, so
// that the summary of a resumed run equals that of an undisturbed one.
type Progress struct {
	Episode        int                `json:"episode"`        // episodes done
	Step           int                `json:"step,omitempty"` // optimisation steps done, if an episode has several
	Seconds        float64            `json:"seconds"`
	Last           *rundir.Evaluation `json:"last"`
	BestValidation *rundir.Evaluation `json:"best_validation"`
	BestTest       *rundir.Evaluation `json:"best_test"`
	Metrics        *loop.Mark         `json:"metrics,omitempty"` // of metrics.jsonl; nil in checkpoints of earlier versions
}

// Episode returns the number of training episodes behind the checkpoint.
func (m Meta) Episode() int { return m.Progress.Episode }

// Save writes meta and variables to path, completely or not at all.
func Save(path string, meta Meta, variables []Variable) error {
	config, err := meta.Config.Encode()
	if err != nil {
		return err
	}
	run, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	return safetensors.Write(path, map[string]string{
		"format": "pacia checkpoint", "version": formatVersion, "program": version.Release,
		"config": string(config), "run": string(run),
	}, Tensors(variables))
}

// File is an open checkpoint.
type File struct {
	Meta
	Path string
	file *safetensors.File
	fix  string // what to do if the tensors do not fit the settings
}

// Open opens a checkpoint. It returns a *badinput.Error if the file is not complete or
// not of this version.
func Open(path string) (*File, error) {
	file, err := safetensors.Open(path)
	switch {
	case errors.Is(err, safetensors.ErrDamaged):
		return nil, &badinput.Error{File: path, Err: err, Fix: "use another checkpoint, or train again in another folder"}
	case err != nil:
		return nil, err
	}
	return opened(path, file)
}

// Read is Open for a file of size bytes that need not be on a disk. Errors contain its
// name.
func Read(name string, from io.ReaderAt, size int64) (*File, error) {
	file, err := safetensors.Read(from, size)
	if err != nil {
		return nil, &badinput.Error{File: name, Err: err, Fix: "build the program again, from files that are whole"}
	}
	return opened(name, file)
}

func opened(path string, file *safetensors.File) (*File, error) {
	c := &File{Path: path, file: file, fix: "use the program that wrote it"}
	if err := c.parse(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return c, nil
}

// Close closes the file; its tensors can no longer be read.
func (c *File) Close() error { return c.file.Close() }

func (c *File) parse() (err error) {
	about := c.file.Metadata
	if about["version"] != formatVersion {
		return &badinput.Error{File: c.Path,
			What: fmt.Sprintf("the checkpoint is of version %s, this program reads version %s", badinput.Quote(about["version"]), formatVersion),
			Fix:  "use the program that wrote it"}
	}
	c.Program = about["program"]
	if err = json.Unmarshal([]byte(about["run"]), &c.Meta); err == nil {
		c.Config, err = runconfig.Decode([]byte(about["config"]))
	}
	if err == nil {
		c.Meta.Past, err = past.SizeOf(c.file)
	}
	if err != nil {
		return &badinput.Error{File: c.Path, What: "the checkpoint's settings cannot be read", Err: err, Fix: "use the program that wrote it"}
	}
	return nil
}

// Restore copies the checkpoint's tensors into variables. It first compares names and
// shapes: if one differs, no Variable is changed. Tensors of the optimiser may be left
// over. A value that is not finite is a *badinput.Error, after which the variables must
// not be used.
func (c *File) Restore(variables []Variable) error { return c.restore(c.file.Tensors, variables) }

func (c *File) restore(tensors []safetensors.Tensor, variables []Variable) error {
	stored := each.Pairs(tensors, func(t safetensors.Tensor) (string, safetensors.Tensor) { return t.Name, t })
	wanted := map[string]bool{}
	for _, v := range variables {
		wanted[v.Name] = true
		t, ok := stored[v.Name]
		switch {
		case !ok && v.Name == model.MemorySkeletons:
		case !ok:
			return c.misfit("it lacks %s", v.Name)
		case !slices.Equal(t.Shape, v.Shape):
			return c.misfit("its %s has shape %v, the model's %v", v.Name, t.Shape, v.Shape)
		}
	}
	for _, t := range c.file.Tensors {
		if !wanted[t.Name] && !forTraining(c.Config, t.Name) {
			return c.misfit("the model has no %s", t.Name)
		}
	}
	return Copy(c.Path, stored, variables)
}

func (c *File) misfit(format string, args ...any) error {
	return &badinput.Error{File: c.Path, What: "the checkpoint is of another model: " + fmt.Sprintf(format, args...), Fix: c.fix}
}
