package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pacia/cuda"
	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/internal/atomicfile"
	"pacia/internal/ui"
	"pacia/internal/version"
	"pacia/ops"
)

// gotch is the module whose version the doctor prints.
const gotch = "github.com/sugarme/gotch"

func newDoctor() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Show what pacia is built from and runs on, and what is wrong with it",
		Example: `  pacia doctor
  pacia doctor --json | jq .wrong   # an empty list: nothing is`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := examine()
			if err := d.write(c.OutOrStdout(), asJSON); err != nil {
				return err
			}
			if n := len(d.Wrong); n > 0 {
				return fmt.Errorf("%s wrong", ui.Count(n, "thing"))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

// A diagnosis is the result of pacia doctor.
type diagnosis struct {
	Pacia       string   `json:"pacia"`
	Go          string   `json:"go"`
	Gotch       string   `json:"gotch"`
	Torch       string   `json:"libtorch"`
	ABI         int      `json:"libtorch_cxx11_abi"`
	CUDA        string   `json:"cuda"`         // the runtime's version; empty: a build for CPU
	Devices     int      `json:"cuda_devices"` // number that libtorch can use
	Driver      string   `json:"driver"`
	GPUs        []gpu    `json:"gpus"` // according to the driver
	NVRTC       string   `json:"nvrtc"`
	KernelCache string   `json:"kernel_cache"`
	RDKit       string   `json:"rdkit"`
	RDKitApart  bool     `json:"rdkit_apart"` // it runs, in separate processes
	RDKitPath   string   `json:"rdkit_path"`  // of the program of these
	RDKitPlain  bool     `json:"rdkit_plain"` // most molecules are read without it, by the same rules
	Cores       int      `json:"cores"`
	Threads     int      `json:"threads"`
	Products    string   `json:"products"` // the code that computes matrix products
	BF16        bool     `json:"bf16"`     // whether the processor has instructions for precision: bf16
	Cache       string   `json:"cache"`
	Wrong       []string `json:"wrong"`
}

func examine() diagnosis {
	d := diagnosis{
		Pacia: version.Program(), Go: runtime.Version(), Gotch: moduleVersion(gotch),
		RDKit: rdkit.Version(), Cores: runtime.NumCPU(), Threads: ops.Threads(), Products: ops.Products(), BF16: ops.HasBF16(), Wrong: []string{},
	}
	info, err := ops.Info()
	if err != nil {
		d.wrong("libtorch does not answer: %v", err)
	}
	d.Torch, d.ABI, d.CUDA, d.Devices = info.Torch, info.CXX11ABI, info.CUDA, info.Devices
	d.gpus(cuda.Describe(), info)
	if err := tryRDKit(); err != nil {
		d.wrong("RDKit does not read ethanol: %v", err)
	}
	d.RDKitApart, d.RDKitPath, d.RDKitPlain = d.RDKit != "", rdkit.Program(), rdkit.ReadsPlain()
	d.cache()
	return d
}

func (d *diagnosis) wrong(format string, args ...any) {
	d.Wrong = append(d.Wrong, fmt.Sprintf(format, args...))
}

func tryRDKit() error {
	graphs, errs := molecule.GraphsFromSMILES([]string{"CCO"})
	if errs[0] != nil {
		return errs[0]
	}
	if n := graphs[0].Len(); n != 3 {
		return fmt.Errorf("%d atoms in place of 3", n)
	}
	return nil
}

// cache checks that the default folder of the graph store can be written to.
func (d *diagnosis) cache() {
	user, err := os.UserCacheDir()
	if err != nil {
		d.wrong("no folder for the graph store: %v; write --set data.cache=FOLDER", err)
		return
	}
	d.Cache = filepath.Join(user, "pacia")
	if err := os.MkdirAll(d.Cache, 0o755); err != nil {
		d.wrong("the graph store's folder: %v; write --set data.cache=FOLDER", err)
		return
	}
	f, err := atomicfile.Nameless(filepath.Join(d.Cache, "doctor"))
	if err != nil {
		d.wrong("the graph store's folder: %v; write --set data.cache=FOLDER", err)
		return
	}
	_ = f.Close()
}

func moduleVersion(path string) string {
	info, _ := debug.ReadBuildInfo() // nil, false in a binary without modules
	if info != nil {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "unknown"
}

func (d diagnosis) write(out io.Writer, asJSON bool) error {
	if asJSON {
		return ui.JSON(out, d)
	}
	w := ui.NewTable(out)
	w.Line("pacia\t%s, %s", d.Pacia, d.Go)
	w.Line("gotch\t%s", d.Gotch)
	w.Line("libtorch\t%s, C++ ABI %d", d.Torch, d.ABI)
	d.writeGPUs(w)
	where := d.RDKit + ", in processes of " + d.RDKitPath
	switch {
	case !d.RDKitApart:
		where = "none in " + d.RDKitPath
	case !d.RDKitPlain:
		where += "; it reads all molecules, since the faster reader follows " + rdkit.PlainRelease
	}
	w.Line("RDKit\t%s", where)
	w.Line("threads\t%d on %s", d.Threads, ui.Count(d.Cores, "core"))
	products := d.Products
	if d.BF16 {
		products += "; also of factors in bf16"
	}
	w.Line("products\t%s", products)
	w.Line("graph store\t%s", d.Cache)
	for _, s := range d.Wrong {
		w.Line("wrong\t%s", s)
	}
	if len(d.Wrong) == 0 {
		w.Line("wrong\tnothing")
	}
	return w.Flush()
}
