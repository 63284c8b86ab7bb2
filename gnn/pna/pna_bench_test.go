package pna

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/ops"
)

// BenchmarkPNA times a forward and a backward pass over the molecules of the
// fixture, which are few: bench/pna.py makes a batch of FS-Mol's size.
func BenchmarkPNA(b *testing.B) {
	b.Run("float32", benchmarkPNA)
	b.Run("bf16", func(b *testing.B) {
		if !ops.HasBF16() {
			b.Skip("the processor has no unit for bf16")
		}
		ops.SetPrecision(ops.BF16)
		defer ops.SetPrecision(ops.Float32)
		benchmarkPNA(b)
	})
}

func benchmarkPNA(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	threads, err := strconv.Atoi(os.Getenv("PACIA_PNA_THREADS"))
	if err != nil {
		threads = runtime.GOMAXPROCS(0)
	}
	ops.SetThreads(threads)
	l := newPNALab(b, false)
	batch := l.fixture.batch(b)
	loss := l.alike(batch)
	var seconds, processor []float64
	for b.Loop() {
		begun, used := time.Now(), processorSeconds(b)
		loss = l.alike(batch)
		seconds = append(seconds, time.Since(begun).Seconds())
		processor = append(processor, processorSeconds(b)-used)
	}
	slices.Sort(seconds)
	slices.Sort(processor)
	b.ReportMetric(loss, "loss")
	b.ReportMetric(seconds[len(seconds)/2], "s/step")
	b.ReportMetric(processor[len(processor)/2], "processor-s/step")
}

// processorSeconds returns the processor time of all threads so far.
func processorSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// batch returns the fixture's molecules, in their tasks, as the batch of a model.
func (f *pnaFixture) batch(b *testing.B) *data.Batch {
	g := f.graph(b)
	batch := &data.Batch{
		Inputs:   molecule.Inputs{RowPtr: g.RowPtr, Col: g.Col, Bond: g.Bond, MolPtr: g.MolPtr},
		GroupPtr: f.Tasks,
	}
	batch.SetFloats(molecule.Features, len(g.RowPtr)-1, g.Features)
	if batch.GroupPtr == nil {
		batch.GroupPtr = []int32{0, int32(len(f.Molecule))}
	}
	return batch
}

// alike finds the distinct environments of atoms, as a model does with each batch, and makes
// a step on these.
func (l *pnaLab) alike(batch *data.Batch) float64 {
	batch.RefineFeatures(l.Encoder.Layers())
	h := l.fixture.graph(l.TB)
	for _, level := range batch.Levels {
		h.Levels = append(h.Levels, ops.HostLevel(level))
	}
	g, err := ops.NewGraph(h, ops.CPU)
	if err != nil {
		l.Fatal(err)
	}
	defer g.Drop()
	every := l.Graph
	defer func() { l.Graph = every }()
	l.Graph = g
	return l.step()
}

// step makes one pass forward and backward, and returns the loss.
func (l *pnaLab) step() float64 {
	y := l.Must(l.Readout.Molecules(l.states(), l.Graph, ops.Mode{}))
	loss := l.Loss(y)
	if err := ops.Backward(loss); err != nil {
		l.Fatal(err)
	}
	value, err := ops.Number(loss)
	if err != nil {
		l.Fatal(err)
	}
	var trained []*ts.Tensor
	for _, p := range l.Set.Trained() {
		trained = append(trained, p.Tensor)
	}
	if err := ops.ForgetGradients(trained); err != nil {
		l.Fatal(err)
	}
	ops.Drop(l.Made...)
	l.Made = nil
	return value
}
