package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == tracedFlag {
		fmt.Fprintln(os.Stderr, "hard:", becomeTraced(os.Args[2:]))
		os.Exit(1)
	}
	if len(os.Args) == 3 && os.Args[1] == tracerFlag {
		if err := becomeTracer(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "hard:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "hard:", err)
		os.Exit(1)
	}
}

func run() error {
	var h harm
	flag.StringVar(&h.program, "pacia", "bin/pacia", "the `program` to harm")
	flag.IntVar(&h.kills, "kills", 1000, "SIGKILLs, SIGINTs and SIGTERMs at moments drawn at random")
	flag.IntVar(&h.faults, "faults", 500, "calls of the system that fail, or at which the program is killed")
	flag.IntVar(&h.flips, "flips", 300, "changed bytes and cut files that a whole process reads")
	flag.IntVar(&h.pairs, "pairs", 30, "times that two processes use the same files")
	flag.IntVar(&h.ways, "ways", 60, "comparisons of two tables of one library")
	flag.BoolVar(&h.besiege, "siege", true, "attack a server whose memory is limited")
	flag.IntVar(&h.full, "full", 30, "full disks")
	flag.IntVar(&h.jobs, "jobs", 2, "processes side by side")
	flag.Uint64Var(&h.seed, "seed", 0, "seed of all random choices; 0: a random one, which is printed")
	only := flag.String("only", "", "the only `scenarios` to harm, such as train,next (default all)")
	keep := flag.Bool("keep", false, "keep the folders in which something was lost")
	flag.BoolVar(&h.verbose, "v", false, "print the result of each harm")
	flag.Parse()
	if signal.Ignored(os.Interrupt) { // as in the background of a shell; children would inherit it, and not one that is caught
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	var err error
	if h.program, err = filepath.Abs(h.program); err != nil {
		return err
	}
	if h.work, err = os.MkdirTemp("", "pacia-hard-*"); err != nil {
		return err
	}
	if !*keep {
		defer os.RemoveAll(h.work)
	}
	h.seed = cmp.Or(h.seed, uint64(time.Now().UnixNano()%1_000_000_007))
	fmt.Printf("seed %d, in %s\n", h.seed, h.work)
	return h.all(*only)
}
