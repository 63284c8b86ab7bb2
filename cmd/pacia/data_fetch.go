package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pacia/data/source/fetch"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
)

func newFetch() *cobra.Command {
	var dir string
	var o fetch.Options
	var result asJSON
	c := &cobra.Command{
		Use:   "fetch SET",
		Short: "Fetch a public data set: " + setNames(),
		Long: `Fetch a public data set and lay it out as pacia reads it: ` + setNames() + `.

Downloads stay in the folder "source" of the set. An interrupted transfer
continues where it stopped. Without a network, put the files there by hand and run
the command again.`,
		Example: `  pacia data fetch tox21
  pacia data fetch fsmol --dir /data/fsmol`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && fetch.Find(args[0]) != nil {
				return nil
			}
			return &badinput.Error{What: c.CommandPath() + " needs the name of a data set", Fix: "write one of " + setNames()}
		},
		RunE: func(c *cobra.Command, args []string) error {
			set := fetch.Find(args[0])
			dir = cmp.Or(dir, set.Folder)
			ctx, stop := untilInterrupted(c.Context())
			defer stop()
			made, err := fetchSet(ctx, set, dir, o, result.textOut(c), c.ErrOrStderr())
			if err != nil {
				return err
			}
			return result.write(c, made)
		},
	}
	result.add(c)
	c.Flags().StringVar(&dir, "dir", "", "`FOLDER` of the set (default fsmol or moleculenet)")
	c.Flags().StringVar(&o.Mirror, "mirror", "", "`ADDRESS` of a folder that has the files, instead of their publishers'")
	c.Flags().BoolVar(&o.Unchecked, "unchecked", false, "keep files with another checksum than the known one")
	return c
}

func setNames() string {
	names := each.Of(fetch.Sets, func(s fetch.Set) string { return s.Name })
	return strings.Join(names, ", ")
}

// fetchedSet is the result of pacia data fetch.
type fetchedSet struct {
	Set   string        `json:"set"`
	Files []fetchedFile `json:"files"` // downloaded now; others were there
	Ready []string      `json:"ready"` // paths for data.path
}

type fetchedFile struct {
	Name    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Checked bool   `json:"as_published"`
}

func fetchSet(ctx context.Context, set *fetch.Set, dir string, o fetch.Options, out, progress io.Writer) (all fetchedSet, err error) {
	t := ui.NewTransfer(out, progress)
	o.Progress = t.Arrived
	all = fetchedSet{Set: set.Name, Files: []fetchedFile{}}
	o.Fetched = func(file string, n int64, sum fetch.Checksum) {
		t.Print(fetched(file, n, sum))
		all.Files = append(all.Files, fetchedFile{file, n, sum.SHA256, sum.Checked})
	}
	all.Ready, err = set.Fetch(ctx, dir, o)
	t.Close()
	if ctx.Err() != nil {
		return all, fmt.Errorf("interrupted; run this again to continue")
	}
	if err != nil {
		return all, err
	}
	for _, path := range all.Ready {
		ui.Say(out, "ready: %s\n", path)
	}
	return all, nil
}

func fetched(file string, n int64, sum fetch.Checksum) string {
	note := "no published checksum to compare with"
	switch {
	case sum.Checked:
		note = "as published"
	case sum.Differs:
		note = "not as published"
	}
	return fmt.Sprintf("%s  %s (%s bytes)  sha256 %s  %s\n", file, ui.Bytes(n), ui.Grouped(int(n)), sum.SHA256, note)
}
