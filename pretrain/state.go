package pretrain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"pacia/gnn/params"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/run/checkpoint"
	"pacia/run/loop"
)

// state is the data from which a run is resumed, in addition to its tensors (all parameters,
// running averages and moments). Random draws need no state (data.Rand).
type state struct {
	Options
	Library   string  `json:"library"` // [Library.Hash]
	Step      int     `json:"step"`
	AdamSteps int64   `json:"adam_steps"`
	First     Entry   `json:"first"`
	Last      Entry   `json:"last"`
	Lines     lines   `json:"lines"` // of the log
	Seconds   float64 `json:"seconds"`
}

// stateVersion must be increased when the meaning of the file's content changes.
const stateVersion = "1"

// variables lists the tensors of the state.
func (r *run) variables() (list []checkpoint.Variable) {
	m, v := r.adam.State()
	moment := 0
	for i, set := range r.network.sets {
		named := func(p params.Parameter) params.Parameter {
			p.Name = fmt.Sprintf("%d.%s", i, p.Name)
			return p
		}
		for _, p := range set.Trained() {
			list = append(list, checkpoint.NewVariable(named(p)))
			list = append(list, checkpoint.Moments(named(p), m[moment], v[moment])...)
			moment++
		}
		for _, p := range set.Buffers() {
			list = append(list, checkpoint.NewVariable(named(p)))
		}
	}
	return list
}

// saveState writes the file that --resume needs. It syncs the lines of the log up to this state
// first.
func (r *run) saveState() error {
	if err := r.log.Sync(); err != nil {
		return err
	}
	about, err := json.Marshal(state{
		Options: r.Options, Library: r.library.Hash, Step: r.step, AdamSteps: r.adam.Steps(),
		First: r.first, Last: r.last, Lines: lines(r.log.Mark()), Seconds: r.Elapsed().Seconds(),
	})
	if err != nil {
		return err
	}
	return safetensors.Write(r.path(StateFile), map[string]string{
		"format": "pacia pretraining", "version": stateVersion, "run": string(about),
	}, checkpoint.Tensors(r.variables()))
}

// openState opens the state of the run in dir. It returns nil for a new run.
func openState(dir string, resume bool) (*safetensors.File, error) {
	if !resume {
		return nil, nil
	}
	path := filepath.Join(dir, StateFile)
	f, err := safetensors.Open(path)
	switch {
	case errors.Is(err, safetensors.ErrDamaged):
		return nil, &badinput.Error{File: path, Err: err, Fix: "choose another --out, and begin again"}
	case !errors.Is(err, fs.ErrNotExist):
		return f, err
	}
	if loop.Held(dir, EncoderFile) != "" {
		return nil, &badinput.Error{File: dir, What: "the folder holds an encoder, but no " + StateFile + " to resume from", Fix: "choose another --out"}
	}
	return nil, nil
}

func (r *run) startEncoder() error {
	if r.Start == "" {
		return nil
	}
	return checkpoint.StartEncoder(r.Start, each.Of(r.encoder(), checkpoint.NewVariable))
}

func (r *run) restore(f *safetensors.File) error {
	s, err := parseState(r.path(StateFile), f)
	if err != nil {
		return err
	}
	if err := r.differs(s.Options); err != nil {
		return err
	}
	if s.Library != r.library.Hash {
		return &badinput.Error{File: r.dir, What: "the run was begun with other molecules than those of " + r.library.Name, Fix: "resume with the same file, or write another --out"}
	}
	if s.Step > r.total {
		return &badinput.Error{File: r.dir, What: fmt.Sprintf("%d steps are done, %d are asked for", s.Step, r.total), Fix: fmt.Sprintf("write --steps %d or more", s.Step)}
	}
	if err := r.fill(f); err != nil {
		return err
	}
	if err := r.adam.SetSteps(s.AdamSteps); err != nil {
		return err
	}
	r.step, r.first, r.last = s.Step, s.First, s.Last
	r.Before = time.Duration(s.Seconds * float64(time.Second))
	known := loop.Mark(s.Lines)
	return r.log.Cut(known.Bytes, &known)
}

func (r *run) fill(f *safetensors.File) error {
	there := each.Pairs(f.Tensors, func(t safetensors.Tensor) (string, safetensors.Tensor) { return t.Name, t })
	list := r.variables()
	for _, v := range list {
		if t, ok := there[v.Name]; !ok || !slices.Equal(t.Shape, v.Shape) || len(there) != len(list) {
			return &badinput.Error{File: r.path(StateFile), What: "is of another network: its " + v.Name + " does not fit", Fix: "use the program that wrote it"}
		}
	}
	return checkpoint.Copy(r.path(StateFile), there, list)
}

func parseState(path string, f *safetensors.File) (s state, err error) {
	if v := f.Metadata["version"]; f.Metadata["format"] != "pacia pretraining" || v != stateVersion {
		return s, &badinput.Error{File: path, What: fmt.Sprintf("is not a pretraining of version %s, but of version %s", stateVersion, badinput.Quote(v)), Fix: "use the program that wrote it"}
	}
	s.Options = Default() // values that an older program did not write
	if err := json.Unmarshal([]byte(f.Metadata["run"]), &s); err != nil {
		return s, &badinput.Error{File: path, What: "its settings cannot be read", Err: err, Fix: "use the program that wrote it"}
	}
	return s, nil
}

// Begun returns the options with which the pretraining in dir was begun, and whether there is
// one to resume.
func Begun(dir string) (Options, bool, error) {
	f, err := openState(dir, true)
	if f == nil || err != nil {
		return Options{}, false, err
	}
	s, err := parseState(filepath.Join(dir, StateFile), f)
	return s.Options, true, errors.Join(err, f.Close())
}

// lines is a [loop.Mark] with the names of its fields in the file.
type lines struct {
	Bytes  int64  `json:"size"`
	SHA256 string `json:"digest"`
}
