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
)

const (
	// logEvery is the number of steps between two lines of the log.
	logEvery = 10
	// saveEvery is the time between two saves.
	saveEvery = time.Minute
)

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
	folder      *folder
	rep         Reporter
	step, total int
	first, last Entry
	before      time.Duration // time of the run before it was resumed
	begun       time.Time
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
	r := &run{Options: o, library: l, rep: rep, begun: time.Now()}
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
	if r.folder, err = newFolder(dir, resume); err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, r.folder.Close()) }()
	if state != nil {
		err = r.restore(state)
	} else {
		err = r.folder.lines.Truncate(0)
	}
	if err == nil {
		err = r.folder.show()
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

// perEpoch returns the number of whole batches. The remaining molecules, which differ
// between epochs, are skipped.
func (r *run) perEpoch() int { return max(1, len(r.learn)/r.Batch) }

// epoch returns the epoch of the current step, both counted from 1, and 0 before the first step.
func (r *run) epoch() int { return (r.step + r.perEpoch() - 1) / r.perEpoch() }

func (r *run) all(ctx context.Context) (Summary, error) {
	r.rep.Begin(Info{Learn: len(r.learn), HeldOut: len(r.held), LeftOut: r.leftOut, Lack: r.lack,
		Parameters: r.parameters(), Steps: r.total, Without: r.without, Vocabulary: r.vocabulary()})
	if err := r.folder.writeSkipped(r.library.Skipped); err != nil {
		return Summary{}, err
	}
	if r.first.HeldOut == nil {
		if err := r.measure(); err != nil {
			return Summary{}, err
		}
		r.first = r.last
	}
	saved := time.Now()
	var order []int32
	for r.step < r.total {
		if err := r.stage(ctx); err != nil {
			return Summary{}, fmt.Errorf("step %d: %w", r.step+1, err)
		}
		if ctx.Err() != nil {
			break
		}
		in := r.step % r.perEpoch()
		if in == 0 || order == nil {
			order = r.shuffled()
		}
		r.step++
		if err := r.learnFrom(order[in*r.Batch : min((in+1)*r.Batch, len(order))]); err != nil {
			return Summary{}, fmt.Errorf("step %d: %w", r.step, err)
		}
		if in+1 == r.perEpoch() || r.step == r.total {
			if err := r.measure(); err != nil {
				return Summary{}, err
			}
		}
		if time.Since(saved) > saveEvery {
			if err := r.save(); err != nil {
				return Summary{}, err
			}
			saved = time.Now()
		}
	}
	return r.finish()
}

// stage calls begin of a task with several stages.
func (r *run) stage(ctx context.Context) error {
	if t, ok := r.network.task.(stager); ok {
		return t.begin(ctx, r)
	}
	return nil
}

// shuffled returns the order of the molecules in the epoch that begins.
func (r *run) shuffled() []int32 {
	order := append([]int32(nil), r.learn...)
	data.Rand(r.Seed, "pretrain order", uint64(r.step/r.perEpoch())).Shuffle(len(order), func(i, j int) {
		order[i], order[j] = order[j], order[i]
	})
	return order
}

// newAdam makes the optimiser, with moments of zero.
func (r *run) newAdam() (*ops.Adam, error) {
	return ops.NewAdam(r.network.trained(), ops.AdamOptions{LR: r.LearningRate})
}

func (r *run) learnFrom(rows []int32) error {
	epoch := uint64(r.epoch())
	q := r.network.ask(rows, func(row int32) *rand.Rand {
		return data.Rand(r.Seed, "pretrain question", epoch<<32|uint64(row))
	})
	if q == nil {
		return nil
	}
	a, err := q.answer(ops.Mode{Training: true, Key: data.Rand(r.Seed, "pretrain dropout", uint64(r.step)).Uint64()})
	if err != nil {
		return err
	}
	defer a.drop()
	loss, err := ops.Number(a.loss)
	if err != nil {
		return fmt.Errorf("the loss is %w; a smaller --learning-rate may help", err)
	}
	if err := ops.Backward(a.loss); err != nil {
		return err
	}
	if _, err := r.adam.Step(); err != nil {
		return err
	}
	r.rep.Step(r.step, loss)
	if r.step%logEvery != 0 {
		return nil
	}
	marks, err := grade(q, a)
	if err != nil {
		return err
	}
	f := figures(marks...)
	return r.folder.log(Entry{Epoch: r.epoch(), Step: r.step, Training: &f})
}

// measure answers the questions about the molecules held out, with running averages.
func (r *run) measure() error {
	var marks []tally
	err := ops.WithoutGrad(func() error {
		for _, q := range r.exam {
			a, err := q.answer(ops.Mode{})
			if err != nil {
				return err
			}
			m, err := grade(q, a)
			a.drop()
			if err != nil {
				return err
			}
			marks = append(marks, m...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	f := figures(marks...)
	r.last = Entry{Epoch: r.epoch(), Step: r.step, HeldOut: &f}
	r.rep.Measured(r.last)
	return r.folder.log(r.last)
}
