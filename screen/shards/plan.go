package shards

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
	"pacia/screen/ranking"
)

// MaxParts is the maximum number of parts. It is limited by the tasks of a Slurm job array (MaxArraySize
// is 1001 by default) and by the number of open files.
const MaxParts = 1000

// A Plan records how a library is cut into parts.
type Plan struct {
	Asked                // of the command that made the plan
	Parts []ranking.Part `json:"parts"`

	dir string
}

// Asked holds everything on which a ranking depends. It must be the same for all parts of a table.
type Asked struct {
	Program  string   `json:"program"` // version of the program
	Command  []string `json:"command"`
	Settings string   `json:"settings"` // hash of the settings
	Shards   int      `json:"shards"`
	Threads  int      `json:"threads"` // for adapting models: sums may depend on it
	Chunk    int      `json:"chunk"`   // number of rows that are scored together
	Inputs   []Input  `json:"inputs"`
}

// An Input is a file that was read.
type Input struct {
	Path    string    `json:"path"` // converted by Text
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	Sum     string    `json:"sha256,omitempty"` // replaces the time for small files
}

// InputOf describes a regular file: with whole by a hash of its content, otherwise by the time of its last
// change.
func InputOf(ctx context.Context, path string, whole bool) (Input, error) {
	f, err := input.Open(ctx, path, input.Regular, 0)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	in := Input{Path: Text(path), Size: f.Size}
	if whole {
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		in.Sum = fmt.Sprintf("%x", sum.Sum(nil))
		return in, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return in, input.Unreadable(path, err)
	}
	in.Changed = info.ModTime().UTC()
	return in, nil
}

// same returns an error if the input has changed.
func (in Input) same(ctx context.Context) error {
	now, err := InputOf(ctx, name(in.Path), in.Sum != "")
	if err != nil {
		return err
	}
	if now.Size != in.Size || now.Sum != in.Sum || !now.Changed.Equal(in.Changed) {
		return ranking.Changed(name(in.Path))
	}
	return nil
}

const planFile = "plan.json"

// Folder returns the path of the folder of parts for a ranked table.
func Folder(out string) string { return out + ".parts" }

// Open returns the plan in a folder, nil if there is none.
func Open(dir string) (*Plan, error) {
	p := &Plan{dir: dir}
	err := atomicfile.ReadSealed(filepath.Join(dir, planFile), p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &badinput.Error{File: filepath.Join(dir, planFile), What: "cannot be read", Err: err, Fix: "remove the folder, and give the command again"}
	}
	return p, nil
}

// New makes the folder and writes a plan to it.
func New(dir string, asked Asked, parts []ranking.Part) (*Plan, error) {
	p := &Plan{Asked: asked, Parts: parts, dir: dir}
	if err := os.MkdirAll(filepath.Join(dir, logsFolder), 0o777); err != nil {
		return nil, &badinput.Error{What: "cannot make the folder of the parts", Err: err, Fix: "choose another --out"}
	}
	return p, atomicfile.WriteSealed(filepath.Join(dir, planFile), p)
}

// Check returns an error if the command now differs from that of the plan, or if an input has changed.
func (p *Plan) Check(ctx context.Context, now Asked) error {
	for _, c := range []struct {
		same bool
		what string
	}{
		{p.Program == now.Program, "are of pacia " + p.Program},
		{p.Shards == now.Shards, fmt.Sprintf("are %d shards", p.Shards)},
		{slices.Equal(p.Command, now.Command), "are of another command: " + strings.Join(p.Command, " ")},
		{p.Settings == now.Settings, "are of other settings"},
		{p.Chunk == now.Chunk, fmt.Sprintf("are of a device that scores %d molecules at a time", p.Chunk)},
	} {
		if !c.same {
			return &badinput.Error{File: p.dir, What: "the parts in this folder " + c.what, Fix: "give the command as it was, or remove the folder to begin anew"}
		}
	}
	return p.Unchanged(ctx)
}

// Unchanged returns an error if an input has changed.
func (p *Plan) Unchanged(ctx context.Context) error {
	for _, in := range p.Inputs {
		if err := in.same(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the folder, see [RemoveFolder].
func (p *Plan) Remove() error { return RemoveFolder(p.dir) }
