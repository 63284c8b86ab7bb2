package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pacia/config"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
	"pacia/run/rundir"
)

// Status is the status of a run.
type Status string

// A run is waiting, then running, then has one of the other three statuses. A stopped run
// continues when the sweep is started again, and a failed one with Options.Retry.
const (
	Waiting  Status = "waiting"
	Running  Status = "running"
	Stopped  Status = "stopped"
	Failed   Status = "failed"
	Finished Status = "finished"
)

// State is the line of a run in DIR/state/NAME.json.
type State struct {
	Run      string    `json:"run"`
	Status   Status    `json:"status"`
	Device   string    `json:"device,omitempty"`
	Host     string    `json:"host,omitempty"`
	Episodes int       `json:"episodes,omitempty"` // planned number of episodes
	Exit     int       `json:"exit"`               // exit code of the process; -1 after a signal
	Reason   string    `json:"reason,omitempty"`   // why it failed
	Begun    time.Time `json:"begun,omitzero"`     // of the last start
	Ended    time.Time `json:"ended,omitzero"`
	Sum      string    `json:"sum,omitempty"` // CRC-32C of the line with zeros in its place; empty in earlier versions
}

// runFiles returns the paths of the files of a run of the sweep in dir.
type runFiles struct{ dir, name string }

func (p runFiles) folder() string   { return filepath.Join(p.dir, p.name) }
func (p runFiles) state() string    { return filepath.Join(p.dir, rundir.StateFolder, p.name+".json") }
func (p runFiles) lock() string     { return filepath.Join(p.dir, rundir.StateFolder, p.name+".lock") }
func (p runFiles) settings() string { return filepath.Join(p.dir, "settings", p.name+".yaml") }
func (p runFiles) output() string   { return filepath.Join(p.dir, "logs", p.name+".out") }
func (p runFiles) errors() string   { return filepath.Join(p.dir, "logs", p.name+".err") }

// maxFile is the largest size in bytes of a file of a sweep.
const maxFile = 1 << 20

func readOwn(path string) ([]byte, error) {
	return input.ReadAll(context.Background(), path, input.Regular, maxFile)
}

// read returns the state of a run, which is Waiting without a file.
func (p runFiles) read() (State, error) {
	s := State{Run: p.name, Status: Waiting}
	text, err := readOwn(p.state())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && (s.Run != p.name || !slices.Contains([]Status{Waiting, Running, Stopped, Failed, Finished}, s.Status)) {
		err = fmt.Errorf("run %s, status %s", badinput.Quote(s.Run), badinput.Quote(string(s.Status)))
	}
	if err == nil {
		err = s.check(text)
	}
	if err != nil {
		return s, &badinput.Error{File: p.state(), What: "the state of a run cannot be read", Err: err, Fix: "remove it: the run then continues from its last checkpoint"}
	}
	return s, nil
}

func (p runFiles) write(s State) error {
	s.Sum = noSum
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	at := bytes.LastIndex(text, []byte(noSum)) // Sum is the last field
	copy(text[at:], fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)))
	return atomicfile.WriteBytes(p.state(), append(text, '\n'))
}

// noSum replaces the sum of a state while the sum is computed.
const noSum = "00000000"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// check compares the line from which s was read with its sum, and clears the sum, which
// belongs to the file.
func (s *State) check(text []byte) error {
	sum := s.Sum
	if s.Sum = ""; sum == "" {
		return nil
	}
	text = bytes.TrimSuffix(text, []byte{'\n'})
	at := bytes.LastIndex(text, []byte(sum))
	if len(sum) != len(noSum) || at < 0 {
		return errors.New("its checksum is malformed")
	}
	copy(text[at:], noSum)
	if fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) != sum {
		return errors.New("its checksum is wrong")
	}
	return nil
}

