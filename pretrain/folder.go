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

	"pacia/gnn/params"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/safetensors"
	"pacia/run/checkpoint"
	"pacia/run/loop"
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

// Free returns an error if the folder dir holds a file of a pretraining. It is called before
// anything is read.
func Free(dir string) error {
	if name := loop.Held(dir, LogFile, EncoderFile, SummaryFile, SkippedFile, StateFile); name != "" {
		return checkUnused(dir, name)
	}
	return nil
}

func checkUnused(dir, name string) error {
	return &badinput.Error{File: dir, What: "the folder holds a pretraining (" + name + ")", Fix: "choose another --out, or remove it"}
}

// openLog makes the folder, and opens its log, which locks it. A folder that holds another
// pretraining is bad input, unless resume is set.
func openLog(dir string, resume bool) (*loop.Log, error) {
	if err := loop.MakeFolder(dir); err != nil {
		return nil, err
	}
	fresh := !resume || loop.Held(dir, LogFile) == ""
	if fresh {
		if err := Free(dir); err != nil {
			return nil, err
		}
	}
	l, err := loop.Open(filepath.Join(dir, LogFile), fresh)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, checkUnused(dir, LogFile)
	case err == nil && !isLog(l):
		return nil, errors.Join(&badinput.Error{File: l.Name(), What: "is not of a pretraining", Fix: "remove it, or choose another --out"}, l.Close())
	}
	return l, err
}

// isLog reports whether a file is empty or begins as the log of a run that was killed at any moment.
func isLog(f io.ReaderAt) bool {
	const begin = `{"epoch":`
	found := make([]byte, len(begin))
	n, err := f.ReadAt(found, 0)
	return (err == nil || errors.Is(err, io.EOF)) && strings.HasPrefix(begin, string(found[:n]))
}

// path returns the path of a file of the run.
func (r *run) path(name string) string { return filepath.Join(r.dir, name) }

func (r *run) writeSkipped() error {
	list := r.library.Skipped
	if len(list) == 0 {
		return nil
	}
	return atomicfile.Write(r.path(SkippedFile), func(file *os.File) error {
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
	return safetensors.Write(r.path(EncoderFile), map[string]string{
		"format": "pacia encoder", "version": formatVersion, "config": r.Settings, "run": string(about),
	}, checkpoint.Tensors(each.Of(r.encoder(), checkpoint.NewVariable)))
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
		Seconds: r.Elapsed().Seconds(), Stopped: stopped, Vocabulary: r.vocabulary(), Without: r.without, Before: *r.first.HeldOut, After: *r.last.HeldOut,
	}
	if err := atomicfile.WriteJSON(r.path(SummaryFile), s); err != nil {
		return Summary{}, err
	}
	if stopped {
		return s, ErrStopped
	}
	return s, nil
}
