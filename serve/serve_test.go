package serve_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"pacia/model"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/serve"
	"pacia/weights"
)

// shipped is the model that ships. Bare is the same model without vectors of MiniMol, with which a molecule
// takes fifty times as long; tests of the page and of jobs use it.
var (
	shipped = sync.OnceValues(func() (*model.Model, error) { return opened(true) })
	bare    = sync.OnceValues(func() (*model.Model, error) { return opened(false) })
)

func opened(vectors bool) (m *model.Model, err error) {
	f, err := weights.Open("")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	f.Config.Model = f.Config.Model.Embedding(vectors)
	err = ops.Pinned(0, func() error {
		m, err = f.Model(runconfig.CPU)
		return err
	})
	return m, err
}

// start runs a server with the model that ships until the test ends, and returns its address.
func start(t *testing.T, change func(*serve.Options)) string {
	t.Helper()
	return startWith(t, shipped, change)
}

func startWith(t testing.TB, open func() (*model.Model, error), change func(*serve.Options)) string {
	t.Helper()
	m, err := open()
	if err != nil {
		t.Fatal(err)
	}
	o := serve.Defaults()
	o.Model, o.Origin, o.Version = m, "the model that ships", "test"
	if change != nil {
		change(&o)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(o)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return "http://" + l.Addr().String()
}