// done reports whether a run has finished all its episodes.
func (s State) done(r Run, p runFiles) bool {
	_, err := os.Stat(filepath.Join(p.folder(), rundir.SummaryFile))
	return s.Status == Finished && s.Episodes == r.Config.Train.Episodes && err == nil
}

// movable lists settings that may change while a run is stopped.
var movable = []string{"device", "threads", "data.absolute_path", "train.episodes"}

// Begin prepares dir as the folder of the sweep. If it already has runs, their settings must
// agree with the plan.
func (p *Plan) Begin(dir string) error {
	for _, r := range p.Runs {
		if err := p.same(r, runFiles{dir, r.Name}); err != nil {
			return err
		}
	}
	for _, sub := range []string{"settings", rundir.StateFolder, "logs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return &badinput.Error{What: "cannot make the folder of the sweep", Err: err, Fix: "choose another with --out"}
		}
	}
	for _, r := range p.Runs {
		at := runFiles{dir, r.Name}
		err := atomicfile.WriteBytes(at.settings(), r.settings)
		if err != nil {
			return err
		}
		// A waiting run also has a state, so the files alone give the whole table.
		if _, err := os.Stat(at.state()); errors.Is(err, fs.ErrNotExist) {
			if err := at.write(State{Run: r.Name, Status: Waiting}); err != nil {
				return err
			}
		}
	}
	return nil
}

// completed adds the defaults of settings that did not exist when a run was planned.
func completed(before rundir.Settings) (rundir.Settings, error) {
	c, err := config.Default(before.Get("model.preset"), before.Get("model.method"))
	if err != nil {
		return nil, err
	}
	for _, d := range rundir.SettingsOf(c) {
		if !slices.ContainsFunc(before, func(s rundir.Setting) bool { return s.Name == d.Name }) {
			before = append(before, d)
		}
	}
	return before, nil
}

// same refuses a run that was begun with other settings, or has made more episodes.
func (p *Plan) same(r Run, at runFiles) error {
	text, err := readOwn(at.settings())
	if errors.Is(err, fs.ErrNotExist) {
		return at.absent()
	}
	before, now := rundir.Settings{}, rundir.Settings{}
	if err == nil {
		before, err = rundir.Flatten(text)
	}
	if err == nil {
		before, err = completed(before)
	}
	if err == nil {
		now, err = rundir.Flatten(r.settings)
	}
	if err != nil {
		return &badinput.Error{File: at.settings(), What: "the settings of a run cannot be read", Err: err, Fix: "choose another folder with --out"}
	}
	for _, s := range rundir.Differences(before, now) {
		if !slices.Contains(movable, s.Name) {
			return &badinput.Error{File: p.File, What: fmt.Sprintf("run %s was planned in %s with %s=%s, now it is %s", r.Name, at.dir, s.Name, orEmpty(before.Get(s.Name)), orEmpty(s.Value)),
				Fix: "write what it was, or choose another folder with --out"}
		}
	}
	made := (&rundir.Follower{Dir: at.folder()}).Progress().Episode
	if made > r.Config.Train.Episodes { // train would refuse it, and a finished run would count as failed
		return &badinput.Error{
			File: p.File, What: fmt.Sprintf("run %s has made %d episodes in %s, and train.episodes is %d", r.Name, made, at.dir, r.Config.Train.Episodes),
			Fix: fmt.Sprintf("write train.episodes=%d or more, or choose another folder with --out", made),
		}
	}
	return nil
}

// absent refuses files in the places of a run that was not planned there: a sweep writes the settings first.
func (p runFiles) absent() error {
	for _, path := range []string{p.settings(), p.state(), p.lock(), p.output(), p.errors(), p.folder()} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return &badinput.Error{File: path, What: "is in the place of a file of the sweep, which did not write it", Err: err,
				Fix: "choose another folder with --out, or move the file away"}
		}
	}
	return nil
}

func orEmpty(value string) string {
	if strings.TrimSpace(value) == "" {
		return `""`
	}
	return value
}
