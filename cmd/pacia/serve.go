package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/model"
	"pacia/run/checkpoint"
	page "pacia/serve"
)

// serving is one call of pacia serve.
type serving struct {
	address, checkpoint string
	maxUpload, memory   string
	limits              page.Options
	settings            config.Options
}

func newServe() *cobra.Command {
	s := serving{limits: page.Defaults()}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Rank libraries on a page in the browser, or by requests of programs",
		Long: `Rank libraries on a page in the browser, or by requests of programs.

Open the address that is printed. Drop a file of labelled molecules and one or more
of molecules to rank: what was read is shown at once, with drawings; then the ranking,
and how far to trust it. Nothing leaves this machine, and no network is needed.

The page can be reached from this machine alone, unless --address names another
address. There is no log-in: anyone who can reach the page can use it.

Files and rankings are deleted when the page closes, or after --keep without a request.
docs/serve.md describes the requests, such as

  curl -F support=@labelled.csv -F library=@library.csv http://127.0.0.1:8417/v1/rank`,
		Example: `  pacia serve
  pacia serve --address 127.0.0.1:9000 --checkpoint best.ckpt
  pacia serve --address 0.0.0.0:8417 --host lab-server`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.check(); err != nil {
				return err
			}
			return s.run(c)
		},
	}
	f := c.Flags()
	f.StringVar(&s.address, "address", "127.0.0.1:8417", "`ADDRESS` and port; port 0 is any free port")
	f.StringArrayVar(&s.limits.Hosts, "host", nil, "a further host `NAME` of the server; several with the flag repeated")
	f.StringVar(&s.checkpoint, "checkpoint", "", "trained model, a `FILE` such as best.ckpt (default the model that ships)")
	f.StringVar(&s.maxUpload, "max-upload", "64MB", "the `SIZE` of all files of a ranking together")
	f.StringVar(&s.memory, "memory", "", "the `SIZE` of the memory of all requests together (default half of the machine's)")
	f.IntVar(&s.limits.MaxRows, "max-rows", s.limits.MaxRows, "how `MANY` molecules a library may have")
	f.IntVar(&s.limits.Jobs, "jobs", s.limits.Jobs, "how `MANY` rankings run at a time, each on all threads")
	f.IntVar(&s.limits.Queue, "queue", s.limits.Queue, "how `MANY` rankings may wait; the next is refused")
	f.DurationVar(&s.limits.Retention, "keep", s.limits.Retention, "`TIME` without requests after which a ranking is deleted")
	f.StringVar(&s.settings.Device, "device", "", "cpu, cuda or cuda:N (default cpu)")
	addSet(c, &s.settings)
	return c
}

func (s *serving) check() error {
	host, port, err := net.SplitHostPort(s.address)
	if n, wrong := strconv.Atoi(port); err != nil || wrong != nil || n < 0 || n > 65535 {
		return &badinput.Error{What: "--address " + badinput.Quote(s.address) + " is not an address with a port", Fix: "write one such as 127.0.0.1:8417"}
	}
	ip := net.ParseIP(host)
	s.limits.Loopback = host == "localhost" || ip != nil && ip.IsLoopback()
	if ip == nil && host != "" {
		s.limits.Hosts = append(s.limits.Hosts, host)
	}
	if s.limits.MaxUpload, err = bytesOf("--max-upload", s.maxUpload); err != nil {
		return err
	}
	if s.memory != "" {
		if s.limits.Memory, err = bytesOf("--memory", s.memory); err != nil {
			return err
		}
	}
	for _, l := range []struct {
		flag        string
		value, from int
	}{{"max-rows", s.limits.MaxRows, 1}, {"jobs", s.limits.Jobs, 1}, {"queue", s.limits.Queue, 0}} {
		if l.value < l.from || l.value > 1e8 {
			return &badinput.Error{What: fmt.Sprintf("--%s %d", l.flag, l.value), Fix: fmt.Sprintf("write %d or more", l.from)}
		}
	}
	if s.limits.Retention < time.Second {
		return &badinput.Error{What: "--keep " + s.limits.Retention.String() + " is too short", Fix: "write a time such as 30m"}
	}
	return nil
}

// bytesOf reads the size that a flag has, such as 64MB.
func bytesOf(flag, text string) (int64, error) {
	number := strings.TrimRight(strings.ToUpper(strings.TrimSpace(text)), "BI ")
	factor := 1.0
	for i, unit := range []string{"K", "M", "G"} {
		if rest, found := strings.CutSuffix(number, unit); found {
			number, factor = strings.TrimSpace(rest), []float64{1e3, 1e6, 1e9}[i]
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*factor >= 1 && n*factor <= 1e12) {
		return 0, &badinput.Error{What: flag + " " + badinput.Quote(text) + " is not a size", Fix: "write one such as 64MB"}
	}
	return int64(n * factor), nil
}

// run listens before it loads the model, so that an address in use is reported at once.
func (s *serving) run(c *cobra.Command) error {
	ctx, stop := untilInterrupted(c.Context())
	defer stop()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.address)
	if err != nil {
		return cannotListen(s.address, err)
	}
	defer l.Close()
	return withModel(s.checkpoint, s.settings, func(m *model.Model, meta checkpoint.Meta, cfg config.Config) error {
		s.limits.Model, s.limits.Origin, s.limits.Threads, s.limits.Version = m, origin(s.checkpoint, meta), cfg.Threads, version.Program()
		s.limits.Tasks = meta.Tasks.Train
		limitHeap(s.limits.Memory)
		server := page.New(s.limits)
		defer server.Close()
		s.announce(c.OutOrStdout(), c.ErrOrStderr(), l.Addr())
		return server.Serve(ctx, l)
	})
}

// limitHeap makes Go collect its garbage before the heap exceeds what it is now by the memory of all requests. A limit of
// the environment, GOMEMLIMIT, stays.
func limitHeap(requests int64) {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		debug.SetMemoryLimit(int64(now.Sys) + requests)
	}
}

func cannotListen(address string, err error) error {
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return &badinput.Error{What: "--address " + badinput.Quote(address) + " cannot be used", Err: err, Fix: "write another address, or port 0 for any free port"}
}

// announce prints the address, and how to use it.
func (s *serving) announce(out, log io.Writer, at net.Addr) {
	ui.Say(out, "http://%s\n", at)
	ui.Say(log, "%s; open the address above in a browser, and end with Ctrl-C\n", s.limits.Origin)
	if !s.limits.Loopback {
		ui.Say(log, "there is no log-in: anyone who can reach this address can use the page\n")
	}
}
