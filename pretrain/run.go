package pretrain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/loop"
)

// saveEvery is the time between two saves.
const saveEvery = time.Minute

// ErrStopped is the error of Run when its context ends: the learned weights are
// saved.
var ErrStopped = errors.New("stopped")

// A Reporter receives the progress of a run.
type Reporter interface {
	Begin(Info)
	Step(step int, loss float64)
	Measured(Entry) // on the molecules held out
}

// Info describes the start of a run.
type Info struct {
	Learn, HeldOut int    // molecules
	LeftOut        int    // molecules without a question
	Lack           string // why they have none
	Parameters     int    // of the encoder
	Steps          int
	Without        Figures // answers by the frequencies of the classes alone
	Vocabulary     *Vocabulary
}

// run is a pretraining under way.
type run struct {
	Options
	library     *Library
	learn, held []int32 // rows of the store
	leftOut     int
	lack        string
	network     *network
	adam        *ops.Adam
	exam        []question // about the molecules held out
	without     Figures
	dir         string
	log         *loop.Log
	rep         Reporter
	step, total int
	order       []int32 // of the molecules in this epoch
	first, last Entry
	loop.Clock
	saved time.Time // of the last save
}

// A chooser is a task that cannot use some molecules.
type chooser interface {
	usable(rows []int32) []int32
	lack() (what, fix string) // why others cannot be used
}

// A stager is a task with several stages. begin is called before each step, and returns early
// if ctx is done.
type stager interface {
	begin(ctx context.Context, r *run) error
}

// Run trains an encoder on the molecules of a library, and writes it to the folder
// dir. If ctx ends, it writes the weights learnt so far, and returns ErrStopped. With
// resume it continues the run in dir, if there is one. The result equals, bit for bit,
// that of a run that was not stopped. Run must be called from within ops.Pinned.
func Run(ctx context.Context, o Options, l *Library, dir string, resume bool, rep Reporter) (s Summary, err error) {
	if err := o.Validate(); err != nil {
		return Summary{}, err
	}
	device, err := ops.ParseDevice(o.Device)
	if err != nil {
		return Summary{}, &badinput.Error{Err: err}
	}
	r := &run{Options: o, library: l, dir: dir, rep: rep, Clock: loop.Clock{Begun: time.Now()}}
	if r.network, err = newNetwork(o, l, device, false); err != nil {
		return Summary{}, err
	}
	defer r.network.drop()
	if err := r.divide(); err != nil {
		return Summary{}, err
	}
	if r.adam, err = r.newAdam(); err != nil {
		return Summary{}, err
	}
	defer func() { r.adam.Drop() }() // GraphLoG replaces it
	state, err := openState(dir, resume)
	if err != nil {
		return Summary{}, err
	}
	if state == nil {
		err = r.startEncoder()
	} else {
		defer state.Close()
	}
	if err != nil {
		return Summary{}, err
	}
	if r.log, err = openLog(dir, resume); err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, r.log.Close()) }()
	if state != nil {
		err = r.restore(state)
	} else {
		err = r.log.Cut(0, nil)
	}
	if err == nil {
		err = r.log.Show(dir)
	}
	if err != nil {
		return Summary{}, err
	}
	return r.all(ctx)
}

// divide splits the molecules into those to learn from and those to measure on.
func (r *run) divide() error {
	rows := r.library.rows
	if t, ok := r.network.task.(chooser); ok {
		rows = t.usable(rows)
		var fix string
		r.lack, fix = t.lack()
		r.leftOut = len(r.library.rows) - len(rows)
		if len(rows) < fewest {
			return &badinput.Error{What: fmt.Sprintf("%s: %d of %d molecules are %s", r.library.Name, r.leftOut, len(r.library.rows), r.lack),
				Fix: fix}
		}
	}
	r.learn, r.held = split(rows, r.Seed)
	r.total = r.Steps
	r.total = cmp.Or(r.total, r.Epochs*r.perEpoch())
	random := func(row int32) *rand.Rand { return data.Rand(r.Seed, "pretrain held out", uint64(row)) }
	for at := 0; at < len(r.held); at += r.Batch {
		if q := r.network.ask(r.held[at:min(at+r.Batch, len(r.held))], random); q != nil {
			r.exam = append(r.exam, q)
		}
	}
	r.without = r.network.without(r.learn, r.exam)
	return nil
}

func (r *run) all(ctx context.Context) (Summary, error) {
	r.rep.Begin(Info{Learn: len(r.learn), HeldOut: len(r.held), LeftOut: r.leftOut, Lack: r.lack,
		Parameters: r.parameters(), Steps: r.total, Without: r.without, Vocabulary: r.vocabulary()})
	if err := r.writeSkipped(); err != nil {
		return Summary{}, err
	}
	r.saved = time.Now()
	var s Summary
	finish := func() (err error) {
		s, err = r.finish()
		return err
	}
	err := loop.Loop{
		Measure: func(context.Context) error { return r.measureIfDue() },
		Save:    r.saveIfDue,
		Done:    func() bool { return r.step >= r.total },
		Steps:   r.makeStep,
		Stop:    finish,
		End:     finish,
	}.Run(ctx)
	return s, err
}

// saveIfDue saves from time to time.
func (r *run) saveIfDue() error {
	if time.Since(r.saved) <= saveEvery {
		return nil
	}
	r.saved = time.Now()
	return r.save()
}

// newAdam makes the optimiser, with moments of zero.
func (r *run) newAdam() (*ops.Adam, error) {
	return ops.NewAdam(r.network.trained(), ops.AdamOptions{LR: r.LearningRate})
}
