package train

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/loop"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// ReplicaReporter receives the progress of replicas, from one goroutine for each.
type ReplicaReporter interface {
	// Replica returns the reporter of the run with that seed.
	Replica(seed uint64) Reporter
	// Failed reports that this run has ended with err. The others go on.
	Failed(seed uint64, err error)
}

// RunReplicas trains cfg.Train.Replicas models with the seeds cfg.Seed,
// cfg.Seed+1, … and leaves each run in dir/seed-S, config.yaml and summary.json
// in dir. A replica equals, bit for bit, the result of Run with its seed. All share
// one data set. On the CPU cfg.Threads replicas run side by side with one thread each,
// which is faster than one replica on all threads, because they do not wait for each
// other. On a GPU all run at once.
//
// A replica that fails does not stop the others. The error is a *ReplicaError with
// its seed. With resume, unfinished replicas are continued.
func RunReplicas(ctx context.Context, cfg runconfig.Config, dir string, resume bool, rep ReplicaReporter) (rundir.ReplicaSummary, error) {
	cfg.SetPrecision()
	return replicasWith(ctx, newTrainee, cfg, dir, resume, rep)
}

func replicasWith(ctx context.Context, build builder, cfg runconfig.Config, dir string, resume bool, rep ReplicaReporter) (s rundir.ReplicaSummary, err error) {
	if err := cfg.Validate(); err != nil {
		return rundir.ReplicaSummary{}, err
	}
	if err := unused(dir, resume); err != nil {
		return rundir.ReplicaSummary{}, err
	}
	if cfg, err = resuming(cfg, dir, resume); err != nil {
		return rundir.ReplicaSummary{}, err
	}
	if err := sameConfig(cfg, dir, resume); err != nil {
		return rundir.ReplicaSummary{}, err
	}
	ds, err := openSet(ctx, cfg)
	if err != nil {
		return rundir.ReplicaSummary{}, err
	}
	defer func() { err = errors.Join(err, ds.Close()) }()
	all := make([]*replica, cfg.Train.Replicas)
	for i := range all {
		all[i] = newReplica(cfg, i, dir)
		if err := (&run{cfg: all[i].cfg, data: ds}).openData(ctx, new(StartInfo)); err != nil {
			return rundir.ReplicaSummary{}, err
		}
	}
	// Taken before the folder of any run: otherwise two processes could take one run each, and both fail.
	_, missing := os.Stat(dir)
	folder, err := takeFolder(dir, resume)
	if err != nil {
		return rundir.ReplicaSummary{}, err
	}
	defer func() {
		err = errors.Join(err, folder.Close())
		if missing != nil {
			_ = os.Remove(dir) // it is empty if no run passed its checks
		}
	}()
	// The first run that passes its checks makes dir a folder of replicas.
	begin := sync.OnceValue(func() error { return writeConfig(dir, cfg) })
	var group errgroup.Group
	group.SetLimit(sideBySide(cfg))
	for _, r := range all {
		group.Go(func() error {
			if r.err = r.run(ctx, build, ds, resume, begin, rep); r.err != nil && !errors.Is(r.err, ErrStopped) {
				rep.Failed(r.cfg.Seed, r.err)
			}
			return nil
		})
	}
	_ = group.Wait() // each replica keeps its own error: an error of the group would stop others from starting
	if err := failures(all); err != nil {
		return rundir.ReplicaSummary{}, err
	}
	s = summarise(all)
	return s, atomicfile.WriteJSON(filepath.Join(dir, rundir.SummaryFile), s)
}

// takeFolder makes dir if it does not exist, and locks it until the Closer is closed. Once it
// has the lock, it checks again that dir holds no run, unless resume is set.
func takeFolder(dir string, resume bool) (io.Closer, error) {
	if err := loop.MakeFolder(dir); err != nil {
		return nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := loop.Lock(f, dir); badinput.Is(err) {
		return nil, errors.Join(err, f.Close())
	}
	// On a file system without locks of folders, the runs are still locked one by one.
	if err := unused(dir, resume); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sideBySide returns how many replicas run at a time.
func sideBySide(c runconfig.Config) int {
	switch {
	case c.Device != runconfig.CPU:
		return c.Train.Replicas
	case c.Threads == 0:
		return runtime.GOMAXPROCS(0)
	}
	return c.Threads
}

// replica is one of several runs.
type replica struct {
	cfg     runconfig.Config
	dir     string
	summary rundir.Summary
	err     error
}

func newReplica(c runconfig.Config, i int, dir string) *replica {
	c.Seed += uint64(i)
	c.Train.Replicas = 1
	if c.Device == runconfig.CPU {
		c.Threads = 1
	}
	return &replica{cfg: c, dir: rundir.Replica(dir, c.Seed)}
}

func (r *replica) run(ctx context.Context, build builder, ds *data.Dataset, resume bool, begin func() error, rep ReplicaReporter) error {
	if ctx.Err() != nil {
		return ErrStopped
	}
	return ops.Pinned(r.cfg.Threads, func() error {
		run, info, err := prepare(ctx, build, ds, r.cfg, r.dir, resume)
		if err != nil {
			return err
		}
		if err := begin(); err != nil {
			return errors.Join(err, run.Close())
		}
		r.summary, err = run.toEnd(ctx, info, rep.Replica(r.cfg.Seed))
		return err
	})
}
