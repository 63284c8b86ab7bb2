package pretrain

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/ops"
	"pacia/run/checkpoint"
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

// elapsed returns the time of the run until now, including the time before it was resumed.
func (r *run) elapsed() time.Duration { return r.before + time.Since(r.begun) }

// tensors returns the tensors of the state, for files and in memory.
func (r *run) tensors() (list []safetensors.Tensor, to []*ts.Tensor) {
	add := func(name string, shape []int64, t *ts.Tensor) {
		list, to = append(list, stored(name, shape, t)), append(to, t)
	}
	m, v := r.adam.State()
	moment := 0
	for i, set := range r.network.sets {
		for _, p := range set.Trained() {
			name := fmt.Sprintf("%d.%s", i, p.Name)
			add(name, p.Shape, p.Tensor)
			add("adam.m."+name, p.Shape, m[moment])
			add("adam.v."+name, p.Shape, v[moment])
			moment++
		}
		for _, p := range set.Buffers() {
			add(fmt.Sprintf("%d.%s", i, p.Name), p.Shape, p.Tensor)
		}
	}
	return list, to
}

// saveState writes the file that --resume needs. It syncs the lines of the log up to this state
// first.
func (r *run) saveState() error {
	logged, err := r.folder.sync()
	if err != nil {
		return err
	}
	about, err := json.Marshal(state{
		Options: r.Options, Library: r.library.Hash, Step: r.step, AdamSteps: r.adam.Steps(),
		First: r.first, Last: r.last, Lines: logged, Seconds: r.elapsed().Seconds(),
	})
	if err != nil {
		return err
	}
	list, _ := r.tensors()
	return safetensors.Write(r.folder.path(StateFile), map[string]string{
		"format": "pacia pretraining", "version": stateVersion, "run": string(about),
	}, list)
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
	if _, err := os.Lstat(filepath.Join(dir, EncoderFile)); err == nil {
		return nil, &badinput.Error{File: dir, What: "the folder holds an encoder, but no " + StateFile + " to resume from", Fix: "choose another --out"}
	}
	return nil, nil
}

func (r *run) startEncoder() error {
	if r.Start == "" {
		return nil
	}
	var encoder []checkpoint.Variable
	for _, p := range r.encoder() {
		encoder = append(encoder, checkpoint.NewVariable(p))
	}
	return checkpoint.StartEncoder(r.Start, encoder)
}

func (r *run) restore(f *safetensors.File) error {
	s, err := parseState(r.folder.path(StateFile), f)
	if err != nil {
		return err
	}
	if err := r.differs(s.Options); err != nil {
		return err
	}
	if s.Library != r.library.Hash {
		return &badinput.Error{File: r.folder.dir, What: "the run was begun with other molecules than those of " + r.library.Name, Fix: "resume with the same file, or write another --out"}
	}
	if s.Step > r.total {
		return &badinput.Error{File: r.folder.dir, What: fmt.Sprintf("%d steps are done, %d are asked for", s.Step, r.total), Fix: fmt.Sprintf("write --steps %d or more", s.Step)}
	}
	if err := r.fill(f); err != nil {
		return err
	}
	if err := r.adam.SetSteps(s.AdamSteps); err != nil {
		return err
	}
	r.step, r.first, r.last = s.Step, s.First, s.Last
	r.before = time.Duration(s.Seconds * float64(time.Second))
	return r.folder.cut(s.Lines)
}

func (r *run) fill(f *safetensors.File) error {
	there := each.Pairs(f.Tensors, func(t safetensors.Tensor) (string, safetensors.Tensor) { return t.Name, t })
	list, to := r.tensors()
	for i, want := range list {
		t, ok := there[want.Name]
		if !ok || !slices.Equal(t.Shape, want.Shape) || len(there) != len(list) {
			return &badinput.Error{File: r.folder.path(StateFile), What: "is of another network: its " + want.Name + " does not fit", Fix: "use the program that wrote it"}
		}
		values, err := t.Read()
		if err == nil {
			err = ops.Write(to[i], values)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", r.folder.path(StateFile), want.Name, err)
		}
	}
	return nil
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

// lines describe the content of a log: a resumed run continues only from exactly that
// content.
type lines struct {
	Bytes  int64  `json:"size"`
	SHA256 string `json:"digest"` // of the lines, in hexadecimal digits
}

// sync flushes the log to the disk, and describes its content.
func (f *folder) sync() (l lines, err error) {
	if err := f.lines.Sync(); err != nil {
		return l, err
	}
	info, err := f.lines.Stat()
	if err != nil {
		return l, err
	}
	return f.first(info.Size())
}

// first describes the first bytes of the log.
func (f *folder) first(size int64) (lines, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, io.NewSectionReader(f.lines, 0, size))
	return lines{size, fmt.Sprintf("%x", sum.Sum(nil))}, err
}

// cut removes lines that were written after a state.
func (f *folder) cut(known lines) error {
	if now, err := f.first(known.Bytes); err != nil {
		return err
	} else if now != known {
		return &badinput.Error{File: f.path(LogFile), What: "is damaged: up to the last save it is not what the run has written", Fix: "put back that of the run, or write another --out"}
	}
	return f.lines.Truncate(known.Bytes)
}
