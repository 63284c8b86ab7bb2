package pretrain

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn/params"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/ops"
	"pacia/run/tensorboard"
)

// Files that a run leaves in its folder.
const (
	EncoderFile = "encoder.safetensors"
	SummaryFile = "summary.json"
	LogFile     = "pretrain.jsonl"
	SkippedFile = "invalid.csv"
	StateFile   = "resume.safetensors"
)

// Entry is a line of the log.
type Entry struct {
	Epoch    int      `json:"epoch"` // begun, counted from 1; 0 before the first step
	Step     int      `json:"step"`  // done
	Training *Figures `json:"training,omitempty"`
	HeldOut  *Figures `json:"held_out,omitempty"`
}

// Summary is the result of a run.
type Summary struct {
	Options
	Dataset    string  `json:"dataset"`
	Learn      int     `json:"learn"`    // molecules
	HeldOut    int     `json:"held_out"` // molecules
	Skipped    int     `json:"skipped"`
	Repeated   int     `json:"repeated"`
	Excluded   int     `json:"excluded"`
	LeftOut    int     `json:"left_out"` // molecules without a question
	Parameters int     `json:"parameters"`
	EpochsDone int     `json:"epochs_done"` // the last one may be incomplete
	StepsDone  int     `json:"steps_done"`
	Seconds    float64 `json:"seconds"`
	Stopped    bool    `json:"stopped"`

	Vocabulary *Vocabulary `json:"vocabulary,omitempty"` // only if motifs were learnt
	// On the molecules held out: by frequencies alone, before the first step, and
	// in the end.
	Without Figures `json:"without"`
	Before  Figures `json:"before"`
	After   Figures `json:"after"`
}

// folder is the output folder of a run.
type folder struct {
	dir    string
	lines  *os.File
	events *tensorboard.File // the same for TensorBoard
}

// Free returns an error if the folder dir holds a file of a pretraining. It is called before
// anything is read.
func Free(dir string) error {
	for _, name := range []string{LogFile, EncoderFile, SummaryFile, SkippedFile, StateFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return taken(dir, name)
		}
	}
	return nil
}

func taken(dir, name string) error {
	return &badinput.Error{File: dir, What: "the folder holds a pretraining (" + name + ")", Fix: "choose another --out, or remove it"}
}

// newFolder makes the folder and locks it until Close. A folder that holds another
// pretraining is bad input, unless resume is set.
func newFolder(dir string, resume bool) (*folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &badinput.Error{What: "--out " + dir + " cannot be made", Err: err, Fix: "choose another folder"}
	}
	flags := os.O_RDWR | os.O_CREATE | os.O_APPEND
	if _, err := os.Lstat(filepath.Join(dir, LogFile)); !resume || err != nil {
		if err := Free(dir); err != nil {
			return nil, err
		}
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(filepath.Join(dir, LogFile), flags, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, taken(dir, LogFile)
	}
	if err == nil && !isLog(f) {
		return nil, errors.Join(&badinput.Error{
			File: filepath.Join(dir, LogFile), What: "is not of a pretraining", Fix: "remove it, or choose another --out",
		}, f.Close())
	}
	if err != nil {
		return nil, &badinput.Error{What: "--out " + dir + " cannot be written to", Err: err, Fix: "choose another folder"}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &badinput.Error{File: dir, What: "another process is pretraining into this folder", Fix: "wait for it to end, or choose another --out"}
		}
		return nil, errors.Join(err, f.Close())
	}
	return &folder{dir: dir, lines: f}, nil
}

// isLog reports whether a file is empty or begins as the log of a run that was killed at any moment.
func isLog(f *os.File) bool {
	const begin = `{"epoch":`
	found := make([]byte, len(begin))
	n, err := f.ReadAt(found, 0)
	return (err == nil || errors.Is(err, io.EOF)) && strings.HasPrefix(begin, string(found[:n]))
}

func (f *folder) Close() (err error) {
	if f.events != nil {
		err = f.events.Close()
	}
	return errors.Join(err, f.lines.Close())
}

// show begins an event file with the content of the log.
func (f *folder) show() (err error) {
	info, err := f.lines.Stat()
	if err != nil {
		return err
	}
	f.events, err = tensorboard.Create(f.dir, io.NewSectionReader(f.lines, 0, info.Size()))
	return err
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f *folder) log(e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if _, err = f.lines.Write(line); err == nil && f.events != nil {
		err = f.events.Add(line)
	}
	return err
}

func (f *folder) writeSkipped(list []data.Skipped) error {
	if len(list) == 0 {
		return nil
	}
	return atomicfile.Write(f.path(SkippedFile), func(file *os.File) error {
		w := csv.NewWriter(file)
		rows := [][]string{{"row", "smiles", "reason"}}
		for _, s := range list {
			rows = append(rows, []string{strconv.Itoa(s.Row), s.SMILES, s.Reason})
		}
		return w.WriteAll(rows)
	})
}

// formatVersion is the version of train's checkpoints, because model.pretrained
// reads the encoder like a checkpoint.
const formatVersion = "1"

func (r *run) save() error {
	if err := r.saveState(); err != nil {
		return err
	}
	return r.saveEncoder()
}

// saveEncoder writes the encoder: its parameters and running averages.
func (r *run) saveEncoder() error {
	about, err := json.Marshal(struct {
		Dataset    string  `json:"dataset"`
		Pretrained Options `json:"pretrained"`
		Steps      int     `json:"steps"`
	}{r.library.Name, r.Options, r.step})
	if err != nil {
		return err
	}
	tensors := each.Of(r.encoder(), func(p params.Parameter) safetensors.Tensor { return stored(p.Name, p.Shape, p.Tensor) })
	return safetensors.Write(r.folder.path(EncoderFile), map[string]string{
		"format": "pacia encoder", "version": formatVersion, "config": r.Settings, "run": string(about),
	}, tensors)
}

func stored(name string, shape []int64, t *ts.Tensor) safetensors.Tensor {
	return safetensors.Tensor{Name: name, Shape: shape, Read: func() ([]float32, error) { return ops.Read(t) }}
}

// encoder lists the parameters of the encoder, without those of the layers on its
// embeddings.
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

// encoderPart is the part in which gnn counts an encoder's parameters.
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

// finish writes the encoder and the summary.
func (r *run) finish() (Summary, error) {
	stopped := r.step < r.total
	if err := r.saveState(); err != nil { // before the line below, which an uninterrupted run would not write
		return Summary{}, err
	}
	if r.last.Step < r.step {
		if err := r.measure(); err != nil {
			return Summary{}, err
		}
	}
	if err := r.saveEncoder(); err != nil {
		return Summary{}, err
	}
	s := Summary{
		Options: r.Options, Dataset: r.library.Name, Learn: len(r.learn), HeldOut: len(r.held), Skipped: len(r.library.Skipped),
		Repeated: r.library.Repeated, Excluded: r.library.Excluded, LeftOut: r.leftOut, Parameters: r.parameters(), EpochsDone: r.epoch(), StepsDone: r.step,
		Seconds: r.elapsed().Seconds(), Stopped: stopped, Vocabulary: r.vocabulary(), Without: r.without, Before: *r.first.HeldOut, After: *r.last.HeldOut,
	}
	if err := atomicfile.WriteJSON(r.folder.path(SummaryFile), s); err != nil {
		return Summary{}, err
	}
	if stopped {
		return s, ErrStopped
	}
	return s, nil
}
