package pretrain

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"pacia/data"
	"pacia/durable"
	"pacia/fault"
	"pacia/ops"
	"pacia/params"
	"pacia/safetensors"
)

// What a run leaves in its folder.
const (
	EncoderFile = "encoder.safetensors"
	SummaryFile = "summary.json"
	LogFile     = "pretrain.jsonl"
	SkippedFile = "invalid.csv"
)

// Entry is a line of the log.
type Entry struct {
	Epoch    int      `json:"epoch"` // begun, counted from 1; 0 before the first step
	Step     int      `json:"step"`  // done
	Training *Figures `json:"training,omitempty"`
	HeldOut  *Figures `json:"held_out,omitempty"`
}

// Summary is what a run came to.
type Summary struct {
	Options
	Dataset    string  `json:"dataset"`
	Learn      int     `json:"learn"`    // molecules
	HeldOut    int     `json:"held_out"` // molecules
	Skipped    int     `json:"skipped"`
	Repeated   int     `json:"repeated"`
	LeftOut    int     `json:"left_out"` // too small to have a context
	Parameters int     `json:"parameters"`
	EpochsDone int     `json:"epochs_done"` // the last may have been broken off
	StepsDone  int     `json:"steps_done"`
	Seconds    float64 `json:"seconds"`
	Stopped    bool    `json:"stopped"`
	// On the molecules held out: by frequencies alone, before the first step, and
	// in the end.
	Without Figures `json:"without"`
	Before  Figures `json:"before"`
	After   Figures `json:"after"`
}

// folder is where a run writes.
type folder struct {
	dir   string
	lines *os.File
}

// Free reports whether the folder dir holds no pretraining yet, before anything
// is read for one.
func Free(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, LogFile)); err == nil {
		return taken(dir)
	}
	return nil
}

func taken(dir string) error {
	return &fault.Error{File: dir, What: "the folder holds a pretraining", Fix: "choose another --out, or remove it"}
}

// newFolder makes the folder. One that holds another pretraining is bad input.
func newFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &fault.Error{What: "--out " + dir + " cannot be made", Err: err, Fix: "choose another folder"}
	}
	f, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, taken(dir)
	}
	if err != nil {
		return nil, &fault.Error{What: "--out " + dir + " cannot be written to", Err: err, Fix: "choose another folder"}
	}
	return &folder{dir, f}, nil
}

func (f *folder) Close() error { return f.lines.Close() }

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

// log appends a line.
func (f *folder) log(e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = f.lines.Write(append(line, '\n'))
	return err
}

// writeSkipped lists the molecules that were left out.
func (f *folder) writeSkipped(list []data.Skipped) error {
	if len(list) == 0 {
		return nil
	}
	return durable.Write(f.path(SkippedFile), func(file *os.File) error {
		w := csv.NewWriter(file)
		rows := [][]string{{"row", "smiles", "reason"}}
		for _, s := range list {
			rows = append(rows, []string{strconv.Itoa(s.Row), s.SMILES, s.Reason})
		}
		return w.WriteAll(rows)
	})
}

// formatVersion is that of train's checkpoints: model.pretrained reads the
// encoder as it reads one of those.
const formatVersion = "1"

// save writes the encoder: its parameters and running averages.
func (r *run) save() error {
	about, err := json.Marshal(struct {
		Dataset    string  `json:"dataset"`
		Pretrained Options `json:"pretrained"`
		Steps      int     `json:"steps"`
	}{r.library.Name, r.Options, r.step})
	if err != nil {
		return err
	}
	var tensors []safetensors.Tensor
	for _, p := range r.encoder() {
		tensors = append(tensors, safetensors.Tensor{Name: p.Name, Shape: p.Shape,
			Read: func() ([]float32, error) { return ops.Read(p.Tensor) }})
	}
	return safetensors.Write(r.folder.path(EncoderFile), map[string]string{
		"format": "pacia encoder", "version": formatVersion, "config": r.Settings, "run": string(about),
	}, tensors)
}

// encoder lists what belongs to the encoder, and not to the layer that reads
// its embeddings.
func (r *run) encoder() (list []params.Parameter) {
	set := r.network.sets[0]
	for _, parameters := range [][]params.Parameter{set.Trained(), set.Buffers()} {
		for _, p := range parameters {
			if p.Part == encoderPart {
				list = append(list, p)
			}
		}
	}
	return list
}

// encoderPart is what gnn counts an encoder's parameters under.
const encoderPart = "encoder"

// parameters counts those of the encoder that are trained.
func (r *run) parameters() (n int) {
	for _, p := range r.network.sets[0].Trained() {
		if p.Part == encoderPart {
			n += p.Size()
		}
	}
	return n
}

// finish leaves the encoder and the summary.
func (r *run) finish() (Summary, error) {
	stopped := r.step < r.total
	if r.last.Step < r.step {
		if err := r.measure(); err != nil {
			return Summary{}, err
		}
	}
	if err := r.save(); err != nil {
		return Summary{}, err
	}
	s := Summary{
		Options: r.Options, Dataset: r.library.Name, Learn: len(r.learn), HeldOut: len(r.held), Skipped: len(r.library.Skipped),
		Repeated: r.library.Repeated, LeftOut: r.leftOut, Parameters: r.parameters(), EpochsDone: r.epoch(), StepsDone: r.step,
		Seconds: time.Since(r.begun).Seconds(), Stopped: stopped, Without: r.without, Before: *r.first.HeldOut, After: *r.last.HeldOut,
	}
	if err := durable.WriteJSON(r.folder.path(SummaryFile), s); err != nil {
		return Summary{}, err
	}
	if stopped {
		return s, ErrStopped
	}
	return s, nil
}
