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

// Most is how many parts there may be: as many tasks as Slurm takes where nobody has
// allowed for more (MaxArraySize 1001), and as many files as can be open.
const Most = 1000

// A Plan is how a library is cut.
type Plan struct {
	Asked                // by whoever begins
	Parts []ranking.Part `json:"parts"`

	dir string
}

// Asked holds everything that a ranking depends on. All parts of one table must agree in
// it.
type Asked struct {
	Program  string   `json:"program"` // its version
	Command  []string `json:"command"`
	Settings string   `json:"settings"` // a hash of them
	Shards   int      `json:"shards"`
	Threads  int      `json:"threads"` // on which models are adapted: sums may depend on it
	Chunk    int      `json:"chunk"`   // rows that are scored together
	Inputs   []Input  `json:"inputs"`
}

// An Input is a file that was read.
type Input struct {
	Path    string    `json:"path"` // as Text has it
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	Sum     string    `json:"sha256,omitempty"` // in place of the time, of those that are small
}

// InputOf looks at a regular file; whole: its content counts, not when it was changed.
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

// same reports an input that is not what it was.
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

// Folder is that of the parts of a table.
func Folder(out string) string { return out + ".parts" }

// Open returns the plan in a folder, which is nil where there is none.
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

// New makes the folder, with a plan in it.
func New(dir string, asked Asked, parts []ranking.Part) (*Plan, error) {
	p := &Plan{Asked: asked, Parts: parts, dir: dir}
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o777); err != nil {
		return nil, &badinput.Error{What: "cannot make the folder of the parts", Err: err, Fix: "choose another --out"}
	}
	return p, atomicfile.WriteSealed(filepath.Join(dir, planFile), p)
}

// Check reports that parts are asked for otherwise than they were, or that a file has
// changed.
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

// Unchanged reports a file that is not what it was.
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
